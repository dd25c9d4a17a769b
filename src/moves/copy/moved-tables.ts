import { ROWS_PER_PAGE, TRANSFERRED_TABLES, type TransferredTable } from '../../transfer/index.ts';

/** How the rows of one table are copied from shard to shard. */
export interface MovedTable extends TransferredTable {
  /** The condition that selects the tenant's rows; `?1` is its id. */
  readonly scope: string;
  /** The columns that order the rows of the first copy, where it is not `key`. */
  readonly copyKey?: readonly string[];
  /** The columns that name rows which a change replaces together; by default the primary key names one row. */
  readonly group?: readonly string[];
  /** Whether rows of other tables are found by this one's, or refer to them: these are deleted after those. */
  readonly leads?: boolean;
  /** What a row is set to before it is deleted, where triggers count its changes and not its deletion. */
  readonly uncounted?: string;
}

/** Rows that triggers of the table bound by age: they are replaced in groups, in the order of their insertion. */
const OF_CUSTOMER = { group: ['customer_id'], copyKey: ['customer_id', 'rowid'] };

/** What a move needs beyond an export's list of a table. */
const OPTIONS: Readonly<Record<string, Partial<MovedTable>>> = {
  // Triggers of categories and products write former slugs, which is why these are replaced after them.
  former_slugs: { group: ['kind', 'owner_id'] },
  // The feed counts live items; on its own shard an item is deleted long after it left the feed.
  inventory_items: { uncounted: "feed = 'gone'" },
  customer_carts: OF_CUSTOMER,
  customer_sessions: OF_CUSTOMER,
  password_resets: OF_CUSTOMER,
};

const moved = (table: TransferredTable): MovedTable => ({
  scope: 'tenant_id = ?1',
  ...table,
  ...OPTIONS[table.name],
});

const more = (name: string, key: string, options: Partial<MovedTable> = {}): MovedTable =>
  moved({ name, key: key.split(' ').filter(Boolean), limit: ROWS_PER_PAGE, ...options });

/** Rows of imports name their import, whose index leads to them. */
const ofImport = { scope: 'import_id IN (SELECT id FROM imports WHERE tenant_id = ?1)' };

/**
 * The parts of a move, in the order of the copy: the tenant's own row, what an export has, and what is of no use to
 * another deployment but to another shard: erased customers, responses to retries, throttles, and work in progress.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  more('tenants', '', { scope: 'id = ?1', limit: 1, leads: true }),
  ...TRANSFERRED_TABLES.filter(({ inDirectory }) => !inDirectory).map(moved),
  more('customers', 'id', { where: 'erased_at IS NOT NULL' }),
  more('idempotency_keys', 'application_id key', { limit: 20, sized: ['answer'] }),
  more('coupon_guesses', 'address'),
  more('imports', 'created_at id', { limit: 20, sized: ['errors', 'header'], leads: true }),
  more('import_chunks', 'import_id n', { ...ofImport, limit: 20, sized: ['base64'] }),
  more('import_products', 'import_id slug', ofImport),
  more('import_effects', 'import_id kind key', ofImport),
  more('import_errors', 'import_id n', ofImport),
  more('relistings', 'category_id'),
  more('search_changes', 'category_id product_id'),
];

/** The tables with a tenant's rows that are not copied, and why. They are deleted with the old copy. */
export const NOT_MOVED: Readonly<Record<string, string>> = {
  quota_counts: 'triggers count the copied rows',
  listing_counts: 'triggers count the copied rows',
  facet_counts: 'triggers count the copied rows',
  feed_counts: 'triggers count the copied rows',
  order_counts: 'triggers count the copied rows',
  customer_counts: 'triggers count the copied rows',
  checkout_usage: 'triggers count the copied rows',
  reservation_usage: 'counts the movements of a day',
  list_changes: 'the list index begins anew at the new shard',
};

/** The tables with a tenant's id that belong to the directory or to moves themselves. */
export const NOT_OF_SHARDS: ReadonlySet<string> = new Set([
  ...TRANSFERRED_TABLES.filter(({ inDirectory }) => inDirectory).map(({ name }) => name),
  'placements',
  'tenant_moves',
  'tenant_fences',
  'move_changes',
]);

/** The names of the tables that are copied, each once, in order. */
export const MOVED_NAMES: readonly string[] = [...new Set(MOVED_TABLES.map(({ name }) => name))];

/** Returns the condition that selects the rows of a part; `?1` is the tenant's id. */
export const conditionOf = ({ scope, where }: MovedTable): string =>
  where === undefined ? scope : `${scope} AND ${where}`;

/** Returns how the table with this name is copied. */
export function movedTable(name: string): MovedTable {
  const found = MOVED_TABLES.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not among the moved tables`);
  return found;
}
