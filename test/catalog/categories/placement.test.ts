import { expect, it } from 'vitest';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { type World, world } from '../../support/world.ts';

const make = async (shop: World, name: string, more: object = {}): Promise<number> =>
  (await shop.post('/categories', { name, ...more })).body.id;

const childrenOf = async (shop: World, id: number): Promise<string[]> =>
  (await shop.get(`/categories/${id}`, NEWEST)).body.children.map(({ name }: { name: string }) => name);

it.each([
  ['created', (shop: World, parent_id: number) => make(shop, 'Zoo', { parent_id, position: 0 })],
  [
    'moved',
    async (shop: World, parent_id: number) =>
      shop.patch(`/categories/${await make(shop, 'Zoo')}`, { parent_id, position: 0 }),
  ],
])('keeps the first place of an only child that was %s there', async (_, place) => {
  const shop = await world();
  const parent = await make(shop, 'Animals');
  await place(shop, parent);
  await make(shop, 'Ape', { parent_id: parent });
  expect(await childrenOf(shop, parent)).toEqual(['Zoo', 'Ape']);
});

it('keeps placed children together that move up to siblings that are not', async () => {
  const shop = await world();
  const top = await make(shop, 'Top');
  const middle = await make(shop, 'Middle', { parent_id: top });
  await make(shop, 'Zz', { parent_id: top });
  for (const name of ['B', 'A']) await make(shop, name, { parent_id: middle, position: 99 });
  await make(shop, 'Zoo', { parent_id: middle, position: 0 });
  await shop.delete(`/categories/${middle}`);
  expect(await childrenOf(shop, top)).toEqual(['Zz', 'Zoo', 'B', 'A']);
});
