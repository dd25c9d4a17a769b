import { expect, it } from 'vitest';
import { createProduct, NEWEST } from '../support/fixtures/catalog/products.ts';
import { cartWith, checkoutPath, sandboxShop } from '../support/fixtures/selling/checkout.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { type Answer, type World, world } from '../support/world.ts';

interface Row {
  id: number;
  sku: string;
  name: string;
  stock: number;
  in_stock: boolean;
  updated_at: string;
}

/** Everything since an instant, page by page, as a marketplace follows it. */
async function follow(shop: World, since: string | null): Promise<{ rows: Row[]; next: string | null }> {
  const rows: Row[] = [];
  let next = since;
  for (;;) {
    const from = next === null ? '' : `&updated_since=${encodeURIComponent(next)}`;
    const { status, body } = await shop.get(`/marketplace/products?limit=2${from}`, NEWEST);
    expect(status).toBe(200);
    if (body.data.length === 0) return { rows, next };
    rows.push(...body.data);
    next = body.meta.next_updated_since;
  }
}

it('lists each purchasable item once, and every change after an instant exactly once', async () => {
  const shop = await world();
  const top = (await shop.post('/categories', { name: 'Apparel' })).body;
  const tops = (await shop.post('/categories', { name: 'Tops', parent_id: top.id })).body;
  const cup = (
    await shop.post('/products', {
      name: 'Cup',
      type: 'simple',
      price: 5,
      stock: 3,
      barcode: '4006381333931',
    })
  ).body;
  const tee = (
    await shop.post('/products', {
      name: 'Tee',
      type: 'configurable',
      price: 1,
      category_ids: [tops.id],
      variants: ['S', 'M'].map((size) => ({ sku: `T-${size}`, price: 9, stock: 1, attributes: { size } })),
    })
  ).body;
  await shop.post('/products', { name: 'Hidden', type: 'simple', price: 5, status: 'inactive' });
  const set = await shop.post('/products', {
    name: 'Set',
    type: 'grouped',
    price: 0,
    grouped: [{ product_id: cup.id }],
  });
  expect(set.status).toBe(201);

  const first = await follow(shop, null);
  expect(first.rows.map((row) => row.name)).toEqual(['Cup', 'Tee - S', 'Tee - M']);
  expect(first.rows[0]).toMatchObject({ id: cup.id, price: 5, stock: 3, barcode: '4006381333931' });
  expect(first.rows[0]).not.toHaveProperty('category_path');
  expect(first.rows[1]).toMatchObject({ sku: 'T-S', category_path: 'Apparel > Tops' });
  expect(new Set(first.rows.map((row) => row.updated_at)).size).toBe(3);

  await shop.post('/inventory/adjustments', { items: [{ sku: 'T-M', delta: -1 }] });
  await shop.delete(`/products/${cup.id}`);
  const second = await follow(shop, first.next);
  expect(second.rows.map(({ name, stock }) => [name, stock])).toEqual([
    ['Tee - M', 0],
    ['Cup', 0],
  ]);
  await shop.patch(`/products/${tee.id}`, { status: 'inactive' });
  const third = await follow(shop, second.next);
  expect(third.rows.map((row) => row.name).sort()).toEqual(['Tee - M', 'Tee - S']);
  const all = await shop.get('/marketplace/products', NEWEST);
  expect(all.body).toMatchObject({ data: [], meta: { total: 0, total_pages: 0 } });
});

it('reports a removed variant by its SKU, also after the product has changed again', async () => {
  const shop = await world();
  const variants = ['S', 'M'].map((size) => ({ sku: `T-${size}`, price: 9, attributes: { size } }));
  const { body: tee } = await shop.post('/products', {
    name: 'Tee',
    type: 'configurable',
    price: 9,
    variants,
  });
  const { next } = await follow(shop, null);
  await shop.patch(`/products/${tee.id}`, { variants: variants.slice(1) });
  expect((await shop.patch(`/products/${tee.id}`, { name: 'T-shirt' })).status).toBe(200);
  const { rows } = await follow(shop, next);
  expect(rows.map(({ sku, stock }) => [sku, stock])).toEqual([
    ['T-S', 0],
    ['T-M', 0],
  ]);
});

it('offers no unit that a checkout has reserved, nor less than none', async () => {
  const shop = await sandboxShop();
  const [cup, mug] = [
    await createProduct(shop, { name: 'Cup', stock: 5 }),
    await createProduct(shop, { name: 'Mug', stock: 0, inventory_policy: 'continue' }),
  ];
  for (const one of [cup, mug]) await checkoutPath(shop, await cartWith(shop, one));
  const { rows, next: last } = await follow(shop, null);
  expect(rows.map(({ name, stock }) => `${name} ${stock}`).sort()).toEqual(['Cup 4', 'Mug 0']);
  // Without a change there is none to count, and a marketplace goes on where it was.
  const none = await shop.get(`/marketplace/products?updated_since=${last}`, NEWEST);
  expect(none.body.meta).toMatchObject({ total: 0, next_updated_since: last });
});

