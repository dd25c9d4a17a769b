import { afterEach, describe, expect, it, vi } from 'vitest';
import { fetchWith, recordedBindings } from '../../support/faults/bindings.ts';
import { failStatements } from '../../support/faults/database.ts';
import { versionOf } from '../../support/fixtures/catalog/products.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { admitted } from '../../support/statuses.ts';
import { type World, world } from '../../support/world.ts';
import { eventually, writeUnnoticed } from '../index-queue.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const simple = (name: string, more: object = {}) => ({ name, type: 'simple', price: 10, ...more });
const at = (version: number) => ({ headers: { 'x-catalog-version': String(version) } });

/** Searches at a version. Repeats it while a busy machine takes longer to index than a search waits. */
const search = (shop: World, q: string, version: number) =>
  admitted(() => shop.get(`/search?q=${q}`, at(version)));

describe('a search that requests a version', () => {
  it('sees the write that returned it, although its message was lost', async () => {
    const shop = await world();
    const made = await writeUnnoticed(shop, 'POST', '/products', simple('Giraffe'));
    const first = await search(shop, 'giraffe', versionOf(made));
    expect(first.body.data).toMatchObject([{ name: 'Giraffe', price: 10 }]);
    expect(versionOf(first)).toBeGreaterThanOrEqual(versionOf(made));
    const changed = await writeUnnoticed(shop, 'PATCH', `/products/${made.body.id}`, { price: 99 });
    const second = await search(shop, 'giraffe', versionOf(changed));
    expect(second.body.data[0].price).toBe(99);
    const gone = await writeUnnoticed(shop, 'DELETE', `/products/${made.body.id}`, {});
    expect((await search(shop, 'giraffe', versionOf(gone))).body.data).toEqual([]);
  });

  it("sees a category's new name", async () => {
    const shop = await world();
    const { id } = (await shop.post('/categories', { name: 'Alpha' })).body;
    await shop.post('/products', simple('One', { category_ids: [id] }));
    const renamed = await writeUnnoticed(shop, 'PATCH', `/categories/${id}`, { name: 'Omega' });
    const seen = await search(shop, 'omega', versionOf(renamed));
    expect(seen.body.data).toMatchObject([{ name: 'One' }]);
  });

  it('sees that a group can be sold, or no longer, by the policy of its member', async () => {
    const shop = await world();
    const { id } = (await shop.post('/products', simple('Cup', { stock: 0, inventory_policy: 'deny' }))).body;
    const grouped = [{ product_id: id }];
    const set = (await shop.post('/products', { name: 'Giraffe', type: 'grouped', price: 0, grouped })).body;
    for (const [inventory_policy, isSold] of [
      ['continue', true],
      ['deny', false],
    ] as const) {
      const changed = await shop.patch(`/products/${id}`, { inventory_policy });
      expect(changed.status).toBe(200);
      expect((await shop.get(`/products/${set.id}`, at(versionOf(changed)))).body.in_stock).toBe(isSold);
      const seen = await search(shop, 'giraffe', versionOf(changed));
      expect(seen.body.data).toMatchObject([{ id: set.id, in_stock: isSold }]);
    }
  });

  it('succeeds after a write that does not concern search', async () => {
    const shop = await world();
    await shop.post('/products', simple('One'));
    const themed = await shop.patch('/theme/options', { font_family: 'Georgia' });
    const seen = await search(shop, 'one', versionOf(themed));
    expect([seen.status, versionOf(seen) >= versionOf(themed)]).toEqual([200, true]);
  });

  it('returns the newest state if the version does not exist', async () => {
    const shop = await world();
    const made = await shop.post('/products', simple('One'));
    for (const version of ['9007199254740991', '99999999999999999999', '-1', 'abc', '']) {
      const seen = await shop.get('/search?q=one', { headers: { 'x-catalog-version': version } });
      expect(seen.status).toBe(200);
    }
    const seen = await search(shop, 'one', Number.MAX_SAFE_INTEGER);
    expect([seen.body.data.length, versionOf(seen)]).toEqual([1, versionOf(made)]);
  });

  it('is 503 with Retry-After while the index is unreachable; others see its current state and version', async () => {
    const shop = await world();
    const made = await shop.post('/products', simple('Cup'));
    await eventually(shop, 'cup', ['Cup']);
    const restore = failStatements(/INSERT INTO search_/i);
    const changed = await writeUnnoticed(shop, 'PATCH', `/products/${made.body.id}`, { price: 99 });
    const late = await shop.get('/search?q=cup', at(versionOf(changed)));
    expect([late.status, late.body.code]).toEqual([503, 'unavailable']);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    const plain = await shop.get('/search?q=cup');
    expect([plain.status, plain.body.data[0].price]).toEqual([200, 10]);
    expect(versionOf(plain)).toBe(versionOf(made));
    restore();
    const seen = await search(shop, 'cup', versionOf(changed));
    expect([seen.body.data[0].price, versionOf(seen)]).toEqual([99, versionOf(changed)]);
  });

  it('is 503 if indexing takes too long, until it is done', async () => {
    const shop = await world();
    const made = await shop.post('/products', simple('Cup'));
    await eventually(shop, 'cup', ['Cup']);
    // As many products as an import makes at once, straight into the tables.
    const many = JSON.stringify(Array.from({ length: 1500 }, (_, n) => n + 1));
    await storeOf(shop).batch([
      storeOf(shop)
        .prepare(`INSERT INTO products (id, tenant_id, sku, name, sort_name, slug, type, status, prices, images,
          tags, details, created_at, updated_at)
        SELECT ?2 + 1000000 + value, tenant_id, sku || value, name, sort_name, slug || value, type, status, prices, images,
          tags, details, created_at, updated_at
        FROM products, (SELECT value FROM json_each(?1)) WHERE products.id = ?2`)
        .bind(many, made.body.id),
      storeOf(shop)
        .prepare(`INSERT INTO inventory_items SELECT ?2 + 1000000 + value, tenant_id, ?2 + 1000000 + value, sku || value,
          on_hand, reserved, policy, derived, feed, deleted, updated_at + value
        FROM inventory_items, (SELECT value FROM json_each(?1)) WHERE inventory_items.id = ?2`)
        .bind(many, made.body.id),
      storeOf(shop)
        .prepare(
          'UPDATE tenants SET clock = clock + 1500, catalog_version = catalog_version + 1 WHERE id = ?',
        )
        .bind(shop.tenantId),
    ]);
    const version = versionOf(made) + 1;
    const late = await shop.get('/search?q=cup', at(version));
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
    expect(versionOf(await shop.get('/search?q=cup'))).toBeLessThan(version);
    await vi.waitFor(
      async () => expect((await shop.get('/search?q=cup', at(version))).status).toBe(200),
      30_000,
    );
    expect((await shop.get('/search?q=cup', at(version))).body.meta.total).toBe(1000);
  });
});

it('a plain search is one round trip to the search database and nothing else', async () => {
  const shop = await world();
  await shop.post('/products', simple('Cup'));
  await eventually(shop, 'cup', ['Cup']);
  const bindings = recordedBindings();
  const answer = await fetchWith(bindings.env, 'GET', '/v1/search?q=cu', shop.token);
  expect(answer.status).toBe(200);
  expect(bindings.calls.filter((call) => /\.(batch|all|raw|run|first|get|put)$/.test(call))).toEqual([
    expect.stringMatching(/^SEARCH_\d\d\.batch$/),
  ]);
});
