import { expect, it } from 'vitest';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import { type World, world } from '../support/world.ts';

async function order(shop: World): Promise<string> {
  const { id } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  return `/orders/${(await placedOrder(shop, id)).row.id}`;
}

it('adds notes to the timeline, which shoppers never see', async () => {
  const shop = await world();
  const path = await order(shop);
  const noted = await shop.post(`${path}/notes`, { text: ' Wants it gift-wrapped ' });
  expect(noted.status).toBe(201);
  expect(noted.body.data.at(-1)).toMatchObject({
    type: 'noted',
    by: { kind: 'application', id: String(shop.applicationId) },
    details: { text: 'Wants it gift-wrapped' },
  });
  expect((await shop.get(`${path}/timeline`)).body).toEqual(noted.body);
  expect(JSON.stringify((await shop.get(path)).body)).not.toContain('gift-wrapped');
});

it('adds a note once for an Idempotency-Key', async () => {
  const shop = await world();
  const path = await order(shop);
  const once = { headers: { 'idempotency-key': 'note-1' } };
  for (const _ of [1, 2]) await shop.post(`${path}/notes`, { text: 'Called' }, once);
  const { data } = (await shop.get(`${path}/timeline`)).body;
  expect(data.filter(({ type }: { type: string }) => type === 'noted')).toHaveLength(1);
});

it.each([{}, { text: '' }, { text: '   ' }, { text: 'x'.repeat(501) }, { text: 1 }])(
  'refuses the note %j by name',
  async (body) => {
    const shop = await world();
    const refused = await shop.post(`${await order(shop)}/notes`, body);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['text']]);
  },
);

it("does not add a note to another tenant's order", async () => {
  const [mine, theirs] = await Promise.all([world(), world()]);
  const path = await order(theirs);
  expect((await mine.post(`${path}/notes`, { text: 'Hello' })).body.code).toBe('order_not_found');
  expect((await theirs.get(`${path}/timeline`)).body.data).toHaveLength(1);
});
