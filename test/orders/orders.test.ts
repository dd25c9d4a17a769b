import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { downloadUrl, readDownloadToken } from '../../src/orders/downloads.ts';
import {
  cancelPending,
  markPaid,
  orderById,
  recordDeclined,
  recordRefunded,
  requestRefund,
} from '../../src/orders/index.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { eventsOfType, placedOrder, reserveAndPlace } from '../support/fixtures/selling/orders.ts';
import { contextOf, databaseOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

const paid = { provider: 'sandbox', reference: 'pay-1' };

const pay = (shop: World, id: string, payment = paid) => markPaid(contextOf(shop), id, payment);
const drop = (shop: World, id: string, reason: 'shopper' | 'tenant' | 'timeout' = 'shopper') =>
  cancelPending(contextOf(shop), id, { reason });

it("numbers each tenant's orders without gaps, also after refused ones", async () => {
  const [shop, other] = await Promise.all([world(), world()]);
  const [cup, plate] = [
    (await createProduct(shop, { name: 'Cup', stock: 6 })).body.id,
    (await createProduct(other, { name: 'P', stock: 9 })).body.id,
  ];
  const first = await placedOrder(shop, cup);
  expect(first.row.number).toBe(1001);
  expect((await placedOrder(other, plate)).row.number).toBe(1001);
  // The same order again: refused in its batch, after the number was taken.
  expect(await reserveAndPlace(shop, cup, { orderId: first.row.id })).toMatchObject({
    failure: { code: 'conflict' },
  });
  const many = await Promise.all([1, 2, 3, 4].map(() => placedOrder(shop, cup)));
  expect(many.map(({ row }) => row.number).sort()).toEqual([1002, 1003, 1004, 1005]);
});

it('shows a placed order like its event', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 6 })).body;
  const { row } = await placedOrder(shop, cup, { quantity: 2 });
  const shown = (await shop.get(`/orders/${row.id}`)).body;
  expect(shown).toMatchObject({
    number: 1001,
    status: 'pending',
    payment_status: 'unpaid',
    test: true,
    items: [
      {
        id: 1,
        product_id: cup,
        variant_id: null,
        quantity: 2,
        unit_price: 10,
        total: 20,
        options: { engraving: 'Ada' },
      },
    ],
    totals: { subtotal: 20, grand_total: 20 },
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    addresses: { shipping: { country: 'DE', city: 'Berlin' } },
  });
  expect(await eventsOfType(shop, 'order.created')).toEqual([shown]);
  expect(await stockOf(cup)).toEqual({ on_hand: 6, reserved: 2 });
});

it('is paid once, however often it is reported, and then consumes its stock', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 6 })).body;
  const { row } = await placedOrder(shop, cup, { quantity: 2 });
  const told5 = await Promise.all([1, 2, 3, 4, 5].map(() => pay(shop, row.id)));
  for (const one of told5) expect(one).toMatchObject({ ok: true, value: { row: { status: 'paid' } } });
  expect(await stockOf(cup)).toEqual({ on_hand: 4, reserved: 0 });
  const shown = (await shop.get(`/orders/${row.id}`)).body;
  expect(shown).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect(await eventsOfType(shop, 'order.paid')).toEqual([shown]);
  expect(await eventsOfType(shop, 'stock.changed')).toHaveLength(1);
});

it('stays pending after a declined payment', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 6 })).body;
  const { row } = await placedOrder(shop, cup);
  await recordDeclined(contextOf(shop), row.id, { provider: 'sandbox', reference: 'no' });
  expect((await shop.get(`/orders/${row.id}`)).body.status).toBe('pending');
  await pay(shop, row.id);
  expect((await shop.get(`/orders/${row.id}`)).body.status).toBe('paid');
});

it('releases stock once when it is cancelled', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 6 })).body;
  const { row } = await placedOrder(shop, cup, { quantity: 2 });
  await Promise.all([drop(shop, row.id), drop(shop, row.id), drop(shop, row.id, 'timeout')]);
  expect(await stockOf(cup)).toEqual({ on_hand: 6, reserved: 0 });
  const shown = (await shop.get(`/orders/${row.id}`)).body;
  expect(shown).toMatchObject({ status: 'cancelled', payment_status: 'unpaid' });
  expect(await eventsOfType(shop, 'order.cancelled')).toEqual([shown]);
});

