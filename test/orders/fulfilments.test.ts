import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { rows } from '../../src/kernel/data/database.ts';
import { markPaid, requestRefund } from '../../src/orders/index.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { eventsOfType, placedOrder } from '../support/fixtures/selling/orders.ts';
import { contextOf, databaseOf } from '../support/runtime/runtime.ts';
import { world } from '../support/world.ts';
import { paidOrder, shop3 } from './shipped-order.ts';

const TRACKING = { carrier: 'DHL', number: '0034', url: 'https://dhl.example.com/0034' };

it('ships an order in parcels and never more than was bought', async () => {
  const { shop, path } = await shop3();
  expect((await shop.get(path)).body).toMatchObject({ fulfilment_status: 'unfulfilled', fulfilments: [] });
  const first = await shop.post(`${path}/fulfilments`, {
    items: [{ line_id: 1, quantity: 2 }],
    tracking: TRACKING,
  });
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({
    status: 'shipped',
    items: [{ line_id: 1, quantity: 2 }],
    tracking: TRACKING,
  });
  const partly = (await shop.get(path)).body;
  expect(partly).toMatchObject({ fulfilment_status: 'partially_fulfilled', fulfilments: [first.body] });
  expect(partly.items[0]).toMatchObject({ quantity: 3, ships: true, fulfilled_quantity: 2 });
  const many = await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 2 }] });
  expect([many.status, many.body.errors]).toEqual([
    422,
    { 'items.0.quantity': [expect.stringContaining('at most 1')] },
  ]);
  const rest = await shop.post(`${path}/fulfilments`, {});
  expect(rest.body).toMatchObject({ items: [{ line_id: 1, quantity: 1 }], tracking: null });
  expect((await shop.get(path)).body.fulfilment_status).toBe('fulfilled');
  expect((await shop.post(`${path}/fulfilments`, {})).body.code).toBe('order_not_fulfillable');
});

it('ships each piece once, however many requests arrive at once', async () => {
  const { shop, path } = await shop3();
  const items = [{ line_id: 1, quantity: 1 }];
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() => shop.post(`${path}/fulfilments`, { items })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422]);
  const order = (await shop.get(path)).body;
  expect(order.fulfilments).toHaveLength(3);
  expect(order).toMatchObject({ fulfilment_status: 'fulfilled', items: [{ fulfilled_quantity: 3 }] });
  expect(await eventsOfType(shop, 'order.fulfilled')).toHaveLength(3);
});

it('raises one event for each fulfilment, with the order as it is then', async () => {
  const { shop, path } = await shop3();
  const made = await shop.post(`${path}/fulfilments`, { tracking: { number: '0034' } });
  const [event, ...more] = await eventsOfType(shop, 'order.fulfilled');
  expect(more).toEqual([]);
  expect(event).toEqual({ ...(await shop.get(path)).body, fulfilment: made.body });
});

it('creates one fulfilment for one Idempotency-Key', async () => {
  const { shop, path } = await shop3();
  const send = (quantity: number) =>
    shop.post(
      `${path}/fulfilments`,
      { items: [{ line_id: 1, quantity }] },
      { headers: { 'idempotency-key': 'p1' } },
    );
  const first = await send(1);
  expect((await send(1)).body).toEqual(first.body);
  expect((await send(2)).body.code).toBe('idempotency_key_reused');
  expect((await shop.get(path)).body.fulfilments).toEqual([first.body]);
});

it('finds the fulfilment of a retry whose first answer was lost', async () => {
  const { shop, path } = await shop3();
  const send = () => shop.post(`${path}/fulfilments`, {}, { headers: { 'idempotency-key': 'lost' } });
  const first = await send();
  // As after a crash between the batch and the answer.
  await databaseOf(shop).run(sql`UPDATE idempotency_keys SET answer = NULL, locked_until = 0
    WHERE tenant_id = ${shop.tenantId} AND ref = ${first.body.id}`);
  const again = await send();
  expect([again.status, again.body]).toEqual([201, first.body]);
});

it('gives the quantities of a cancelled fulfilment back, once', async () => {
  const { shop, path } = await shop3();
  const { id } = (await shop.post(`${path}/fulfilments`, {})).body;
  const one = `${path}/fulfilments/${id}`;
  expect((await shop.patch(one, { status: 'delivered' })).body.status).toBe('delivered');
  const cancelled = await shop.patch(one, { status: 'cancelled' });
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
  expect((await shop.patch(one, { status: 'cancelled' })).body).toEqual(cancelled.body);
  const after = (await shop.get(path)).body;
  expect(after).toMatchObject({ fulfilment_status: 'unfulfilled', items: [{ fulfilled_quantity: 0 }] });
  expect((await shop.patch(one, { status: 'shipped' })).body.code).toBe('fulfilment_cancelled');
  expect((await shop.post(`${path}/fulfilments`, {})).status).toBe(201);
  expect(await eventsOfType(shop, 'order.fulfilled')).toHaveLength(2);
});

