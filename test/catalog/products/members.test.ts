import { expect, it } from 'vitest';
import { catalogContext } from '../../../src/catalog/context.ts';
import { deleteProduct } from '../../../src/catalog/writes/delete-product.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { createProduct, NEWEST, seeing } from '../../support/fixtures/catalog/products.ts';
import { runtime, storeOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

const group = (title: string, id: number, more: object = {}) => ({
  title,
  items: [{ product_id: id }],
  ...more,
});

it('requires that each member of a bundle can be sold in it', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 3 });
  const { body: file } = await createProduct(shop, { name: 'Book', type: 'downloadable' });
  for (const wrong of [file.id, 999_999_999]) {
    const refused = await shop.post('/products', {
      name: 'Set',
      type: 'bundled',
      price: 1,
      bundle_groups: [group('Cup', cup.id), group('Gift', wrong, { required: false })],
    });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.bundle_groups[0]).toContain(String(wrong));
  }
});

it('lets a product be in 1,000 places of groups and bundles, whose stock each of its sales computes again', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 3 });
  const { body: set } = await createProduct(shop, { type: 'grouped', grouped: [{ product_id: cup.id }] });
  const fill = storeOf(shop)
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
        INSERT INTO stock_components (tenant_id, parent_id, group_id, member_id, quantity) SELECT ?, ?, i, ?, 1 FROM n`,
    )
    .bind(shop.tenantId, set.id, cup.id);
  await fill.run();
  const more = { name: 'More', type: 'bundled', price: 1, bundle_groups: [group('Cup', cup.id)] };
  const refused = await shop.post('/products', more);
  expect(refused.status).toBe(422);
  expect(refused.body.errors.bundle_groups).toEqual([
    `product ${cup.id} is in 1000 places of groups and bundles, the most there may be`,
  ]);
  expect((await shop.patch(`/products/${set.id}`, { name: 'Renamed' })).status).toBe(200);
  // The change has left its own place only.
  await fill.run();
  await shop.delete(`/products/${set.id}`);
  expect((await shop.post('/products', more)).status).toBe(201);
});

it('lets a product be in fewer places the more the bundle has that it is added to', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 3 });
  const { body: set } = await createProduct(shop, { type: 'grouped', grouped: [{ product_id: cup.id }] });
  const others: number[] = [];
  for (let n = 0; n < 40; n++)
    others.push((await createProduct(shop, { name: `Part ${n}`, stock: 1 })).body.id);
  await storeOf(shop)
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49)
        INSERT INTO stock_components (tenant_id, parent_id, group_id, member_id, quantity) SELECT ?, ?, i, ?, 1 FROM n`,
    )
    .bind(shop.tenantId, set.id, cup.id)
    .run();
  const parts = others.map((product_id) => ({ product_id }));
  const groups = Array.from({ length: 49 }, (_, n) => ({ title: `Part ${n}`, items: parts }));
  const kit = (items: object[]) => ({
    name: 'Kit',
    type: 'bundled',
    price: 1,
    bundle_groups: [...groups, { title: 'Cup', items }],
  });
  const refused = await shop.post('/products', kit([{ product_id: cup.id }, ...parts]));
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    {
      bundle_groups: [
        `product ${cup.id} is in 49 places of groups and bundles, the most that one with 2001 items takes`,
      ],
    },
  ]);
  expect((await shop.post('/products', kit([...parts]))).status).toBe(201);
  const small = { name: 'Small', type: 'bundled', price: 1, bundle_groups: [group('Cup', cup.id)] };
  expect((await shop.post('/products', small)).status).toBe(201);
});

