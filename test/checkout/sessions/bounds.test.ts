/** What checkout sessions keep, and for how long. */

import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { MAX_ORDERED_BYTES, MAX_SESSION_BYTES } from '../../../src/checkout/sessions/store.ts';
import { MAX_MOVEMENTS_PER_DAY } from '../../../src/inventory/reservations/usage.ts';
import { DAY, HOUR, MINUTE, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { rows } from '../../../src/kernel/data/database.ts';
import { createProduct, fiveCups, seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  cron,
  readReturn,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { databaseOf, storeOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';

interface Stored {
  readonly sessions: number;
  /** Bytes of what was frozen and typed. */
  readonly bytes: number;
}

/** What is stored of a tenant's sessions. */
async function stored(shop: World): Promise<Stored> {
  const [row] = await rows<Stored>(
    databaseOf(shop),
    sql`SELECT count(*) AS sessions, coalesce(sum(length(CAST(snapshot AS BLOB)) + length(CAST(pricing AS BLOB))
      + length(CAST(buyer AS BLOB))), 0) AS bytes FROM checkout_sessions WHERE tenant_id = ${shop.tenantId}`,
  );
  if (!row) throw new Error('no row');
  return row;
}

/** The text of everything that is stored of a tenant's sessions. */
const textOf = async (shop: World): Promise<string> =>
  JSON.stringify(
    await rows(databaseOf(shop), sql`SELECT * FROM checkout_sessions WHERE tenant_id = ${shop.tenantId}`),
  );

/** Returns the counted and the actual bytes of a tenant's sessions without an order. */
async function usage(shop: World) {
  const [row] = await rows<{ counted: number; real: number }>(
    databaseOf(shop),
    sql`SELECT (SELECT bytes FROM checkout_usage WHERE tenant_id = ${shop.tenantId}) AS counted,
      coalesce(sum(500 + length(CAST(snapshot AS BLOB)) + length(CAST(pricing AS BLOB))
      + length(CAST(buyer AS BLOB)) + length(return_url) + coalesce(length(cancel_url), 0)), 0) AS real
      FROM checkout_sessions WHERE tenant_id = ${shop.tenantId} AND status <> 'ordered'`,
  );
  return row;
}

it('stores one snapshot of a cart, however often checkout starts', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 1000 });
  const note = (n: number) => ({ options: { note: `${n} ${'x'.repeat(4000)}` } });
  const cart = await cartWith(shop, cup, 1, note(0));
  for (let n = 1; n < 25; n++) {
    const body = { cart_token: cart, product_id: cup.body.id, quantity: 1, ...note(n) };
    await shop.post('/cart/items', body, seeing(cup));
  }
  const paths: string[] = [];
  for (let n = 0; n < 12; n++) {
    const cancel_url = `https://shop.example.com/cart?n=${n}`;
    paths.push(await checkoutPath(shop, cart, { cancel_url }));
  }
  const { sessions, bytes } = await stored(shop);
  expect(bytes).toBeLessThan(150_000);
  expect(sessions).toBeLessThanOrEqual(6);
  expect((await browse(paths.at(-1) ?? '')).status).toBe(200);
  const older = await browse(paths.at(-2) ?? '');
  expect([older.status, older.text.includes('shop.example.com/cart')]).toEqual([410, true]);
  expect((await browse(paths[0] ?? '')).status).toBe(404);
});

it('deletes snapshot and form data when a session ends without an order', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const [edited, left] = [await cartWith(shop, cup), await cartWith(shop, cup)];
  const paths = [await checkoutPath(shop, edited), await checkoutPath(shop, left)];
  for (const path of paths) await submitCheckout(path, 'update', ADDRESS);
  expect(await textOf(shop)).toContain('St James');
  await shop.patch('/cart/items/1', { cart_token: edited, quantity: 2 });
  expect((await browse(paths[0] ?? '')).status).toBe(410);
  await submitCheckout(paths[1] ?? '', 'cancel', {});
  expect(await textOf(shop)).not.toMatch(/St James|ada@example|Cup/);
  const session = await shop.get(`/checkout/sessions/${paths[0]?.split('/').at(-1)}`);
  expect(session.body).toMatchObject({ status: 'ended', items: [], totals: { grand_total: 0 } });
});

