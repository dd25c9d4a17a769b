import { afterEach, expect, it, vi } from 'vitest';
import { resumeSales, switchSales } from '../../../src/catalog/sales/switch-sales.ts';
import { SaleSchedule } from '../../../src/index.ts';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import { runCron } from '../../support/cron.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { createProduct, seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { instant, ringSales, seeingNow, stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import {
  cartWith,
  checkoutPath,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { eventsOfType } from '../../support/fixtures/selling/orders.ts';
import { watchLog } from '../../support/runtime/log-scan.ts';
import { choreContext, contextOf, storeOf } from '../../support/runtime/runtime.ts';
import { largestResponse, measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';

afterEach(() => vi.restoreAllMocks());

const priceOf = async (shop: World, id: number): Promise<number> =>
  (await shop.get(`/products/${id}`, await seeingNow(shop))).body.price;

const saleFrom = (start: number) => ({
  sale: { price: 6, starts_at: instant(start), ends_at: instant(start + HOUR) },
});

it('is switched by the alarm, with the clock on the wall', async () => {
  const shop = await world();
  const cup = await createProduct(shop, { sale: { price: 6, starts_at: instant(now() + 1_500) } });
  await vi.waitFor(async () => expect((await shop.get(`/products/${cup.body.id}`)).body.price).toBe(6), {
    timeout: 30_000,
    interval: 50,
  });
});

it('is switched by the cron when the alarm was lost', async () => {
  const shop = await world();
  const start = now() + HOUR;
  vi.spyOn(SaleSchedule.prototype, 'wake').mockRejectedValue(new Error('unreachable'));
  vi.spyOn(console, 'warn').mockReturnValue();
  const cup = await createProduct(shop, saleFrom(start));
  stopClockAt(start + 60_000);
  await runCron();
  expect(await priceOf(shop, cup.body.id)).toBe(6);
  stopClockAt(start + HOUR + 60_000);
  await runCron();
  expect(await priceOf(shop, cup.body.id)).toBe(10);
});

it('has its lost alarm set by the cron ahead of the instant', async () => {
  const shop = await world();
  const start = now() + HOUR;
  vi.spyOn(console, 'warn').mockReturnValue();
  const lost = vi.spyOn(SaleSchedule.prototype, 'wake').mockRejectedValue(new Error('unreachable'));
  const cup = await createProduct(shop, saleFrom(start));
  lost.mockRestore();
  expect(await ringSales(shop)).toBe(false);
  stopClockAt(start - 60_000);
  await runCron();
  stopClockAt(start);
  expect(await ringSales(shop)).toBe(true);
  expect(await priceOf(shop, cup.body.id)).toBe(6);
});

it.each(['2999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'])(
  'has an alarm until it ends in %s',
  async (ends_at) => {
    const shop = await world();
    const warned = watchLog('warn');
    const cup = await createProduct(shop, { sale: { price: 6, ends_at } });
    expect(warned()).toEqual([]);
    for (const _ of [1, 2]) expect(await ringSales(shop)).toBe(true);
    expect(await priceOf(shop, cup.body.id)).toBe(6);
  },
);

it('switches hundreds of products and variants, each once', async () => {
  const shop = await world();
  const start = now() + HOUR;
  const variants = Array.from({ length: 150 }, (_, n) => ({
    sku: `v${n}`,
    price: 10 + n,
    attributes: { size: String(n) },
    ...saleFrom(start),
  }));
  const shirts = [1, 2, 3, 4].map((n) =>
    createProduct(shop, {
      name: `Shirt ${n}`,
      type: 'configurable',
      variants: variants.map((one) => ({ ...one, sku: `${one.sku}-${n}` })),
    }),
  );
  await Promise.all(shirts);
  // Ten at once: of more, a busy machine may refuse some.
  for (let n = 0; n < 120; n += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => createProduct(shop, { name: `Cup ${n + i}`, ...saleFrom(start) })),
    );
  stopClockAt(start);
  await ringSales(shop);
  const listed = await shop.get('/products?sort=price_desc&limit=100', await seeingNow(shop));
  expect(listed.body.data[0].price).toBe(6);
  const events = await eventsOfType(shop, 'product.updated');
  expect(events.filter(({ changed }) => changed[0] === 'price')).toHaveLength(124);
  expect(await switchSales(contextOf(shop))).toBe(start + HOUR);
});

it('switches very large products in parts that fit into memory', async () => {
  const shop = await world();
  const start = now() + HOUR;
  const images = Array.from({ length: 250 }, (_, n) => `https://img.example.com/${n}-${'x'.repeat(1_700)}`);
  const posters = [];
  for (let n = 0; n < 24; n++)
    posters.push(await createProduct(shop, { name: `Poster ${n}`, images, ...saleFrom(start) }));
  stopClockAt(start);
  expect(await largestResponse(() => switchSales(contextOf(shop)))).toBeLessThan(9_000_000);
  for (const { body } of posters) expect(await priceOf(shop, body.id)).toBe(6);
});

