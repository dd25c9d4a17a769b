/** What refunds leave to ship. */
import { expect, it } from 'vitest';
import { world } from '../support/world.ts';
import { paidOrder, shop3 } from './shipped-order.ts';

it('ships nothing that was refunded before it was shipped, also where a request names it', async () => {
  const { shop, path } = await shop3();
  const refunded = (quantity: number, more: object = {}) =>
    shop.post(`${path}/refunds`, { items: [{ line_id: 1, quantity, restock: true, ...more }] });
  const named = (quantity: number) => shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity }] });
  await refunded(1);
  const many = await named(3);
  expect([many.status, many.body.errors]).toEqual([
    422,
    { 'items.0.quantity': ['must be at most 2, which is left'] },
  ]);
  const rest = await shop.post(`${path}/fulfilments`, {});
  expect(rest.body.items).toEqual([{ line_id: 1, quantity: 2 }]);
  expect((await shop.get(path)).body.fulfilment_status).toBe('fulfilled');
  expect((await shop.post(`${path}/fulfilments`, {})).body.code).toBe('order_not_fulfillable');
  expect((await named(1)).status).toBe(422);
  // What comes back after it was shipped changes nothing.
  await refunded(2, { shipped: true });
  expect((await shop.get(path)).body.fulfilment_status).toBe('fulfilled');
});

it.each([{}, { amount: 30 }])(
  'ships nothing of an order that was refunded as a whole by %j',
  async (refund) => {
    const { shop, path } = await shop3();
    await shop.post(`${path}/refunds`, refund);
    for (const body of [{}, { items: [{ line_id: 1, quantity: 1 }] }]) {
      const refused = await shop.post(`${path}/fulfilments`, body);
      expect([refused.status, refused.body.code]).toEqual([409, 'order_not_fulfillable']);
    }
    const { id, fulfilments } = (await shop.get(path)).body;
    expect(fulfilments).toEqual([]);
    const bulk = await shop.post('/orders/bulk', { ids: [id], change: { fulfil: true } });
    expect(bulk.body).toEqual({ updated: 1, errors: [] });
    expect((await shop.get(path)).body.fulfilments).toEqual([]);
  },
);

it('still ships the third piece after one of two shipped pieces was refunded', async () => {
  const { shop, path } = await shop3();
  const refunded = (quantity: number, shipped: boolean) =>
    shop.post(`${path}/refunds`, { items: [{ line_id: 1, quantity, shipped, restock: true }] });
  const early = await refunded(1, true);
  expect([early.status, early.body.errors]).toEqual([
    422,
    { 'items.0.quantity': ['must be at most 0, which were shipped'] },
  ]);
  const parcel = await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 2 }] });
  const returned = await refunded(1, true);
  expect(returned.body.items).toMatchObject([{ quantity: 1, shipped: true, restock: true }]);
  expect((await refunded(2, true)).body.errors).toEqual({
    'items.0.quantity': ['must be at most 1, which were shipped'],
  });
  expect((await shop.get(path)).body.fulfilment_status).toBe('partially_fulfilled');
  const rest = await shop.post(`${path}/fulfilments`, {});
  expect(rest.body.items).toEqual([{ line_id: 1, quantity: 1 }]);
  expect((await shop.get(path)).body.fulfilment_status).toBe('fulfilled');
  // The refunded piece is not shipped again where its parcel is cancelled.
  for (const { id } of [rest.body, parcel.body])
    await shop.patch(`${path}/fulfilments/${id}`, { status: 'cancelled' });
  expect((await shop.post(`${path}/fulfilments`, {})).body.items).toEqual([{ line_id: 1, quantity: 2 }]);
});

it('counts refunded pieces of a cancelled parcel once when what is left ships in parts', async () => {
  const { shop, path } = await shop3();
  const ship = async (items?: object[]) => (await shop.post(`${path}/fulfilments`, { items })).body;
  const parcel = await ship();
  await shop.post(`${path}/refunds`, { items: [{ line_id: 1, quantity: 2, shipped: true }] });
  await shop.patch(`${path}/fulfilments/${parcel.id}`, { status: 'cancelled' });
  expect((await ship()).items).toEqual([{ line_id: 1, quantity: 1 }]);
  const order = (await shop.get(path)).body;
  expect(order.fulfilment_status).toBe('fulfilled');
  expect((await ship()).code).toBe('order_not_fulfillable');
  // The pieces of the cancelled parcel had not been shipped.
  expect(order.refunds[0]).toMatchObject({
    amount: 20,
    items: [{ quantity: 2, shipped: false, amount: 20 }],
  });
});

it('keeps a refunded piece of another parcel as shipped when a parcel is cancelled', async () => {
  const { shop, path } = await shop3();
  const ship = async (quantity: number) =>
    (await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity }] })).body;
  const [, parcel] = [await ship(1), await ship(2)];
  await shop.post(`${path}/refunds`, { items: [{ line_id: 1, quantity: 2, shipped: true }] });
  await shop.patch(`${path}/fulfilments/${parcel.id}`, { status: 'cancelled' });
  const order = (await shop.get(path)).body;
  expect(order.refunds[0]).toMatchObject({
    amount: 20,
    items: [
      { quantity: 1, shipped: true, amount: 10 },
      { quantity: 1, shipped: false, amount: 10 },
    ],
  });
  expect((await ship(1)).items).toEqual([{ line_id: 1, quantity: 1 }]);
  expect((await shop.get(path)).body.fulfilment_status).toBe('fulfilled');
});

it('takes what is still to be shipped first where a refund does not say that it was shipped', async () => {
  const { shop, path } = await shop3();
  await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 2 }] });
  const { body } = await shop.post(`${path}/refunds`, { items: [{ line_id: 1, quantity: 1 }] });
  expect(body.items).toMatchObject([{ shipped: false }]);
  expect((await shop.get(path)).body.fulfilment_status).toBe('fulfilled');
  expect((await shop.post(`${path}/fulfilments`, {})).body.code).toBe('order_not_fulfillable');
});

it('counts an order as fulfilled once the rest of it is refunded, and one refunded unshipped as unfulfilled', async () => {
  const shop = await world();
  const [partly, never] = [await paidOrder(shop), await paidOrder(shop)];
  const statusOf = async ({ path }: { path: string }) => (await shop.get(path)).body.fulfilment_status;
  await shop.post(`${partly.path}/fulfilments`, { items: [{ line_id: 1, quantity: 2 }] });
  expect(await statusOf(partly)).toBe('partially_fulfilled');
  for (const { path } of [partly, never]) await shop.post(`${path}/refunds`, {});
  expect([await statusOf(partly), await statusOf(never)]).toEqual(['fulfilled', 'unfulfilled']);
  const bulk = { ids: [partly.id, never.id], change: { fulfil: true } };
  expect((await shop.post('/orders/bulk', bulk)).body).toEqual({ updated: 2, errors: [] });
  expect((await shop.get(never.path)).body.fulfilments).toEqual([]);
});