it('reports every variant of a deleted product, however soon it is deleted', async () => {
  const shop = await world();
  stopClock();
  const variants = ['S', 'M', 'L'].map((size) => ({ sku: `T-${size}`, price: 9, attributes: { size } }));
  const { body: tee } = await createProduct(shop, { type: 'configurable', variants });
  const { next } = await follow(shop, null);
  expect((await shop.delete(`/products/${tee.id}`)).status).toBe(204);
  const { rows } = await follow(shop, next);
  expect(rows.map(({ sku, stock }) => `${sku} ${stock}`).sort()).toEqual(['T-L 0', 'T-M 0', 'T-S 0']);
});

it('reports a removed variant before the one that takes its SKU in the same change', async () => {
  const shop = await world();
  const variants = ['S', 'M'].map((size) => ({ sku: `T-${size}`, price: 9, stock: 4, attributes: { size } }));
  const { body: tee } = await shop.post('/products', {
    name: 'Tee',
    type: 'configurable',
    price: 9,
    variants,
  });
  const { next } = await follow(shop, null);
  const [small, medium] = tee.variants;
  const kept = { id: medium.id, sku: 'T-S', price: 9, attributes: { size: 'S' } };
  expect((await shop.patch(`/products/${tee.id}`, { variants: [kept] })).status).toBe(200);
  const { rows } = await follow(shop, next);
  expect(rows.map(({ id, sku, stock }) => [id, sku, stock])).toEqual([
    [small.id, 'T-S', 0],
    [medium.id, 'T-S', 4],
  ]);
});

it('is not part of the starter plan', async () => {
  const shop = await world({ plan: 'starter' });
  expect((await shop.get('/marketplace/products')).body.code).toBe('plan_not_allowed');
});

it('ends a page early where products have very many images, and continues by cursor and by change', async () => {
  const shop = await world();
  const images = Array.from(
    { length: 250 },
    (_, n) => `https://img.example.com/${n}-${'x'.repeat(1_800)}.jpg`,
  );
  const variants = Array.from({ length: 30 }, (_, n) => ({
    sku: `V${n}`,
    price: 5,
    attributes: { size: `${n}` },
  }));
  await createProduct(shop, { type: 'configurable', images, variants });
  const walk = async (query: string, next: (meta: Answer['body']) => string | null) => {
    const pages: string[][] = [];
    for (let more: string | null = query; more !== null; ) {
      const { status, body }: Answer = await shop.get(`/marketplace/products?limit=100${more}`);
      expect(status).toBe(200);
      expect(JSON.stringify(body).length).toBeLessThan(10_000_000);
      pages.push(body.data.map(({ sku }: { sku: string }) => sku));
      more = body.data.length > 0 ? next(body.meta) : null;
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().toSorted()).toEqual(variants.map(({ sku }) => sku).toSorted());
  };
  await walk('', ({ next_cursor }) => next_cursor && `&cursor=${next_cursor}`);
  const since = (instant: string) => `&updated_since=${instant}`;
  await walk(since('2020-01-01T00:00:00Z'), ({ next_updated_since }) => since(next_updated_since));
});

it.each(['9999-12-31T23:59:59-05:00', '0000-01-01T00:00:00+01:00'])(
  'refuses %s, which next_updated_since could not show',
  async (instant) => {
    const shop = await world();
    const { status, body } = await shop.get(
      `/marketplace/products?updated_since=${encodeURIComponent(instant)}`,
    );
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['updated_since']]);
  },
);

it('tells what can be bought without stock from what is sold out', async () => {
  const shop = await world();
  const create = async (product: object) => (await shop.post('/products', { price: 5, ...product })).body;
  await create({ name: 'Cup', type: 'simple', stock: 1 });
  await create({ name: 'Plate', type: 'simple' });
  const print = await create({ name: 'Print', type: 'simple', inventory_policy: 'untracked' });
  const variants = [{ sku: 'T-S', price: 9, attributes: { size: 'S' } }];
  const tee = await create({ name: 'Tee', type: 'configurable', inventory_policy: 'continue', variants });
  await create({ name: 'Font', type: 'downloadable' });
  const items = [{ product_id: print.id, quantity: 1 }];
  await create({
    name: 'Set',
    type: 'bundled',
    bundle_groups: [{ title: 'All', required: true, multiple: false, items }],
  });
  const soldIn = ({ rows }: Awaited<ReturnType<typeof follow>>) =>
    rows.map((row) => [row.name, row.in_stock]);

  const first = await follow(shop, null);
  expect(soldIn(first)).toEqual([
    ['Cup', true],
    ['Plate', false],
    ['Print', true],
    ['Tee - S', true],
    ['Font', true],
    ['Set', true],
  ]);
  expect(first.rows.find(({ name }) => name === 'Print')?.stock).toBe(0);

  await shop.patch(`/products/${tee.id}`, { inventory_policy: 'deny' });
  const second = await follow(shop, first.next);
  expect(soldIn(second)).toEqual([['Tee - S', false]]);

  await shop.delete(`/products/${print.id}`);
  expect(soldIn(await follow(shop, second.next))).toContainEqual(['Print', false]);
});