it('keeps when it was cancelled through later changes', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 6 })).body;
  const { row } = await placedOrder(shop, cup);
  const path = `/orders/${row.id}`;
  expect((await shop.get(path)).body.cancelled_at).toBeNull();
  await drop(shop, row.id);
  const { cancelled_at, created_at } = (await shop.get(path)).body;
  expect(Date.parse(cancelled_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
  moveClock(60_000);
  expect((await shop.patch(path, { tags: ['called'] })).body).toMatchObject({ cancelled_at });
  expect(Date.parse((await shop.get(path)).body.updated_at)).toBeGreaterThan(Date.parse(cancelled_at));
});

it('takes the last change for the end of an order of an earlier version', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 6 })).body;
  const { row } = await placedOrder(shop, cup);
  await drop(shop, row.id);
  await databaseOf(shop).run(sql`UPDATE orders SET cancelled_at = NULL WHERE id = ${row.id}`);
  const shown = (await shop.get(`/orders/${row.id}`)).body;
  expect(shown.cancelled_at).toBe(shown.updated_at);
});

it('takes its stock again for a late payment, and becomes paid', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 2 })).body;
  const { row } = await placedOrder(shop, cup, { quantity: 2 });
  await drop(shop, row.id, 'timeout');
  await pay(shop, row.id);
  await pay(shop, row.id);
  expect((await shop.get(`/orders/${row.id}`)).body).toMatchObject({
    status: 'paid',
    payment_status: 'paid',
    agent: null,
    cancel_reason: null,
    cancelled_at: null,
  });
  expect(await stockOf(cup)).toEqual({ on_hand: 0, reserved: 0 });
  expect(await eventsOfType(shop, 'order.paid')).toHaveLength(1);
});

it.each([
  ['when its stock has gone', 'timeout' as const, true],
  ['when somebody had cancelled it', 'shopper' as const, false],
])('refunds a late payment %s', async (_, reason, soldOut) => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 2 })).body;
  const { row } = await placedOrder(shop, cup, { quantity: 2 });
  await drop(shop, row.id, reason);
  if (soldOut) await placedOrder(shop, cup);
  await pay(shop, row.id);
  const due = await orderById({ db: databaseOf(shop), tenantId: shop.tenantId }, row.id);
  expect(due).toMatchObject({
    value: { row: { status: 'cancelled', paymentStatus: 'paid' }, payments: [{ state: 'refund_due' }] },
  });
  await recordRefunded(contextOf(shop), row.id, paid);
  expect((await shop.get(`/orders/${row.id}`)).body).toMatchObject({
    status: 'cancelled',
    payment_status: 'refunded',
  });
  expect(await eventsOfType(shop, 'order.paid')).toHaveLength(0);
  expect(await eventsOfType(shop, 'order.cancelled')).toHaveLength(1);
  expect(await stockOf(cup)).toEqual({ on_hand: 2, reserved: soldOut ? 1 : 0 });
});

it('cancels a paid order after its refund, and restocks', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 3 })).body;
  const { row } = await placedOrder(shop, cup, { quantity: 2 });
  await pay(shop, row.id);
  expect(await drop(shop, row.id)).toMatchObject({ failure: { code: 'order_not_cancellable' } });
  await requestRefund(contextOf(shop), row.id, 'tenant');
  expect((await shop.get(`/orders/${row.id}`)).body.status).toBe('paid');
  await Promise.all([1, 2].map(() => recordRefunded(contextOf(shop), row.id, paid)));
  expect((await shop.get(`/orders/${row.id}`)).body).toMatchObject({
    status: 'cancelled',
    payment_status: 'refunded',
    cancel_reason: 'tenant',
  });
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
  expect(await eventsOfType(shop, 'order.cancelled')).toHaveLength(1);
});

it('refunds a double payment, and stays paid', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 3 })).body;
  const { row } = await placedOrder(shop, cup);
  await pay(shop, row.id);
  const twice = { provider: 'sandbox', reference: 'pay-2' };
  await pay(shop, row.id, twice);
  await recordRefunded(contextOf(shop), row.id, twice);
  expect((await shop.get(`/orders/${row.id}`)).body).toMatchObject({
    status: 'paid',
    payment_status: 'paid',
  });
});