it.each([
  ['grouped', (id: number, other: number) => ({ grouped: [{ product_id: id }, { product_id: other }] })],
  [
    'bundled',
    (id: number, other: number) => ({
      bundle_groups: [group('Plate', other), group('Cup', id, { required: false })],
    }),
  ],
])('keeps the type of members of a %s product', async (type, made) => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup' });
  const { body: plate } = await createProduct(shop, { name: 'Plate' });
  const { body: set } = await createProduct(shop, { name: 'Set', type, ...made(cup.id, plate.id) });
  const refused = await shop.patch(`/products/${cup.id}`, { type: 'downloadable' });
  expect(refused.status).toBe(422);
  expect(refused.body.errors.type[0]).toContain(String(set.id));
  expect((await shop.patch(`/products/${cup.id}`, { type: 'virtual' })).status).toBe(200);
  await shop.delete(`/products/${set.id}`);
  expect((await shop.patch(`/products/${cup.id}`, { type: 'downloadable' })).status).toBe(200);
});

it("applies one of two concurrent changes: a group's members, or a member's type", async () => {
  const shop = await world();
  for (let round = 0; round < 5; round++) {
    const { body: cup } = await createProduct(shop, { name: `Cup ${round}` });
    const [made, retyped] = await Promise.all([
      shop.post('/products', { name: 'Set', type: 'grouped', price: 0, grouped: [{ product_id: cup.id }] }),
      shop.patch(`/products/${cup.id}`, { type: 'downloadable' }),
    ]);
    expect([made.status === 201, retyped.status === 200].filter(Boolean)).toHaveLength(1);
  }
});

it('is not created with a member or a category that is deleted just before', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup' });
  const tea = (await shop.post('/categories', { name: 'Tea' })).body.id;
  for (const [path, body] of [
    [`/products/${cup.id}`, { type: 'grouped', grouped: [{ product_id: cup.id }] }],
    [`/categories/${tea}`, { type: 'simple', category_ids: [tea] }],
  ] as const) {
    beforeBatch(/INSERT INTO products/, async () => expect((await shop.delete(path)).status).toBe(204));
    expectProblem(await shop.post('/products', { name: 'Set', price: 1, ...body }), 409, 'conflict');
  }
});

it('is no member of itself', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup' });
  const grouped = [{ product_id: cup.id }];
  const refused = await shop.patch(`/products/${cup.id}`, { type: 'grouped', grouped });
  expectProblem(refused, 422, 'validation_error');
  expect(Object.keys(refused.body.errors)).toEqual(['grouped']);
});

it('accepts a change of a product with a deleted member, unless it names that member again', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 3 });
  const { body: plate } = await createProduct(shop, { name: 'Plate', stock: 4 });
  const grouped = [{ product_id: cup.id }, { product_id: plate.id }];
  const { body: set } = await createProduct(shop, { name: 'Set', type: 'grouped', grouped });
  await shop.delete(`/products/${cup.id}`);
  const hidden = await shop.patch(`/products/${set.id}`, { status: 'inactive' });
  expect(hidden.status, JSON.stringify(hidden.body)).toBe(200);
  expect(hidden.body).toMatchObject({ status: 'inactive', stock: 4 });
  const named = await shop.patch(`/products/${set.id}`, {
    grouped: [{ product_id: cup.id, default_quantity: 2 }, { product_id: plate.id }],
  });
  expect(named.body.errors.grouped).toEqual([expect.stringContaining(String(cup.id))]);
  expect((await shop.patch(`/products/${set.id}`, { grouped: [{ product_id: plate.id }] })).status).toBe(200);
});

it('is deleted once by concurrent requests', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup' });
  const ctx = catalogContext(runtime, { tenantId: shop.tenantId, currency: 'EUR', currencies: ['EUR'] });
  const answers = await Promise.all([1, 2, 3].map(() => deleteProduct(ctx, cup.id)));
  expect(answers.map((one) => (one.ok ? 'gone' : one.failure.code)).sort()).toEqual([
    'gone',
    'product_not_found',
    'product_not_found',
  ]);
  const { results } = await storeOf(shop)
    .prepare(
      `SELECT data ->> 'changed' AS changed FROM outbox WHERE tenant_id = ? AND type = 'product.updated' ORDER BY sequence`,
    )
    .bind(shop.tenantId)
    .all();
  expect(results).toEqual([{ changed: '["created"]' }, { changed: '["deleted"]' }]);
});

