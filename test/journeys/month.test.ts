/** A busy month, and what it leaves behind: each store has an owner, a bound and an end. */
import {
  createExecutionContext,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { DurableObject, env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import documented from '../../docs/storage.md?raw';
import * as entry from '../../src/index.ts';
import { DAY, MINUTE, moveClock, now } from '../../src/kernel/core/clock.ts';
import { tenantContext } from '../../src/kernel/data/tenant-context.ts';
import { shardNames } from '../../src/kernel/shards/shard-names.ts';
import { catchUp } from '../../src/search/indexing/catch-up.ts';
import { fetchImage, objectsOf, png, uploaded } from '../media/images.ts';
import { runCron } from '../support/cron.ts';
import { asAdmin } from '../support/fixtures/browser.ts';
import { cartWith, checkoutPath, sandboxShop, submitCheckout } from '../support/fixtures/checkout.ts';
import { logIn, registerCustomer } from '../support/fixtures/customers.ts';
import { importFile } from '../support/fixtures/imports.ts';
import { stockedProduct } from '../support/fixtures/products.ts';
import { Receiver, subscribe } from '../support/fixtures/webhooks.ts';
import type { Answer, World } from '../support/world.ts';

/** How many shards the cron measures. */
const SHARDS = shardNames(env).length;
/** The month is five rounds of six days, even ones with a refund. */
const ROUNDS = 5;
const REFUNDS = 3;

/**
 * For each table: at most how many rows the month may leave, and how many are left 500 days later. A table
 * that is not named here fails the test: give it an owner, a bound and an end, and a row in docs/storage.md.
 */
const MAIN: Readonly<Record<string, readonly [month: number, end: number]>> = {
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
  coupon_guesses: [1, 0],
  promotion_redemptions: [ROUNDS, ROUNDS - REFUNDS],
  promotion_shoppers: [ROUNDS, 0],
  promotions: [ROUNDS, 0],
  order_counters: [1, 1],
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
  call_hours: [10 * ROUNDS, 0],
  reservations: [3 * ROUNDS, ROUNDS - REFUNDS],
  stock_movements: [12 * ROUNDS, 0],
  // People.
  customer_addresses: [1, 0],
  customer_carts: [ROUNDS, ROUNDS],
  customer_sessions: [ROUNDS + 2, 0],
  customer_terms: [24, 12],
  customers: [2, 1],
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
  // Changes, registrations of customers, parcels and refunds.
  outbox: [22 * ROUNDS, 0],
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

const SEARCH: typeof MAIN = {
  search_documents: [3 + ROUNDS, 3],
  // The last product that was deleted may be on its way out.
  search_index: [4, 3],
  search_spellings: [10 + ROUNDS, 10],
  search_progress: [1, 1],
};

/** The same for the rows of all tables of each Durable Object: of the busiest one of its class. */
const OBJECTS: typeof MAIN = {
  Cart: [10, 0],
  // Each keeps its own name.
  WebhookEndpoint: [50 * ROUNDS, 1],
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

/** Tables that SQLite, D1 and FTS5 make for themselves. */
const INNER = /^(sqlite_|_cf_|d1_|search_index_)/;

async function tables(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !INNER.test(name));
}

async function counts(database: D1Database): Promise<Record<string, number>> {
  const names = await tables(database);
  const all = await database.batch<{ n: number }>(
    names.map((name) => database.prepare(`SELECT count(*) AS n FROM "${name}"`)),
  );
  return Object.fromEntries(names.map((name, i) => [name, all[i]?.results[0]?.n ?? -1]));
}

/** The classes of Durable Objects, with the namespaces that they are bound to. */
const CLASSES = Object.entries(entry).flatMap(([name, one]) => {
  if (typeof one !== 'function' || !(one.prototype instanceof DurableObject)) return [];
  const binding = name.replace(/(?<=.)[A-Z]/g, '_$&').toUpperCase();
  // Bound under the class's own name in wrangler.toml.
  return [
    [name, (env as unknown as Record<string, DurableObjectNamespace<DurableObject>>)[binding]] as const,
  ];
});

/** How many rows (and keys) the objects of a class hold: those of the fullest. */
async function fullest(namespace: DurableObjectNamespace<DurableObject>): Promise<number> {
  const ids = await listDurableObjectIds(namespace);
  const rows = ids.map((id) =>
    runInDurableObject(namespace.get(id), async (_, { storage }) => {
      const names = storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
      const own = names.toArray().filter(({ name }) => !INNER.test(name));
      const counted = own.map(
        ({ name }) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`).one().n,
      );
      return counted.reduce((sum, n) => sum + n, (await storage.list()).size);
    }),
  );
  return Math.max(0, ...(await Promise.all(rows)));
}

const objectCounts = async () =>
  Object.fromEntries(
    await Promise.all(
      CLASSES.map(async ([name, space]) => [name, space ? await fullest(space) : -1] as const),
    ),
  );

/** Lets the alarms of all objects ring, as they do once their time has come. */
async function ring(): Promise<void> {
  for (const [, space] of CLASSES) {
    if (!space) continue;
    for (const id of await listDurableObjectIds(space)) await runDurableObjectAlarm(space.get(id));
  }
}

async function pass(ms: number): Promise<void> {
  moveClock(ms);
  await runCron();
}

/** Six days of a shop: two sales (every other refunded), an order that is never paid, a cart left behind, … */
async function round(
  shop: World,
  n: number,
  cup: Answer,
  person: Awaited<ReturnType<typeof registerCustomer>>,
) {
  const image = await uploaded(shop, png(200, 10));
  await shop.patch(`/products/${cup.body.id}`, {
    sale: { price: 9, ends_at: new Date(now() + 60 * MINUTE).toISOString() },
  });
  const made = await stockedProduct(shop, { name: `Season${n}`, stock: 1, images: [image.url] });
  const coupon = await shop.post('/coupons', { code: `C${n}`, kind: 'percent', value: 10 });
  const cart = await cartWith(shop, cup);
  await shop.post(`/cart/${cart}/coupon`, { code: `C${n}` });
  await shop.post(`/cart/${cart}/coupon`, { code: 'WRONG' });
  const paid = await submitCheckout(await checkoutPath(shop, cart), 'pay');
  const order = new URL(paid.location ?? '').searchParams.get('order_id');
  await submitCheckout(await checkoutPath(shop, await cartWith(shop, cup)), 'decline');
  await checkoutPath(shop, await cartWith(shop, cup));
  await shop.post('/inventory/adjustments', { items: [{ sku: cup.body.sku, delta: 1, reason: 'found' }] });
  const keyed = { headers: { 'idempotency-key': `adjust-${n}` } };
  const more = { items: [{ sku: cup.body.sku, delta: 1, reason: 'found' }] };
  await shop.post('/inventory/adjustments', more, keyed);
  const own = await cartWith(shop, cup);
  await shop.post('/customers/login', { email: person.email, password: person.password, cart_token: own });
  await logIn(shop, person.email, 'a wrong password');
  await shop.post('/customers/password-resets', { email: person.email });
  await importFile(shop, 'Handle,Title,Variant Price,Tags\ntea,Tea,3,leaf\n');
  const category = await shop.post('/categories', { name: `Season ${n}` });
  await shop.patch(`/categories/${category.body.id}`, { slug: `season-${n}-new` });
  await shop.delete(`/categories/${category.body.id}`);
  await asAdmin();
  if (n % 2 === 0) expect((await shop.post(`/orders/${order}/cancel`)).status).toBe(200);
  else expect((await shop.post(`/orders/${order}/fulfilments`, {})).status).toBe(201);
  await shop.delete(`/products/${made.body.id}`);
  await shop.delete(`/coupons/${coupon.body.id}`);
  await (await fetchImage(`${image.url}?w=160`)).arrayBuffer();
  // The copy is stored after the answer, and a quarter of an hour passes here in a moment.
  const copy = expect.stringMatching(/\/160$/);
  await vi.waitFor(async () => expect(await objectsOf(shop)).toContainEqual(copy), 30_000);
  expect((await shop.delete(`/media/${image.id}`)).status).toBe(204);
  // The queue delivers by the clock on the wall, of which a round takes too little.
  await catchUp(tenantContext({ env, ctx: createExecutionContext() }, shop.tenantId));
  await pass(70 * MINUTE);
  await pass(6 * DAY - 70 * MINUTE);
}

describe('a busy month', () => {
  let shop: World;
  const month: Record<string, Record<string, number>> = {};
  const end: Record<string, Record<string, number>> = {};
  const measure = async (into: typeof month) => {
    into.main = await counts(env.DB);
    into.search = await counts(env.SEARCH_01);
    into.objects = await objectCounts();
  };

  beforeAll(async () => {
    vi.spyOn(console, 'log').mockReturnValue();
    shop = await sandboxShop();
    const cup = await stockedProduct(shop, { name: 'Cup', stock: 100 });
    await uploaded(shop, png(200, 20));
    await stockedProduct(shop, { name: 'Mug', stock: 5 });
    await shop.post('/categories', { name: 'Kitchen' });
    await subscribe(shop, new Receiver().url, ['product.updated', 'stock.changed', 'order.paid']);
    const [person, gone] = [await registerCustomer(shop), await registerCustomer(shop)];
    const session = { headers: { 'x-customer-token': gone.token } };
    await shop.post('/customers/me/addresses', { country: 'DE' }, session);
    await shop.post('/feeds', { format: 'xml' });
    expect((await shop.delete('/customers/me', session)).status).toBe(204);
    for (let n = 0; n < ROUNDS; n++) await round(shop, n, cup, person);
    await ring();
    await measure(month);
    await pass(100 * DAY);
    await ring();
    // The minute of the week in which the tenant's words are looked through.
    const week = 7 * DAY;
    await pass((((shop.tenantId * MINUTE - now()) % week) + week) % week);
    await pass(400 * DAY);
    await ring();
    await measure(end);
  });
  afterAll(() => vi.restoreAllMocks());

  const STORES = { main: MAIN, search: SEARCH, objects: OBJECTS } as const;
  it.each(['main', 'search', 'objects'] as const)(
    'leaves of each store no more than its bound: %s',
    (where) => {
      expect(Object.keys(month[where] ?? {}).sort()).toEqual(Object.keys(STORES[where]).sort());
      const over = (found: Record<string, number> | undefined, bound: 0 | 1) =>
        Object.entries(found ?? {}).filter(([name, n]) => n > (STORES[where][name]?.[bound] ?? -1));
      expect({ month: over(month[where], 0), end: over(end[where], 1) }).toEqual({ month: [], end: [] });
    },
  );

  it('uses only documented stores', () => {
    const named = Object.values(STORES).flatMap((stores) => Object.keys(stores));
    expect(named.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  it('stores in R2 only images that are shown', async () => {
    const { objects } = await env.MEDIA.list();
    expect(objects).toHaveLength(1);
  });

  it('stores nothing in KV without an expiration', async () => {
    const { keys } = await env.CACHE.list();
    expect(keys.filter(({ expiration }) => expiration === undefined)).toEqual([]);
  });
});