it("lists a tenant's orders, filtered, newest first", async () => {
  const [shop, other] = await Promise.all([world(), world()]);
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const made = [];
  for (let n = 0; n < 3; n++) {
    made.push(await placedOrder(shop, cup));
    moveClock(1000);
  }
  const [a, b, c] = made.map(({ row }) => row);
  if (!a || !b || !c) throw new Error('three orders');
  await pay(shop, b.id);
  const ids = async (query: string) =>
    (await shop.get(`/orders${query}`)).body.data.map((one: { id: string }) => one.id);
  expect(await ids('')).toEqual([c.id, b.id, a.id]);
  expect(await ids('?limit=2&page=2')).toEqual([a.id]);
  expect(await ids('?status=paid')).toEqual([b.id]);
  expect(await ids('?payment_status=unpaid')).toEqual([c.id, a.id]);
  expect(await ids(`?number=${a.number}`)).toEqual([a.id]);
  expect(await ids('?email=ADA@example.com')).toHaveLength(3);
  expect(await ids('?customer_id=1')).toEqual([]);
  const at = encodeURIComponent(new Date(b.createdAt).toISOString());
  expect(await ids(`?created_from=${at}`)).toEqual([c.id, b.id]);
  expect(await ids(`?created_to=${at}`)).toEqual([a.id]);
  expect((await shop.get('/orders?page=9')).body).toMatchObject({
    data: [],
    meta: { page: 9, limit: 20, total: 3, total_pages: 1, next_cursor: null },
  });
  expect((await other.get('/orders')).body.data).toEqual([]);
  const foreign = await other.get(`/orders/${a.id}`);
  expect([foreign.status, foreign.body.code]).toEqual([404, 'order_not_found']);
  for (const bad of ['?status=open', '?limit=101', '?created_from=yesterday', '?number=0', '?email=x']) {
    expect((await shop.get(`/orders${bad}`)).status, bad).toBe(422);
  }
});

it('signs download links of paid orders for a limited time', async () => {
  const shop = await world();
  const { id: book } = (await createProduct(shop, { name: 'Book', stock: 1 })).body;
  const file = { id: 4, title: 'PDF', url: 'https://files.example.com/a.pdf' };
  const { row } = await placedOrder(shop, book, { lines: [{ ships: false, links: [file] }] });
  expect((await shop.get(`/orders/${row.id}`)).body.items[0].downloads).toBeUndefined();
  await pay(shop, row.id);
  const [download] = (await shop.get(`/orders/${row.id}`)).body.items[0].downloads;
  expect(download).toMatchObject({ id: 4, title: 'PDF' });
  const token = download.url.replace('https://api.example.com/downloads/', '');
  const named = { tenantId: shop.tenantId, orderId: row.id, lineId: 1, linkId: 4 };
  expect(readDownloadToken(env, token)).toEqual(named);
  expect(readDownloadToken(env, token.replace('-4-', '-5-'))).toBeNull();
  expect(readDownloadToken(env, `${token}x`)).toBeNull();
  moveClock(8 * 24 * 3600_000);
  expect(readDownloadToken(env, token)).toBeNull();
});

it('ends the downloads of what was refunded', async () => {
  const shop = await world();
  const { id: book } = (await createProduct(shop, { name: 'Book', stock: 9 })).body;
  const file = { id: 4, title: 'PDF', url: 'https://files.example.com/a.pdf' };
  const line = { quantity: 2, unitPrice: 500, ships: false, links: [file] };
  const money = { subtotal: 2000, discount: 0, shipping: 0, tax: 0, shippingTaxRate: 0, grandTotal: 2000 };
  const totals = { ...money, taxIncluded: false };
  const { row } = await placedOrder(shop, book, { lines: [line, { ...line, id: 2 }], totals });
  await pay(shop, row.id);
  const files = async (): Promise<{ url: string }[][]> =>
    (await shop.get(`/orders/${row.id}`)).body.items.map(
      ({ downloads = [] }: { downloads?: { url: string }[] }) => downloads,
    );
  const links = (await files())
    .flat()
    .map(({ url }) => url.replace('https://api.example.com/downloads/', ''));
  const open = async () =>
    (await Promise.all(links.map((token) => downloadUrl(env, token)))).map((url) => url === file.url);
  const refund = async (body: object) =>
    expect((await shop.post(`/orders/${row.id}/refunds`, body)).status).toBe(201);
  await refund({ items: [{ line_id: 1, quantity: 1 }] });
  expect([(await files()).map((some) => some.length), await open()]).toEqual([
    [1, 1],
    [true, true],
  ]);
  await refund({ items: [{ line_id: 1, quantity: 1 }] });
  expect([(await files()).map((some) => some.length), await open()]).toEqual([
    [0, 1],
    [false, true],
  ]);
  await refund({ amount: 10 });
  expect((await shop.get(`/orders/${row.id}`)).body).toMatchObject({
    status: 'paid',
    payment_status: 'refunded',
  });
  expect([(await files()).map((some) => some.length), await open()]).toEqual([
    [0, 0],
    [false, false],
  ]);
});
