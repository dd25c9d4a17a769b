import { describe, expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { createProduct, seeing } from '../../support/fixtures/catalog/products.ts';
import { lazy } from '../../support/lazy.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { admitted } from '../../support/statuses.ts';
import { type Answer, type World, world } from '../../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

/** Attributes of products, which everybody sees, and metadata, which only a tenant's own systems see. */

const names = (count: number, length = 2) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [String(n).padStart(length, 'n'), 'v']));

/** Returns what the last `product.updated` event of the tenant says has changed. */
async function lastChange({ tenantId }: World): Promise<unknown> {
  const row = await storeOf({ tenantId })
    .prepare(
      "SELECT data FROM outbox WHERE tenant_id = ? AND type = 'product.updated' ORDER BY sequence DESC LIMIT 1",
    )
    .bind(tenantId)
    .first<{ data: string }>();
  return JSON.parse(row?.data ?? '{}').changed;
}

describe('attributes of a product', () => {
  const attributes = { Material: 'Wool', Maße: ['1 m', '2 m'] };

  it('are kept as written, and shown to everybody', async () => {
    const shop = await world();
    const { token } = await shop.register({ scopes: ['catalog:read'] });
    const made = await createProduct(shop, { name: 'Scarf', attributes });
    expect(made.body.attributes).toEqual(attributes);
    const read = await shop.get(`/products/${made.body.id}`, seeing(made, { token }));
    expect(read.body.attributes).toEqual(attributes);
    expect((await createProduct(shop, { name: 'Hat' })).body.attributes).toEqual({});
  });

  it('are replaced as a whole, with an event, and repeated values count once', async () => {
    const shop = await world();
    const { body } = await createProduct(shop, { name: 'Scarf', attributes });
    const path = `/products/${body.id}`;
    expect((await shop.patch(path, { price: 11 })).body.attributes).toEqual(attributes);
    const changed = await shop.patch(path, { attributes: { fit: ['Slim', 'Slim', 'Wide'] } });
    expect(changed.body.attributes).toEqual({ fit: ['Slim', 'Wide'] });
    expect(await lastChange(shop)).toEqual(['attributes']);
    expect((await shop.patch(path, { attributes: {} })).body.attributes).toEqual({});
  });

  it('are found by search', async () => {
    const shop = await world();
    const made = await createProduct(shop, { name: 'Scarf', attributes });
    for (const q of ['wool', '2 m']) {
      const found = await admitted(() => shop.get(`/search?q=${q}`, seeing(made)));
      expect(
        found.body.data.map(({ id }: { id: number }) => id),
        q,
      ).toEqual([made.body.id]);
    }
  });

  it.each([
    [names(51), 'attributes'],
    [{ ['n'.repeat(65)]: 'v' }, `attributes.${'n'.repeat(65)}`],
    [{ a: 'v'.repeat(256) }, 'attributes.a'],
    [{ a: '' }, 'attributes.a'],
    [{ a: [] }, 'attributes.a'],
    [{ a: Array.from({ length: 21 }, (_, n) => `v${n}`) }, 'attributes.a'],
    [{ a: [1] }, 'attributes.a'],
    [{ a: null }, 'attributes.a'],
    [{ Größe: 'M', GROSSE: 'L', große: 'XL' }, 'attributes'],
    ['wool', 'attributes'],
    [null, 'attributes'],
  ])('refuse %j', async (bad, field) => {
    const shop = await untouched();
    const answer = await shop.post('/products', { name: 'A', type: 'simple', price: 1, attributes: bad });
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('take as many and as long ones as documented', async () => {
    const shop = await world();
    const long = Object.entries(names(50, 64)).map(([name]) => [
      name,
      Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(255, 'ü')),
    ]);
    const most = Object.fromEntries(long);
    expect((await createProduct(shop, { name: 'A', attributes: most })).body.attributes).toEqual(most);
  });
});

describe('metadata of a product', () => {
  it('is shown to callers with catalog:write only, however the answers are cached', async () => {
    const shop = await world();
    const { token } = await shop.register({ scopes: ['catalog:read'] });
    const made = await createProduct(shop, { name: 'Scarf', metadata: { erp: 'A-1' } });
    expect(made.body.metadata).toEqual({ erp: 'A-1' });
    const path = `/products/${made.body.id}`;
    const read = async (options: object) => (await shop.get(path, options)).body.metadata;
    await read(seeing(made));
    // Each twice in turn, so that every answer also comes from the cache that the other one filled.
    for (let n = 0; n < 3; n++) {
      expect(await read({ token })).toBeUndefined();
      expect(await read({})).toEqual({ erp: 'A-1' });
    }
    const everywhere = [`/products?include=variants`, '/search?q=scarf'];
    for (const one of everywhere)
      expect(JSON.stringify((await shop.get(one, seeing(made, { token }))).body)).not.toContain('A-1');
  });

  it('is merged by key, as at Stripe', async () => {
    const shop = await world();
    const { body } = await createProduct(shop, {
      name: 'Scarf',
      metadata: { a: '1', b: '2', c: '3', d: '' },
    });
    expect(body.metadata).toEqual({ a: '1', b: '2', c: '3' });
    const patch = async (metadata: unknown) =>
      (await shop.patch(`/products/${body.id}`, { metadata })).body.metadata;
    expect(await patch({ b: '4', c: null, a: '' })).toEqual({ b: '4' });
    expect(await lastChange(shop)).toEqual(['metadata']);
    expect(await patch({ e: '5' })).toEqual({ b: '4', e: '5' });
    expect(await patch({})).toEqual({ b: '4', e: '5' });
    expect(await patch(null)).toEqual({});
  });

  it.each([
    [names(51), 'metadata'],
    [{ ['k'.repeat(41)]: 'v' }, `metadata.${'k'.repeat(41)}`],
    [{ a: 'v'.repeat(501) }, 'metadata.a'],
    [{ a: 1 }, 'metadata.a'],
    [['a'], 'metadata'],
  ])('refuses %j', async (bad, field) => {
    const shop = await untouched();
    const answer = await shop.post('/products', { name: 'A', type: 'simple', price: 1, metadata: bad });
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('has at most 50 keys after merging', async () => {
    const shop = await world();
    const { body } = await createProduct(shop, { name: 'Scarf', metadata: names(50) });
    const patch = (metadata: object): Promise<Answer> => shop.patch(`/products/${body.id}`, { metadata });
    const refused = await patch({ more: 'x' });
    expectProblem(refused, 422, 'validation_error');
    expect(Object.keys(refused.body.errors)).toEqual(['metadata']);
    expect((await patch({ more: 'x', n0: null })).status).toBe(200);
  });
});