it('keeps when it was delivered or cancelled through later changes', async () => {
  const { shop, path } = await shop3();
  const { id } = (await shop.post(`${path}/fulfilments`, {})).body;
  const change = async (body: object) => {
    moveClock(60_000);
    return (await shop.patch(`${path}/fulfilments/${id}`, body)).body;
  };
  const delivered = await change({ status: 'delivered' });
  expect(delivered).toMatchObject({ delivered_at: delivered.updated_at, cancelled_at: null });
  expect(Date.parse(delivered.delivered_at)).toBeGreaterThan(Date.parse(delivered.created_at));
  const followed = await change({ tracking: TRACKING });
  expect(followed).toMatchObject({ delivered_at: delivered.delivered_at, tracking: TRACKING });
  expect(await change({ status: 'shipped' })).toMatchObject({ delivered_at: null });
  const again = await change({ status: 'delivered' });
  expect(again.delivered_at).toBe(again.updated_at);
  const cancelled = await change({ status: 'cancelled' });
  expect(cancelled).toMatchObject({ delivered_at: null, cancelled_at: cancelled.updated_at });
});

it('takes the last change for the end of a fulfilment of an earlier version', async () => {
  const { shop, path } = await shop3();
  const { id } = (await shop.post(`${path}/fulfilments`, {})).body;
  const { updated_at } = (await shop.patch(`${path}/fulfilments/${id}`, { status: 'delivered' })).body;
  await databaseOf(shop).run(sql`UPDATE order_fulfilments SET ended_at = NULL WHERE id = ${id}`);
  expect((await shop.get(path)).body.fulfilments).toMatchObject([{ delivered_at: updated_at }]);
  moveClock(60_000);
  const followed = (await shop.patch(`${path}/fulfilments/${id}`, { tracking: TRACKING })).body;
  expect(followed).toMatchObject({ delivered_at: updated_at });
});

it('has no tracking without a carrier, a number and a URL', async () => {
  const { shop, path } = await shop3();
  const made = await shop.post(`${path}/fulfilments`, { tracking: {} });
  expect([made.status, made.body.tracking]).toEqual([201, null]);
  const one = `${path}/fulfilments/${made.body.id}`;
  expect((await shop.patch(one, { tracking: { number: '9' } })).body.tracking).toMatchObject({ number: '9' });
  expect((await shop.patch(one, { tracking: { carrier: null, url: null } })).body.tracking).toBeNull();
});

it('replaces and removes tracking', async () => {
  const { shop, path } = await shop3();
  const { id } = (await shop.post(`${path}/fulfilments`, {})).body;
  const one = `${path}/fulfilments/${id}`;
  expect((await shop.patch(one, { tracking: TRACKING })).body.tracking).toEqual(TRACKING);
  const numbered = (await shop.patch(one, { tracking: { number: '9' } })).body.tracking;
  expect(numbered).toEqual({ carrier: null, number: '9', url: null });
  expect((await shop.patch(one, { tracking: null })).body.tracking).toBeNull();
});

it('raises an event for tracking that is added, changed or removed later, and for no other change', async () => {
  const { shop, path } = await shop3();
  const made = await shop.post(`${path}/fulfilments`, {});
  const one = `${path}/fulfilments/${made.body.id}`;
  const change = async (body: object) => (await shop.patch(one, body)).body;
  const added = await change({ tracking: TRACKING });
  const order = (await shop.get(path)).body;
  await change({ tracking: TRACKING });
  const changed = await change({ tracking: { number: '9' }, status: 'delivered' });
  await change({ status: 'shipped' });
  await change({ status: 'delivered', tracking: { carrier: null, number: '9' } });
  const removed = await change({ tracking: null });
  await change({ status: 'cancelled' });
  const events = await eventsOfType(shop, 'order.tracking_changed');
  expect(events.map(({ fulfilment }) => fulfilment)).toEqual([added, changed, removed]);
  expect(events[0]).toEqual({ ...order, fulfilment: added });
  expect(await eventsOfType(shop, 'order.fulfilled')).toHaveLength(1);
});

it('takes only paid orders', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const { row } = await placedOrder(shop, cup);
  const early = await shop.post(`/orders/${row.id}/fulfilments`, {});
  expect([early.status, early.body.code]).toEqual([409, 'order_not_fulfillable']);
  await shop.post(`/orders/${row.id}/cancel`);
  expect((await shop.post(`/orders/${row.id}/fulfilments`, {})).body.code).toBe('order_not_fulfillable');
});

