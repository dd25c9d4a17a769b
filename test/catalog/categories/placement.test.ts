import { describe, expect, it } from 'vitest';
import { NEWEST, versionOf } from '../../support/fixtures/catalog/products.ts';
import { Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
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

describe('the order of siblings', () => {
  const names = async (shop: World) =>
    (await shop.get('/categories', NEWEST)).body.data.map(({ name }: { name: string }) => name);

  it('is by name until a category is placed, and then as placed', async () => {
    const shop = await world();
    const [, pears, plums] = await Promise.all(
      ['Äpfel', 'Pears', 'Plums', 'Zucchini'].map((name) => make(shop, name)),
    );
    expect(await names(shop)).toEqual(['Äpfel', 'Pears', 'Plums', 'Zucchini']);
    expect((await shop.patch(`/categories/${plums}`, { position: 0 })).status).toBe(200);
    expect(await names(shop)).toEqual(['Plums', 'Äpfel', 'Pears', 'Zucchini']);
    await shop.patch(`/categories/${plums}`, { position: 2 });
    expect(await names(shop)).toEqual(['Äpfel', 'Pears', 'Plums', 'Zucchini']);
    await shop.patch(`/categories/${pears}`, { position: 99 });
    await make(shop, 'Bananas');
    expect(await names(shop)).toEqual(['Äpfel', 'Plums', 'Zucchini', 'Pears', 'Bananas']);
    await make(shop, 'Cherries', { position: 1 });
    expect((await names(shop)).slice(0, 3)).toEqual(['Äpfel', 'Cherries', 'Plums']);
  });

  it('is the same by name in the tree and below a parent, as it is in English', async () => {
    const shop = await world();
    const parent_id = await make(shop, 'Parent');
    const all = [
      'bears',
      'Bears',
      'Äpfel',
      'apes',
      '9',
      '10',
      '!',
      'Ärtor',
      'Zoo',
      '茶',
      'Чай',
      'Öl',
      'Bears',
    ];
    for (const name of all) await make(shop, name, { parent_id });
    const sorted = [
      '!',
      '10',
      '9',
      'apes',
      'Äpfel',
      'Ärtor',
      'bears',
      'Bears',
      'Bears',
      'Öl',
      'Zoo',
      'Чай',
      '茶',
    ];
    expect(await childrenOf(shop, parent_id)).toEqual(sorted);
    const [tree] = (await shop.get('/categories', NEWEST)).body.data;
    expect(tree.children.map(({ name }: { name: string }) => name)).toEqual(sorted);
  });

  it('is kept when a category moves to another parent, and when children move up', async () => {
    const shop = await world();
    const food = await make(shop, 'Food');
    const fruit = await make(shop, 'Fruit', { parent_id: food });
    const ids = await Promise.all(['A', 'B', 'C'].map((name) => make(shop, name, { parent_id: fruit })));
    await shop.patch(`/categories/${ids[2]}`, { position: 0 });
    const moved = await make(shop, 'Moved', { parent_id: food });
    await shop.patch(`/categories/${moved}`, { parent_id: fruit, position: 1 });
    expect(await childrenOf(shop, fruit)).toEqual(['C', 'Moved', 'A', 'B']);
    await shop.delete(`/categories/${fruit}`);
    expect(await childrenOf(shop, food)).toEqual(['C', 'Moved', 'A', 'B']);
  });

  it.each([-1, 1.5, 1_000_001, '1'])('refuses the position %j by name', async (position) => {
    const shop = await world();
    const id = await make(shop, 'Mugs');
    const refused = await shop.patch(`/categories/${id}`, { position });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['position']]);
  });

  it('is reported by the category that was placed', async () => {
    const shop = await world();
    const receiver = new Receiver();
    await subscribe(shop, receiver.url, ['category.updated']);
    const id = await make(shop, 'Mugs');
    await shop.patch(`/categories/${id}`, { position: 0 });
    await until(() => expect(receiver.received).toHaveLength(2));
    const changes = receiver.received.map(({ body }) => JSON.parse(body).data.changed);
    expect(changes).toContainEqual(['position']);
  });

  it('changes nothing where a category already is at the place that is sent', async () => {
    const shop = await world();
    const [apes, bears] = [await make(shop, 'Apes'), await make(shop, 'Bears')];
    const placed = await shop.patch(`/categories/${apes}`, { position: 1 });
    const { updated_at: at } = placed.body;
    for (const [id, position] of [
      [apes, 1],
      [apes, 99],
      [bears, 0],
    ]) {
      const again = await shop.patch(`/categories/${id}`, { position });
      expect([again.status, versionOf(again)]).toEqual([200, versionOf(placed)]);
    }
    expect((await shop.get(`/categories/${apes}`, NEWEST)).body.updated_at).toBe(at);
    expect(await names(shop)).toEqual(['Bears', 'Apes']);
  });
});

it('gives long names slugs that can be sent back, also when they repeat', async () => {
  const shop = await world();
  const name = '㌖'.repeat(60);
  for (let n = 0; n < 2; n++) {
    const { status, body } = await shop.post('/categories', { name });
    expect(status).toBe(201);
    expect((await shop.patch(`/categories/${body.id}`, { slug: body.slug })).status).toBe(200);
  }
});

it('takes a name that a sibling has, but no slug, one after the other and at the same moment', async () => {
  const shop = await world();
  const created = async (body: object) => (await shop.post('/categories', body)).status;
  expect([await created({ name: 'Mugs' }), await created({ name: 'Mugs' })]).toEqual([201, 201]);
  const [first, second] = await Promise.all([created({ name: 'Tees' }), created({ name: 'Tees' })]);
  expect([first, second]).toEqual([201, 201]);
  const same = { name: 'Cups', slug: 'cups' };
  expect((await Promise.all([created(same), created(same)])).sort()).toEqual([201, 409]);
  const { data } = (await shop.get('/categories', NEWEST)).body;
  expect(new Set(data.map(({ slug }: { slug: string }) => slug)).size).toBe(5);
});