it('keeps what the page needs of a session with an order', async () => {
  const shop = await sandboxShop({ settings: { shipping: { flat: 5 } } });
  await shop.post('/coupons', { code: 'TWO', kind: 'fixed', value: 2 });
  const cart = await cartWith(shop, await fiveCups(shop), 2, { options: { note: 'engraved' } });
  await shop.post(`/cart/${cart}/coupon`, { code: 'TWO' });
  const path = await checkoutPath(shop, cart);
  expect((await submitCheckout(path, 'decline')).text).toContain('was declined');
  expect(await textOf(shop)).not.toMatch(/St James|ada@example|engraved|Cup/);
  const page = await browse(path);
  expect(page.status).toBe(200);
  for (const shown of [
    'Cup',
    '2 × €10.00',
    '€20.00',
    '-€2.00',
    '(<bdi>TWO</bdi>)',
    'Shipping to Germany',
    '€23.00',
  ]) {
    expect(page.text).toContain(shown);
  }
  for (const shown of ['Ada Lovelace', '12 St James Square', '10115 Berlin', 'ada@example.com']) {
    expect(page.text).toContain(shown);
  }
  const session = await shop.get(`/checkout/sessions/${path.split('/').at(-1)}`);
  expect(session.body).toMatchObject({
    status: 'ordered',
    items: [{ name: 'Cup', quantity: 2, total: 20 }],
    totals: { discount: 2, shipping: 5, grand_total: 23 },
    coupon: 'TWO',
  });
  expect(readReturn(await submitCheckout(path, 'pay', {})).status).toBe('paid');
});

it('deletes sessions without an order after an hour, and those with one after a month', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const [left, bought] = [
    await checkoutPath(shop, await cartWith(shop, cup)),
    await checkoutPath(shop, await cartWith(shop, cup)),
  ];
  await submitCheckout(bought, 'pay');
  moveClock(HOUR);
  await cron();
  expect((await stored(shop)).sessions).toBe(2);
  moveClock(HOUR);
  await cron();
  expect((await stored(shop)).sessions).toBe(1);
  expect((await browse(left)).status).toBe(404);
  expect((await browse(bought)).status).toBe(303);
  expect((await stored(shop)).bytes).toBeLessThan(1500);
  moveClock(31 * DAY);
  await cron();
  expect((await stored(shop)).sessions).toBe(0);
});

it("limits a tenant's open checkouts and counts them exactly", async () => {
  const [shop, other] = [await sandboxShop(), await sandboxShop()];
  const cup = await fiveCups(shop);
  const [first, second] = [await cartWith(shop, cup), await cartWith(shop, cup)];
  await submitCheckout(await checkoutPath(shop, first), 'update', ADDRESS);
  await checkoutPath(shop, first);
  const path = await checkoutPath(shop, second);
  const before = await usage(shop);
  expect(before?.counted).toBe(before?.real);
  await submitCheckout(path, 'decline');
  const after = await usage(shop);
  expect(after?.counted).toBe(after?.real);
  expect(after?.real).toBeLessThan(before?.real ?? 0);

  await storeOf(shop)
    .prepare('UPDATE checkout_usage SET bytes = ? WHERE tenant_id = ?')
    .bind(MAX_SESSION_BYTES, shop.tenantId)
    .run();
  const third = await cartWith(shop, cup);
  const refused = await startCheckout(shop, third);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await startCheckout(other, await cartWith(other, await fiveCups(other)))).status).toBe(200);
  await storeOf(shop)
    .prepare('UPDATE checkout_usage SET bytes = ? WHERE tenant_id = ?')
    .bind(after?.real, shop.tenantId)
    .run();
  expect((await startCheckout(shop, third)).status).toBe(200);
});