it('removes a deleted product from groups and bundles, with their events', async () => {
  const shop = await world();
  const [cup, plate] = [
    (await createProduct(shop, { name: 'Cup', stock: 3 })).body,
    (await createProduct(shop, { name: 'Plate', stock: 5 })).body,
  ];
  const made = async (name: string, body: object) =>
    (await shop.post('/products', { name, price: 1, ...body })).body.id as number;
  const set = await made('Set', {
    type: 'grouped',
    grouped: [{ product_id: cup.id }, { product_id: plate.id }],
  });
  const box = await made('Box', {
    type: 'bundled',
    bundle_groups: [
      { title: 'Both', items: [{ product_id: cup.id }, { product_id: plate.id }] },
      group('Extra', cup.id, { required: false }),
    ],
  });
  const other = await made('Plates', { type: 'grouped', grouped: [{ product_id: plate.id }] });
  const updated = async (id: number) => (await shop.get(`/products/${id}`, NEWEST)).body.updated_at;
  const before = await updated(other);
  const gone = await shop.delete(`/products/${cup.id}`);
  expect(gone.status).toBe(204);
  const seen = seeing(gone);
  const grouped = (await shop.get(`/products/${set}`, seen)).body;
  expect([grouped.grouped.map((one: { product_id: number }) => one.product_id), grouped.stock]).toEqual([
    [plate.id],
    5,
  ]);
  const bundled = (await shop.get(`/products/${box}`, seen)).body;
  const items = bundled.bundle_groups.map(({ items }: { items: { product_id: number }[] }) =>
    items.map((item) => item.product_id),
  );
  expect([items, bundled.stock]).toEqual([[[plate.id], []], 5]);
  expect(await updated(other)).toBe(before);
  const events = await storeOf(shop)
    .prepare(
      `SELECT data ->> 'id' AS id, data ->> '$.changed[0]' AS changed, data ->> 'stock' AS stock FROM outbox
      WHERE tenant_id = ? AND type = 'product.updated' AND data ->> '$.changed[0]' <> 'created' ORDER BY sequence`,
    )
    .bind(shop.tenantId)
    .all();
  expect(events.results.map(({ id, changed }) => [id, changed]).sort()).toEqual(
    [
      [cup.id, 'deleted'],
      [set, 'grouped'],
      [box, 'bundle_groups'],
    ].sort(),
  );
  // What is left can be changed as before.
  expect((await shop.patch(`/products/${set}`, { name: 'Small set' })).status).toBe(200);
  expect((await shop.patch(`/products/${box}`, { name: 'Small box' })).status).toBe(200);
});

it('cannot be bought once a required group is empty', async () => {
  const shop = await world();
  const [cup, plate] = [
    (await createProduct(shop, { name: 'Cup', stock: 3 })).body,
    (await createProduct(shop, { name: 'Plate', stock: 5 })).body,
  ];
  const box = await shop.post('/products', {
    name: 'Box',
    price: 1,
    type: 'bundled',
    bundle_groups: [group('Cup', cup.id), group('Plate', plate.id)],
  });
  expect(box.body.stock).toBe(3);
  await shop.delete(`/products/${cup.id}`);
  const path = `/products/${box.body.id}`;
  expect((await shop.get(path, NEWEST)).body.stock).toBe(0);
  expect((await shop.patch(path, { name: 'Boxes' })).body.stock).toBe(0);
  const bought = await shop.post(
    '/cart/items',
    { product_id: box.body.id, quantity: 1, options: { bundle_options: { 2: [2] } } },
    NEWEST,
  );
  expectProblem(bought, 409, 'insufficient_stock');
});

it('removes a deleted product from a group that is created at the same time', async () => {
  const shop = await world();
  const [cup, plate] = [
    (await createProduct(shop, { name: 'Cup', stock: 3 })).body,
    (await createProduct(shop, { name: 'Plate', stock: 5 })).body,
  ];
  const names: number[] = [];
  const grouped = [{ product_id: cup.id }, { product_id: plate.id }];
  beforeBatch(/UPDATE products SET deleted_at/i, async () => {
    names.push((await shop.post('/products', { name: 'Set', price: 1, type: 'grouped', grouped })).body.id);
  });
  expect((await shop.delete(`/products/${cup.id}`)).status).toBe(204);
  const set = (await shop.get(`/products/${names[0]}`, NEWEST)).body;
  expect(set.grouped).toEqual([{ product_id: plate.id, default_quantity: 1 }]);
});

