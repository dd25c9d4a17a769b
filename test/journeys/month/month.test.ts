/** A busy month, and what it leaves behind: each store has an owner, a bound and an end. */
import {
  createExecutionContext,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { DurableObject, env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import documented from '../../../docs/storage.md?raw';
import * as entry from '../../../src/index.ts';
import { DAY, MINUTE, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { catchUp } from '../../../src/search/indexing/catch-up.ts';
import { fetchImage, objectsOf, png, uploaded } from '../../media/images.ts';
import { runCron } from '../../support/cron.ts';
import { asAdmin } from '../../support/fixtures/browser.ts';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { logIn, registerCustomer } from '../../support/fixtures/selling/customers.ts';
import { Receiver, subscribe } from '../../support/fixtures/webhooks.ts';
import type { Answer, World } from '../../support/world.ts';
import { MAIN, OBJECTS, ROUNDS, SEARCH } from './month-bounds.ts';

/** Tables that SQLite, D1 and FTS5 make for themselves. */
const INNER = /^(sqlite_|_cf_|d1_|search_index_)/;

/** Counts the rows of each table: those of `tenantId` where a table tells, because files before this one may still log. */
async function counts(database: D1Database, tenantId: number): Promise<Record<string, number>> {
  const { results } = await database
    .prepare("SELECT name, sql LIKE '%tenant_id%' AS owned FROM sqlite_master WHERE type = 'table'")
    .all<{ name: string; owned: number }>();
  const own = results.filter(({ name }) => !INNER.test(name));
  const all = await database.batch<{ n: number }>(
    own.map(({ name, owned }) =>
      database.prepare(`SELECT count(*) AS n FROM "${name}" ${owned ? `WHERE tenant_id = ${tenantId}` : ''}`),
    ),
  );
  return Object.fromEntries(own.map(({ name }, i) => [name, all[i]?.results[0]?.n ?? -1]));
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
  else {
    const parcel = await shop.post(`/orders/${order}/fulfilments`, {});
    const tracked = { tracking: { number: `${n}` } };
    const later = await shop.patch(`/orders/${order}/fulfilments/${parcel.body.id}`, tracked);
    expect([parcel.status, later.status]).toEqual([201, 200]);
  }
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
    into.main = await counts(env.DB, shop.tenantId);
    into.search = await counts(env.SEARCH_01, shop.tenantId);
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
    await pass((((Math.floor(shop.tenantId / 100) * MINUTE - now()) % week) + week) % week);
    await pass(400 * DAY);
    // The log of the last calls is written behind them, and may have missed the alarms so far.
    await vi.waitFor(async () => {
      moveClock(31 * DAY);
      await ring();
      await measure(end);
      expect(end.objects?.RequestLog).toBe(0);
    }, 30_000);
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
    expect(objects.map(({ key }) => key)).toEqual([expect.stringMatching(`^${shop.slug}/[0-9a-f]{64}$`)]);
  });

  it('stores nothing in KV without an expiration', async () => {
    const { keys } = await env.CACHE.list();
    expect(keys.filter(({ expiration }) => expiration === undefined)).toEqual([]);
  });
});