it('ships nothing of an order whose cancellation waits for its refund', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const { row } = await placedOrder(shop, cup);
  await markPaid(contextOf(shop), row.id, { provider: 'sandbox', reference: 'r' });
  await requestRefund(contextOf(shop), row.id, 'tenant');
  const refused = await shop.post(`/orders/${row.id}/fulfilments`, {});
  expect([refused.status, refused.body.code]).toEqual([409, 'order_not_fulfillable']);
  expect(refused.body.message).toBe('The order is being cancelled.');
});

it('counts an order without goods to ship as fulfilled once it is paid', async () => {
  const shop = await world();
  const { id: book } = (await createProduct(shop, { name: 'Book', stock: 9 })).body;
  const { row } = await placedOrder(shop, book, { quantity: 3, lines: [{ ships: false }] });
  expect((await shop.get(`/orders/${row.id}`)).body.fulfilment_status).toBe('unfulfilled');
  await markPaid(contextOf(shop), row.id, { provider: 'sandbox', reference: 'r' });
  expect((await shop.get(`/orders/${row.id}`)).body.fulfilment_status).toBe('fulfilled');
  expect((await shop.post(`/orders/${row.id}/fulfilments`, {})).body.code).toBe('order_not_fulfillable');
  const named = await shop.post(`/orders/${row.id}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] });
  expect(named.body.errors).toHaveProperty(['items.0.line_id']);
  expect(await eventsOfType(shop, 'order.fulfilled')).toEqual([]);
});

it('ships the goods of a mixed order only', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const lines = [{}, { id: 2, ships: false }];
  const { row } = await placedOrder(shop, cup, { quantity: 3, lines });
  await markPaid(contextOf(shop), row.id, { provider: 'sandbox', reference: 'r' });
  const made = await shop.post(`/orders/${row.id}/fulfilments`, {});
  expect(made.body.items).toEqual([{ line_id: 1, quantity: 3 }]);
  expect((await shop.get(`/orders/${row.id}`)).body.fulfilment_status).toBe('fulfilled');
});

it.each([
  [{ items: [] }, 'items'],
  [{ items: [{ line_id: 1, quantity: 0 }] }, 'items.0.quantity'],
  [{ items: [{ line_id: 1, quantity: 1.5 }] }, 'items.0.quantity'],
  [{ items: [{ line_id: 2, quantity: 1 }] }, 'items.0.line_id'],
  [{ items: [{ line_id: 1 }] }, 'items.0.quantity'],
  [
    {
      items: [
        { line_id: 1, quantity: 1 },
        { line_id: 1, quantity: 1 },
      ],
    },
    'items',
  ],
  [{ items: [{ line_id: 1, quantity: 1, price: 1 }] }, 'items.0.price'],
  [{ tracking: { url: 'javascript:alert(1)' } }, 'tracking.url'],
  [{ tracking: { url: 'http://dhl.example.com' } }, 'tracking.url'],
  [{ tracking: { carrier: 'x'.repeat(65) } }, 'tracking.carrier'],
  [{ tracking: { number: '' } }, 'tracking.number'],
  [{ note: 'x' }, 'note'],
])('refuses %j by name', async (body, field) => {
  const { shop, path } = await shop3();
  const refused = await shop.post(`${path}/fulfilments`, body);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
  expect((await shop.get(path)).body.fulfilments).toEqual([]);
});

it('refuses an unknown status, and an unknown fulfilment', async () => {
  const { shop, path } = await shop3();
  const { id } = (await shop.post(`${path}/fulfilments`, {})).body;
  expect((await shop.patch(`${path}/fulfilments/${id}`, { status: 'lost' })).body.errors).toHaveProperty(
    'status',
  );
  expect((await shop.patch(`${path}/fulfilments/ful_x`, {})).body.code).toBe('fulfilment_not_found');
  const other = await paidOrder(shop);
  const crossed = await shop.patch(`${other.path}/fulfilments/${id}`, { status: 'cancelled' });
  expect(crossed.body.code).toBe('fulfilment_not_found');
});

it("shows nothing of another tenant's order", async () => {
  const { shop, path } = await shop3();
  const { id } = (await shop.post(`${path}/fulfilments`, {})).body;
  const other = await world();
  expect((await other.get(`${path}/timeline`)).body.code).toBe('order_not_found');
  expect((await other.patch(`${path}/fulfilments/${id}`, { status: 'cancelled' })).body.code).toBe(
    'order_not_found',
  );
  const [left] = await rows<{ n: number }>(
    databaseOf(other),
    sql`SELECT count(*) AS n FROM order_fulfilments WHERE tenant_id = ${other.tenantId}`,
  );
  expect(left?.n).toBe(0);
});