it('survives edits, a deletion and a second run at the same time', async () => {
  const shop = await world();
  const start = now() + HOUR;
  const cups = [];
  for (let n = 0; n < 6; n++) cups.push(await createProduct(shop, { name: `Cup ${n}`, ...saleFrom(start) }));
  stopClockAt(start);
  const [first, second, third, ...others] = cups.map(({ body }) => body.id as number);
  const [renamed, repriced, deleted] = await Promise.all([
    shop.patch(`/products/${first}`, { name: 'Mug' }),
    shop.patch(`/products/${second}`, { price: 12 }),
    shop.delete(`/products/${third}`),
    switchSales(contextOf(shop)),
    switchSales(contextOf(shop)),
    ringSales(shop),
  ]);
  expect([renamed.status, repriced.status, deleted.status]).toEqual([200, 200, 204]);
  await switchSales(contextOf(shop));
  const seeing = await seeingNow(shop);
  const { data } = (await shop.get('/products?sort=name_asc', seeing)).body;
  expect(data.map(({ id, price }: { id: number; price: number }) => [id, price]).sort()).toEqual(
    [first, second, ...others].map((id) => [id, 6]).sort(),
  );
  expect((await shop.get(`/products/${second}`, seeing)).body.regular_price).toBe(12);
  expect((await shop.get(`/products/${third}`, seeing)).status).toBe(404);
  stopClockAt(start + HOUR);
  await ringSales(shop);
  const after = (await shop.get('/products?sort=price_desc', await seeingNow(shop))).body.data;
  expect(after.map(({ price }: { price: number }) => price)).toEqual([12, 10, 10, 10, 10]);
  const scheduled = storeOf(shop).prepare(
    'SELECT count(*) AS n FROM products WHERE tenant_id = ? AND switch_at IS NOT NULL',
  );
  expect(await scheduled.bind(shop.tenantId).first('n')).toBe(0);
});

it.each([
  ['edited', false],
  ['sent back with the product', true],
])('goes on where it is %s by a clock that is behind', async (_, isSent) => {
  const shop = await world();
  const start = now() + HOUR;
  const cup = await createProduct(shop, saleFrom(start));
  stopClockAt(start);
  await ringSales(shop);
  stopClockAt(start - 1_000);
  await shop.patch(`/products/${cup.body.id}`, { name: 'Mug', ...(isSent && saleFrom(start)) });
  const { body } = await shop.get(`/products/${cup.body.id}`, await seeingNow(shop));
  expect([body.name, body.price, body.lowest_price_30d]).toEqual(['Mug', 6, 10]);
});

it('keeps a price that is changed just before the switch', async () => {
  const shop = await world();
  const start = now() + HOUR;
  const cup = await createProduct(shop, saleFrom(start));
  stopClockAt(start);
  beforeBatch(/UPDATE products SET prices/, async () => {
    expect((await shop.patch(`/products/${cup.body.id}`, { price: 12 })).status).toBe(200);
  });
  await switchSales(contextOf(shop));
  expect(await priceOf(shop, cup.body.id)).toBe(6);
  stopClockAt(start + HOUR);
  await ringSales(shop);
  expect(await priceOf(shop, cup.body.id)).toBe(12);
});

it('never makes a shopper pay more than the cart last showed', async () => {
  const shop = await sandboxShop();
  const start = now() + HOUR;
  const cup = await stockedProduct(shop, saleFrom(start));
  // A checkout holds for less than an hour.
  stopClockAt(start - 60_000);
  const [early, late] = [await cartWith(shop, cup), await cartWith(shop, cup)];
  // What was frozen before the beginning keeps what it showed; a new checkout pays less.
  const frozen = await checkoutPath(shop, early);
  stopClockAt(start);
  await ringSales(shop);
  const shown = await shop.get(`/cart/${late}`, await seeingNow(shop));
  expect(shown.body.totals.grand_total).toBe(6);
  expect(shown.body.warnings).toMatchObject([{ code: 'price_changed' }]);
  await submitCheckout(frozen, 'pay');
  stopClockAt(start + HOUR - 60_000);
  const cheap = await checkoutPath(shop, late);
  const slow = (
    await shop.post('/cart/items', { product_id: cup.body.id, quantity: 1 }, await seeingNow(shop))
  ).body.cart_token;
  // The end: what was frozen keeps the sale's price, and what wasn't is refused once, with the new total.
  stopClockAt(start + HOUR);
  await ringSales(shop);
  await submitCheckout(cheap, 'pay');
  const refused = await startCheckout(shop, slow);
  expect([refused.status, refused.body.code]).toEqual([409, 'price_changed']);
  expect(refused.body.details.cart.totals.grand_total).toBe(10);
  await submitCheckout(await checkoutPath(shop, slow), 'pay');
  const { data } = (await shop.get('/orders')).body;
  const totals = data.map((order: { totals: { grand_total: number } }) => order.totals.grand_total);
  expect(totals.sort()).toEqual([10, 10, 6]);
});

it('is no different in the answers of a replay', async () => {
  const shop = await world();
  const headers = { 'idempotency-key': 'sale-1' };
  const body = { name: 'Cup', type: 'simple', price: 10, sale: { price: 6 } };
  const [first, again] = [
    await shop.post('/products', body, { headers }),
    await shop.post('/products', body, { headers }),
  ];
  expect(again.body).toEqual(first.body);
  expect(again.status).toBe(201);
  expect((await shop.get('/products', seeing(first))).body.meta.total).toBe(1);
});

it('looks for sales without reading products that have none', async () => {
  const shop = await world();
  const context = await choreContext(shop);
  const readByChore = async () => (await measureDatabase(() => resumeSales(context, {}))).read;
  // Of sales that other tests left.
  const before = await readByChore();
  for (let n = 0; n < 30; n++) await createProduct(shop, { name: `Cup ${n}` });
  await createProduct(shop, { name: 'Mug', ...saleFrom(now() + HOUR) });
  const { read } = await measureDatabase(() => switchSales(contextOf(shop)));
  expect(read).toBeLessThan(5);
  expect((await readByChore()) - before).toBeLessThan(5);
});
