/** How the rows of one table are read for one tenant, page by page. */
export interface TransferredTable {
  readonly name: string;
  /**
   * The columns that order a tenant's rows and, with the tenant, name one. An index leads to them: a page costs its
   * own rows, however many other tenants have. None: a tenant has one row.
   */
  readonly key: readonly string[];
  /** The rows that are exported; an index is partial on this condition. */
  readonly where?: string;
  /** The most rows of a page; less where one row may be large. */
  readonly limit: number;
  /** The columns that may be large: a page has {@link ROWS_PER_PAGE} rows where these are small, and `limit` else. */
  readonly sized?: readonly string[];
  /** Whether the rows are in the directory instead of on the tenant's shard. */
  readonly inDirectory?: boolean;
}

/** The most rows of a page. */
export const ROWS_PER_PAGE = 200;
/** For tables with a row of up to a MiB: an isolate has 128. */
const LARGE_ROWS = 20;

const table = (name: string, key: string, options: Partial<TransferredTable> = {}): TransferredTable => ({
  name,
  key: key.split(' ').filter(Boolean),
  limit: ROWS_PER_PAGE,
  ...options,
});
const large = (columns: string): Partial<TransferredTable> => ({
  limit: LARGE_ROWS,
  sized: columns.split(' '),
});

/**
 * The tables that belong to a tenant, in the order of an import: a row comes after those that a foreign key or a
 * trigger of its table looks for. `tenants` is first and apart: its rows have an `id` in place of a `tenant_id`.
 */
export const TRANSFERRED_TABLES: readonly TransferredTable[] = [
  table('tenant_secrets', 'name'),
  table('tenant_hosts', 'host', { inDirectory: true }),
  table('applications', 'id'),
  table('panel_users', 'email', { inDirectory: true }),
  table('themes', ''),
  table('ucp_keys', 'kid'),
  table('webhooks', 'id'),
  table('feeds', 'created_at id'),
  table('categories', 'id', large('description metadata seo')),
  table('category_ancestors', 'category_id ancestor_id'),
  table(
    'products',
    'id',
    large('description images image_alts seo tags attributes variant_summary metadata details'),
  ),
  table('variants', 'product_id id'),
  table('product_categories', 'product_id category_id'),
  table('product_listings', 'currency category_id status product_id'),
  table('item_facets', 'status name value product_id item_id'),
  table('item_prices', 'product_id currency item_id'),
  table('product_terms', 'term product_id'),
  table('former_slugs', 'kind slug'),
  table('price_history', 'item_id currency day'),
  table('media', 'hash id'),
  table('media_uses', 'product_id hash'),
  table('inventory_items', 'product_id id'),
  table('stock_components', 'parent_id group_id member_id'),
  table('slots', 'product_id starts_at ends_at id'),
  table('reservations', 'cart_id cart_version', large('lines')),
  table('stock_movements', 'item_id id'),
  table('product_sales', 'product_id day'),
  table('sales_rankings', ''),
  table('sales_hours', 'start currency'),
  table('item_sales', 'span start sku'),
  table('call_hours', 'start application_id'),
  table('call_days', 'start application_id'),
  table('promotions', 'id', large('product_ids category_ids')),
  table('promotion_shoppers', 'promotion_id shopper'),
  table('promotion_redemptions', 'order_id promotion_id'),
  table('customers', 'id', { ...large('metadata'), where: 'erased_at IS NULL' }),
  table('customer_addresses', 'customer_id created_at id'),
  table('customer_terms', 'term customer_id'),
  table('customer_carts', 'customer_id cart_id'),
  table('customer_sessions', 'customer_id hash'),
  table('password_resets', 'customer_id hash'),
  table('orders', 'number', large('metadata note tags promotions shipping_address billing_address')),
  table('order_counters', ''),
  table('order_lines', 'order_id id', large('options links selected stock discounts image')),
  table('order_timeline', 'order_id id'),
  table('order_fulfilments', 'order_id position id'),
  table('order_terms', 'term order_id'),
  table('payments', 'order_id id'),
  table('refunds', 'order_id created_at id'),
  table('refund_allowances', 'order_id subject'),
  table('checkout_sessions', 'cart_id created_at digest', large('snapshot pricing buyer')),
  table('outbox', 'resource position', large('data')),
  table('audit_log', 'id'),
];

/** The most carts of a page: one has up to a MiB, and its history. */
const CARTS = 10;

/**
 * What an export reads, in order: the tables, then the carts of customers, and those that a checkout was started for.
 * No list of a guest's carts exists before that.
 */
export const EXPORT_PARTS: readonly TransferredTable[] = [
  ...TRANSFERRED_TABLES,
  table('customer_carts', 'customer_id cart_id', { limit: CARTS }),
  table('checkout_sessions', 'cart_id created_at digest', { limit: CARTS }),
];

/** The tables with a tenant's rows that are not transferred, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  placements: 'the import places the tenant',
  move_changes: 'of moves between the shards of one deployment',
  tenant_fences: 'of moves between the shards of one deployment',
  tenant_moves: 'of moves between the shards of one deployment',
  quota_counts: 'triggers count the imported rows',
  listing_counts: 'triggers count the imported rows',
  facet_counts: 'triggers count the imported rows',
  feed_counts: 'triggers count the imported rows',
  order_counts: 'triggers count the imported rows',
  customer_counts: 'triggers count the imported rows',
  checkout_usage: 'triggers count the imported rows',
  reservation_usage: 'counts the movements of a day',
  idempotency_keys: 'answers of a day, sealed for the deployment that gave them',
  coupon_guesses: 'throttles of fifteen minutes',
  imports: "work of the old deployment's queue",
  import_chunks: "work of the old deployment's queue",
  import_effects: "work of the old deployment's queue",
  import_errors: "work of the old deployment's queue",
  import_products: "work of the old deployment's queue",
  relistings: "work of the old deployment's queue",
  search_changes: 'the search index is rebuilt after the import',
  list_changes: 'triggers note the imported rows, and the list index is rebuilt',
};
