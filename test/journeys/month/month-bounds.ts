import { env } from 'cloudflare:workers';
import { shardNames } from '../../../src/kernel/shards/shard-names.ts';

/** How many shards the cron measures. */
const SHARDS = shardNames(env).length;

/** The month is five rounds of six days, even ones with a refund. */
export const ROUNDS = 5;

const REFUNDS = 3;

/**
 * For each table: at most how many rows the month may leave, and how many are left 500 days later. A table
 * that is not named here fails the test: give it an owner, a bound and an end, and a row in docs/storage.md.
 */
export const MAIN: Readonly<Record<string, readonly [month: number, end: number]>> = {
  // Named by somebody who administers, and bounded by quotas.
  applications: [1, 1],
  audit_log: [5, 0],
  categories: [1, 1],
  category_ancestors: [1, 1],
  former_slugs: [0, 0],
  panel_users: [0, 0],
  move_changes: [0, 0],
  placements: [1, 1],
  tenant_fences: [0, 0],
  tenant_moves: [0, 0],
  quota_counts: [8, 8],
  tenant_hosts: [0, 0],
  tenant_secrets: [1, 1],
  tenants: [1, 1],
  themes: [0, 0],
  // No agent asks for the tenant's profile.
  ucp_keys: [0, 0],
  webhooks: [1, 1],
  // The catalogue: what is for sale, and for 90 days what was.
  feed_counts: [1, 1],
  inventory_items: [3 + ROUNDS, 3],
  feeds: [1, 1],
  facet_counts: [2, 2],
  item_facets: [6, 6],
  item_prices: [6, 6],
  listing_counts: [6, 6],
  // One of the cup's prices a day, in the days around a sale.
  price_history: [2 * ROUNDS, 0],
  media: [2, 1],
  media_uses: [1, 0],
  product_categories: [0, 0],
  product_listings: [6, 6],
  product_terms: [20, 20],
  products: [3 + ROUNDS, 3],
  sequences: [7, 7],
  slots: [0, 0],
  stock_components: [0, 0],
  variants: [0, 0],
  // What is sold is kept, what is not ends.
  checkout_sessions: [3 * ROUNDS, 0],
  checkout_usage: [1, 1],
  reservation_usage: [1, 1],
  coupon_guesses: [1, 0],
  promotion_redemptions: [ROUNDS, ROUNDS - REFUNDS],
  promotion_shoppers: [ROUNDS, 0],
  promotions: [ROUNDS, 0],
  order_counters: [1, 1],
  order_counts: [9, 9],
  order_lines: [2 * ROUNDS, ROUNDS],
  order_fulfilments: [ROUNDS - REFUNDS, ROUNDS - REFUNDS],
  order_terms: [12 * ROUNDS, 6 * ROUNDS],
  order_timeline: [6 * ROUNDS, 4 * ROUNDS],
  orders: [2 * ROUNDS, ROUNDS],
  payments: [3 * ROUNDS, ROUNDS],
  // Of each refund: the payment and its line.
  refund_allowances: [2 * REFUNDS, 2 * REFUNDS],
  refunds: [REFUNDS, REFUNDS],
  product_sales: [ROUNDS, 0],
  sales_rankings: [1, 0],
  // An hour of each sale and of each day with calls, and the last day's and hour's units of it.
  sales_hours: [2 * ROUNDS, 0],
  item_sales: [2 * ROUNDS, 0],
  // An application's hour and day of each round, and one more where an hour ends during a round.
  call_hours: [2 * ROUNDS, 0],
  call_days: [2 * ROUNDS, 0],
  reservations: [3 * ROUNDS, ROUNDS - REFUNDS],
  stock_movements: [12 * ROUNDS, 0],
  // People.
  customer_addresses: [1, 0],
  customer_carts: [ROUNDS, ROUNDS],
  customer_sessions: [ROUNDS + 2, 0],
  customer_terms: [24, 12],
  customers: [2, 1],
  customer_counts: [1, 1],
  password_resets: [1, 0],
  // What runs, and what ran.
  dead_letters: [0, 0],
  guards: [0, 0],
  idempotency_keys: [3, 0],
  import_chunks: [0, 0],
  import_effects: [0, 0],
  import_errors: [0, 0],
  import_products: [0, 0],
  imports: [ROUNDS, 0],
  // Changes, registrations of customers, parcels, refunds and carts that were left.
  outbox: [24 * ROUNDS, 0],
  panel_guesses: [1, 0],
  panel_sessions: [1, 0],
  queue_failures: [0, 0],
  relistings: [0, 0],
  shards: [SHARDS, SHARDS],
  // What search has yet to look at.
  search_changes: [0, 0],
  // What the list index has yet to look at: of each round a category, and products by their rank.
  list_changes: [2 + 3 * ROUNDS, 0],
};

export const SEARCH: typeof MAIN = {
  search_documents: [3 + ROUNDS, 3],
  // The last product that was deleted may be on its way out.
  search_index: [4, 3],
  search_spellings: [10 + ROUNDS, 10],
  search_progress: [1, 1],
};

/** The same for the rows of all tables of each Durable Object: of the busiest one of its class. */
export const OBJECTS: typeof MAIN = {
  Cart: [10, 0],
  // Each keeps its own name, and since when it has its subscription.
  WebhookEndpoint: [50 * ROUNDS, 2],
  SaleSchedule: [1, 1],
  LoginGate: [1, 1],
  // No agent calls.
  PlatformDirectory: [0, 0],
  // The tenant has too few products for one.
  ListIndex: [0, 0],
  LoginGuard: [1, 0],
  RateLimiter: [200, 200],
  RequestLog: [1_000, 0],
  // Calls wait in its memory.
  StockWriter: [0, 0],
  Tenant: [4, 4],
};
