import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { NEWEST } from '../support/fixtures/catalog/products.ts';
import { lazy } from '../support/lazy.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

interface EventRow {
  type: string;
  resource: string;
  sequence: number;
  data: string;
}

/** The tenant's events in the outbox, in their order. */
const events = async (
  shop: World,
): Promise<(Omit<EventRow, 'data'> & { data: Record<string, unknown> })[]> => {
  const { results } = await storeOf(shop)
    .prepare('SELECT type, resource, sequence, data FROM outbox WHERE tenant_id = ? ORDER BY sequence, type')
    .bind(shop.tenantId)
    .all<EventRow>();
  return results.map((row) => ({ ...row, data: JSON.parse(row.data) }));
};

const simple = (name: string, stock: number) => ({ name, type: 'simple', price: 5, stock });

/** A shop with a cup and a group of it, for adjustments that are rejected. */
const cupAndSet = lazy(async () => {
  const shop = await world();
  const cup = (await shop.post('/products', simple('Cup', 3))).body;
  await shop.post('/products', { name: 'Set', type: 'grouped', price: 0, grouped: [{ product_id: cup.id }] });
  return shop;
});

it('applies all adjustments or none, and names the item that is short', async () => {
  const shop = await world();
  const cup = (await shop.post('/products', simple('Cup', 3))).body;
  await shop.post('/products', simple('Plate', 3));
  const short = await shop.post('/inventory/adjustments', {
    items: [
      { sku: 'plate', delta: 5 },
      { sku: 'cup', delta: -4 },
    ],
  });
  expect(short.status).toBe(409);
  expect(short.body).toMatchObject({
    code: 'insufficient_stock',
    details: { product_id: cup.id, variant_id: null, requested: 4, available: 3 },
  });
  const seen = await shop.get('/products?sort=name_asc', NEWEST);
  expect(seen.body.data.map((item: { stock: number }) => item.stock)).toEqual([3, 3]);
});

it('names the SKU that is short, not one that may be sold without stock', async () => {
  const shop = await world();
  await shop.post('/products', { ...simple('Cup', 0), inventory_policy: 'continue' });
  const plate = (await shop.post('/products', simple('Plate', 1))).body;
  const short = await shop.post('/inventory/adjustments', {
    items: [
      { sku: 'cup', delta: -2 },
      { sku: 'plate', delta: -5 },
    ],
  });
  expect(short.body).toMatchObject({
    code: 'insufficient_stock',
    details: { sku: 'plate', product_id: plate.id, variant_id: null, requested: 5, available: 1 },
  });
  const tee = await shop.post('/products', {
    name: 'Tee',
    type: 'configurable',
    price: 9,
    variants: [{ sku: 'tee-s', price: 9, stock: 1, attributes: { size: 'S' } }],
  });
  const variant = await shop.post('/inventory/adjustments', { items: [{ sku: 'tee-s', delta: -2 }] });
  expect(variant.body.details).toMatchObject({
    product_id: tee.body.id,
    variant_id: tee.body.variants[0].id,
    available: 1,
  });
});

it('returns a catalogue version at which reads show what has sold out', async () => {
  const shop = await world();
  const cup = (await shop.post('/products', simple('Cup', 3))).body;
  const headers = { 'idempotency-key': crypto.randomUUID() };
  for (const _ of ['first', 'again']) {
    const sold = await shop.post(
      '/inventory/adjustments',
      { items: [{ sku: 'cup', stock: 0 }] },
      { headers },
    );
    const version = sold.headers.get('x-catalog-version') ?? '';
    expect(Number(version)).toBeGreaterThan(0);
    const seen = await shop.get(`/products/${cup.id}`, { headers: { 'x-catalog-version': version } });
    expect(seen.body.stock).toBe(0);
  }
});

it('raises one stock.changed for each item whose stock changed, parents included', async () => {
  const shop = await world();
  const tee = (
    await shop.post('/products', {
      name: 'Tee',
      type: 'configurable',
      price: 1,
      variants: ['S', 'M'].map((size) => ({ sku: `T-${size}`, price: 9, stock: 2, attributes: { size } })),
    })
  ).body;
  const before = (await events(shop)).length;
  const [small, medium] = tee.variants;
  const answer = await shop.post('/inventory/adjustments', {
    items: [
      { sku: 'T-S', delta: -2, reason: 'damaged' },
      { sku: 'T-M', stock: 2 },
    ],
  });
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual([
    { sku: 'T-S', product_id: tee.id, variant_id: small.id, stock: 0 },
    { sku: 'T-M', product_id: tee.id, variant_id: medium.id, stock: 2 },
  ]);
  const raised = (await events(shop))
    .slice(before)
    .sort((a, b) => Number(a.data.variant_id) - Number(b.data.variant_id));
  expect(raised.map(({ type, data }) => [type, data])).toEqual([
    [
      'stock.changed',
      { product_id: tee.id, variant_id: null, sku: 'tee', old_stock: 4, new_stock: 2, reason: 'damaged' },
    ],
    [
      'stock.changed',
      { product_id: tee.id, variant_id: small.id, sku: 'T-S', old_stock: 2, new_stock: 0, reason: 'damaged' },
    ],
  ]);
  expect(new Set(raised.map((event) => event.sequence)).size).toBe(2);
});