it("limits a tenant's orders of a day, paid or not", async () => {
  const [shop, other] = [await sandboxShop(), await sandboxShop()];
  const cup = await fiveCups(shop);
  const ordered = async () => {
    const [row] = await rows<{ ordered_bytes: number; ordered_day: number }>(
      databaseOf(shop),
      sql`SELECT ordered_bytes, ordered_day FROM checkout_usage WHERE tenant_id = ${shop.tenantId}`,
    );
    return row;
  };
  const paths: string[] = [];
  for (let n = 0; n < 3; n++) paths.push(await checkoutPath(shop, await cartWith(shop, cup)));
  const [unpaid = '', paid = '', late = ''] = paths;
  expect(await ordered()).toEqual({ ordered_bytes: 0, ordered_day: 0 });
  await submitCheckout(unpaid, 'decline', ADDRESS);
  const first = await ordered();
  expect(first?.ordered_bytes).toBeGreaterThan(1_000);
  expect(first?.ordered_day).toBe(Math.floor(now() / DAY));
  await submitCheckout(paid, 'pay', ADDRESS);
  const second = await ordered();
  expect(second?.ordered_bytes).toBeGreaterThan(1.9 * (first?.ordered_bytes ?? 0));

  await storeOf(shop)
    .prepare('UPDATE checkout_usage SET ordered_bytes = ? WHERE tenant_id = ?')
    .bind(MAX_ORDERED_BYTES + 1, shop.tenantId)
    .run();
  const cart = await cartWith(shop, cup);
  const refused = await startCheckout(shop, cart);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  const untilMidnight = (DAY - (now() % DAY)) / 1_000;
  expect(Math.abs(Number(refused.headers.get('retry-after')) - untilMidnight)).toBeLessThan(5);
  expect((await startCheckout(other, await cartWith(other, await fiveCups(other)))).status).toBe(200);
  // What was opened before may still be ordered.
  expect(readReturn(await submitCheckout(late, 'pay', ADDRESS)).status).toBe('paid');
  moveClock(DAY);
  const tomorrow = await checkoutPath(shop, cart);
  await submitCheckout(tomorrow, 'pay', ADDRESS);
  expect((await ordered())?.ordered_bytes).toBeLessThan(1.5 * (first?.ordered_bytes ?? 0));
});

it("limits the stock movements of a day's started checkouts, groups and bundles included", async () => {
  moveClock(2 * DAY - (now() % DAY) - 20 * MINUTE);
  const [shop, other] = [await sandboxShop(), await sandboxShop()];
  const [cup, plate] = [await fiveCups(shop), await stockedProduct(shop, { name: 'Plate', stock: 5 })];
  const grouped = [{ product_id: cup.body.id }];
  expect((await createProduct(shop, { name: 'Set', type: 'grouped', grouped })).status).toBe(201);
  const counted = async () => {
    const [row] = await rows<{ movements: number }>(
      databaseOf(shop),
      sql`SELECT movements FROM reservation_usage WHERE tenant_id = ${shop.tenantId}`,
    );
    return row?.movements;
  };
  const held = await cartWith(shop, plate);
  expect((await startCheckout(shop, held)).status).toBe(200);
  expect(await counted()).toBe(1);
  const cart = await cartWith(shop, cup);
  expect((await startCheckout(shop, cart)).status).toBe(200);
  // The cup and the set.
  expect(await counted()).toBe(3);

  await databaseOf(shop).run(
    sql`UPDATE reservation_usage SET movements = ${MAX_MOVEMENTS_PER_DAY} WHERE tenant_id = ${shop.tenantId}`,
  );
  const late = await cartWith(shop, cup);
  const refused = await startCheckout(shop, late);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  // Until midnight, when the next day's movements begin.
  expect(wait).toBeLessThanOrEqual(20 * 60);
  expect((await startCheckout(other, await cartWith(other, await fiveCups(other)))).status).toBe(200);
  // What is reserved can be paid, and a cart whose time is used up takes nothing.
  expect(readReturn(await submitCheckout(await checkoutPath(shop, held), 'pay', ADDRESS)).status).toBe(
    'paid',
  );
  moveClock(16 * MINUTE);
  await cron();
  expect((await startCheckout(shop, cart)).status).toBe(200);
  moveClock(DAY);
  expect((await startCheckout(shop, late)).status).toBe(200);
  expect(await counted()).toBe(2);
});
