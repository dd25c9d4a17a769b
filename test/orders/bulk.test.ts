import { expect, it } from 'vitest';
import { markPaid } from '../../src/orders/index.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

/** Orders that are archived, and changes of several orders. */

/** A shop with a paid order and one that waits for its payment. */
async function twoOrders(): Promise<{ shop: World; paid: string; pending: string }> {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 99 })).body;
  const paid = (await placedOrder(shop, cup)).row.id;
  const pending = (await placedOrder(shop, cup)).row.id;
  await markPaid(contextOf(shop), paid, { provider: 'sandbox', reference: paid });
  return { shop, paid, pending };
}

const listed = async (shop: World, query: string): Promise<string[]> =>
  (await shop.get(`/orders?${query}`)).body.data.map(({ id }: { id: string }) => id);

it('archives an order, lists it apart, and opens it again', async () => {
  const { shop, paid, pending } = await twoOrders();
  const archived = await shop.patch(`/orders/${paid}`, { archived: true });
  expect(archived.body).toMatchObject({ status: 'paid', archived_at: expect.any(String) });
  expect(Date.parse(archived.body.archived_at)).toBeLessThanOrEqual(Date.parse(archived.body.updated_at));
  expect(await listed(shop, 'archived=true')).toEqual([paid]);
  expect(await listed(shop, 'archived=false')).toEqual([pending]);
  expect((await listed(shop, '')).length).toBe(2);
  const again = await shop.patch(`/orders/${paid}`, { archived: true });
  expect(again.body.archived_at).toBe(archived.body.archived_at);
  expect((await shop.patch(`/orders/${paid}`, { archived: false })).body.archived_at).toBe(null);
  const { body } = await shop.get(`/orders/${paid}/timeline`);
  const edits = body.data.filter(({ type }: { type: string }) => type === 'edited');
  expect(edits.map(({ details }: { details: object }) => details)).toEqual([
    { changed: ['archived'] },
    { changed: ['archived'] },
  ]);
  expect((await shop.get('/orders?archived=maybe')).body.errors).toHaveProperty('archived');
});

it('fulfils, tags and archives several orders, and reports those that refuse', async () => {
  const { shop, paid, pending } = await twoOrders();
  await shop.patch(`/orders/${paid}`, { tags: ['gift', 'old'] });
  const change = { fulfil: true, archived: true, add_tags: ['sent', 'gift'], remove_tags: ['old'] };
  const body = { ids: [paid, pending, 'ord_none'], change };
  const expected = {
    updated: 1,
    errors: [
      { id: pending, code: 'order_not_fulfillable', message: expect.stringContaining('only a paid one') },
      { id: 'ord_none', code: 'order_not_found', message: 'There is no such order.' },
    ],
  };
  // The second time it finds nothing to do.
  for (let n = 0; n < 2; n++) expect((await shop.post('/orders/bulk', body)).body).toEqual(expected);
  const order = (await shop.get(`/orders/${paid}`)).body;
  expect(order).toMatchObject({ fulfilment_status: 'fulfilled', tags: ['gift', 'sent'] });
  expect([order.fulfilments.length, order.archived_at !== null]).toEqual([1, true]);
  const refused = (await shop.get(`/orders/${pending}`)).body;
  expect([refused.tags, refused.archived_at]).toEqual([[], null]);
});

it('refuses too many tags of one order, without a change of it', async () => {
  const { shop, paid, pending } = await twoOrders();
  const tags = Array.from({ length: 50 }, (_, n) => `tag ${n}`);
  await shop.patch(`/orders/${paid}`, { tags });
  const change = { add_tags: ['one more'], archived: true };
  const { body } = await shop.post('/orders/bulk', { ids: [paid, pending], change });
  const message = 'add_tags would make more than 50 tags';
  expect(body).toEqual({ updated: 1, errors: [{ id: paid, code: 'validation_error', message }] });
  expect(await listed(shop, 'archived=true')).toEqual([pending]);
});

it('ships nothing of an order that refuses the tags of the same change', async () => {
  const { shop, paid } = await twoOrders();
  await shop.patch(`/orders/${paid}`, { tags: Array.from({ length: 50 }, (_, n) => `tag ${n}`) });
  const { body } = await shop.post('/orders/bulk', {
    ids: [paid],
    change: { fulfil: true, add_tags: ['sent'] },
  });
  expect(body).toMatchObject({ updated: 0, errors: [{ id: paid, code: 'validation_error' }] });
  expect((await shop.get(`/orders/${paid}`)).body.fulfilments).toEqual([]);
});

it.each([
  [{ ids: [], change: { archived: true } }, 'ids'],
  [{ ids: ['a', 'a'], change: { archived: true } }, 'ids'],
  [{ ids: Array.from({ length: 26 }, (_, n) => `${n}`), change: { archived: true } }, 'ids'],
  [{ ids: ['a'], change: {} }, 'change'],
  [{ ids: ['a'], change: { fulfil: false } }, 'change.fulfil'],
  [{ ids: ['a'], change: { add_tags: ['x'.repeat(65)] } }, 'change.add_tags.0'],
])('refuses %j', async (body, field) => {
  const refused = await (await world()).post('/orders/bulk', body);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
});