it('gives a change an instant after all others, also while the clock is behind', async () => {
  const shop = await world();
  await shop.post('/products', simple('Cup', 3));
  await shop.post('/products', simple('Plate', 3));
  moveClock(-60_000);
  await shop.post('/inventory/adjustments', { items: [{ sku: 'cup', delta: -1 }] });
  const { results: latest } = await storeOf(shop)
    .prepare(
      `SELECT sku FROM inventory_items WHERE tenant_id = ?1
        AND updated_at = (SELECT max(updated_at) FROM inventory_items WHERE tenant_id = ?1)`,
    )
    .bind(shop.tenantId)
    .all();
  expect(latest).toEqual([{ sku: 'cup' }]);
  moveClock(60_000);
});

it('raises only product.created for a new product, whatever its stock follows from', async () => {
  const shop = await world();
  const cup = (await shop.post('/products', simple('Cup', 3))).body;
  const [from, to] = [1, 2].map((hour) => new Date(Date.now() + hour * 3_600_000).toISOString());
  const kinds = {
    configurable: { variants: [{ sku: 'T-S', price: 9, stock: 2, attributes: { size: 'S' } }] },
    grouped: { grouped: [{ product_id: cup.id }] },
    bundled: { bundle_groups: [{ title: 'Cup', items: [{ product_id: cup.id }] }] },
    booking: { booking: { timezone: 'UTC', slots: [{ from, to, capacity: 4 }] } },
  };
  const stocks = [];
  for (const [type, more] of Object.entries(kinds)) {
    stocks.push((await shop.post('/products', { name: type, type, price: 1, ...more })).body.stock);
  }
  expect(stocks).toEqual([2, 3, 3, 4]);
  const reported = await events(shop);
  expect(reported.map(({ type, data }) => [type, data.stock])).toEqual(
    [3, ...stocks].map((stock) => ['product.updated', stock]),
  );
});

it('raises product.updated for changes, not for unchanged products and not for stock alone', async () => {
  const shop = await world();
  const cup = (await shop.post('/products', simple('Cup', 3))).body;
  const version = async () => (await shop.patch(`/products/${cup.id}`, {})).headers.get('x-catalog-version');
  const before = await version();
  await shop.patch(`/products/${cup.id}`, { name: 'Cup', price: 5, stock: 3 });
  expect(await version()).toBe(before);
  await shop.patch(`/products/${cup.id}`, { stock: 2 });
  await shop.patch(`/products/${cup.id}`, { price: 6, description: 'Blue' });
  await shop.delete(`/products/${cup.id}`);
  const reported = (await events(shop)).map(({ type, data }) => [type, data.changed ?? data.new_stock]);
  expect(reported).toEqual([
    ['product.updated', ['created']],
    ['stock.changed', 2],
    ['product.updated', ['price', 'description']],
    ['product.updated', ['deleted']],
  ]);
});

it.each([
  [{ items: [{ sku: 'cup', delta: 1, stock: 2 }] }, 'items.0.delta'],
  [{ items: [{ sku: 'cup' }] }, 'items.0.delta'],
  [{ items: [] }, 'items'],
  [{ items: [{ sku: 'cup', delta: 0.5 }] }, 'items.0.delta'],
  [{ items: [{ sku: 'set', delta: 1 }] }, 'items.0.sku'],
  [
    {
      items: [
        { sku: 'cup', delta: 1 },
        { sku: 'cup', delta: 1 },
      ],
    },
    'items.1.sku',
  ],
  [{ items: [{ sku: 'nothing', delta: 1 }] }, 'items.0.sku'],
])('rejects %j', async (body, field) => {
  const shop = await cupAndSet();
  const answer = await shop.post('/inventory/adjustments', body);
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toHaveProperty([field]);
});

it('never takes more than the stock in parallel adjustments', async () => {
  const shop = await world();
  await shop.post('/products', simple('Cup', 10));
  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      shop.post('/inventory/adjustments', { items: [{ sku: 'cup', delta: -1 }] }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(15);
});

it('names every missing field of an adjustment', async () => {
  const shop = await world();
  const answer = await shop.post('/inventory/adjustments', { items: [{}, { sku: 'x', delta: '1' }, 7] });
  expect([answer.status, Object.keys(answer.body.errors).sort()]).toEqual([
    422,
    ['items.0.delta', 'items.0.sku', 'items.1.delta', 'items.2'],
  ]);
});