it('removes a deleted product from any number of groups', async () => {
  const shop = await world();
  const [cup, plate] = [
    (await createProduct(shop, { name: 'Cup', stock: 3 })).body,
    (await createProduct(shop, { name: 'Plate', stock: 5 })).body,
  ];
  const grouped = [{ product_id: cup.id }, { product_id: plate.id }];
  await Promise.all(
    Array.from({ length: 45 }, (_, n) =>
      shop.post('/products', { name: `Set ${n}`, price: 1, type: 'grouped', grouped }),
    ),
  );
  expect((await shop.delete(`/products/${cup.id}`)).status).toBe(204);
  const left = storeOf(shop)
    .prepare(
      `SELECT count(*) AS n FROM products WHERE tenant_id = ? AND deleted_at IS NULL AND details LIKE ?`,
    )
    .bind(shop.tenantId, `%"product_id":${cup.id},%`);
  expect(await left.first('n')).toBe(0);
});

it.each([[[1, 5]], [[5, 1]]])(
  'has a bundle in stock whose group offers a product %j times',
  async (sizes) => {
    const shop = await world();
    const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 3 });
    const items = sizes.map((quantity) => ({ product_id: cup.id, quantity }));
    const { body: set } = await createProduct(shop, {
      name: 'Set',
      type: 'bundled',
      bundle_groups: [{ title: 'Cups', items }],
    });
    expect([set.stock, set.in_stock]).toEqual([3, true]);
  },
);

it.each<[string, (id: number) => object]>([
  ['grouped', (id) => ({ grouped: [{ product_id: id }] })],
  ['bundled', (id) => ({ bundle_groups: [group('Cup', id)] })],
])('has a %s product sold out while its only member is inactive', async (type, made) => {
  for (const inventory_policy of ['deny', 'continue']) {
    const shop = await world();
    const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 3, inventory_policy });
    const { body: set } = await createProduct(shop, { name: 'Set', type, ...made(cup.id) });
    const shown = async (status: string) => {
      const changed = await shop.patch(`/products/${cup.id}`, { status });
      const { stock, in_stock } = (await shop.get(`/products/${set.id}`, seeing(changed))).body;
      const buyable = await shop.get('/products?in_stock=true&type=grouped,bundled', seeing(changed));
      return { stock, in_stock, found: buyable.body.meta.total };
    };
    expect(await shown('inactive')).toEqual({ stock: 0, in_stock: false, found: 0 });
    expect(await shown('active')).toEqual({ stock: set.stock, in_stock: true, found: 1 });
  }
});

it('has a whole number of a bundle whose member is sold on backorder', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup', inventory_policy: 'continue' });
  const items = [{ product_id: cup.id, quantity: 2 }];
  const made = await createProduct(shop, {
    name: 'Set',
    type: 'bundled',
    bundle_groups: [{ title: 'Cups', items }],
  });
  expect(made.body.stock).toBe(4_999);
  await shop.patch(`/products/${cup.id}`, { inventory_policy: 'deny', stock: 3 });
  const back = await shop.patch(`/products/${cup.id}`, { inventory_policy: 'untracked' });
  expect((await shop.get(`/products/${made.body.id}`, seeing(back))).body.stock).toBe(4_999);
});

it('counts active members only for the stock of a product that is created', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 3, status: 'inactive' });
  const { body: plate } = await createProduct(shop, { name: 'Plate', stock: 5 });
  const grouped = [{ product_id: cup.id }, { product_id: plate.id }];
  const { body: set } = await createProduct(shop, { name: 'Set', type: 'grouped', grouped });
  expect(set.stock).toBe(5);
});
