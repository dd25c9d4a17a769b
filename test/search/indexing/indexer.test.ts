import { afterEach, describe, expect, it, vi } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import { failStatements } from '../../support/faults/database.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { cron } from '../../support/fixtures/selling/checkout.ts';
import { searchOf, storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';
import {
  eventually,
  found,
  OF_SEARCH,
  queue,
  withoutSearchMessages,
  writeUnnoticed,
} from '../index-queue.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const simple = (name: string, more: object = {}) => ({ name, type: 'simple', price: 10, ...more });

const catchUpMessage = (shop: World) => ({ tenantId: shop.tenantId, catchUp: true });

const start = (shop: World) => ({ tenantId: shop.tenantId, rebuild: 'start' });

describe('while the index is unreachable', () => {
  it('messages are retried with growing delays, for days', async () => {
    const shop = await world();
    await writeUnnoticed(shop, 'POST', '/products', simple('Giraffe'));
    const restore = failStatements(OF_SEARCH);
    for (const [attempts, delay] of [
      [1, 5],
      [2, 10],
      [5, 80],
      [11, 3_600],
      [99, 3_600],
    ]) {
      expect(await queue('search-index', [{ body: catchUpMessage(shop), attempts: attempts ?? 0 }])).toEqual({
        acked: 0,
        delays: [delay],
      });
    }
    restore();
    expect((await queue('search-index', [{ body: catchUpMessage(shop), attempts: 100 }])).acked).toBe(1);
    expect(await found(shop, 'giraffe')).toEqual(['Giraffe']);
  });

  it('one message suffices to index all missed changes: new, cheaper, sold out, deleted', async () => {
    const shop = await world();
    const made = await Promise.all(
      ['Red cup', 'Blue cup', 'Green cup'].map((name) => shop.post('/products', simple(name, { stock: 3 }))),
    );
    const [red, blue, green] = made.map(({ body }) => body);
    await eventually(shop, 'cup', ['Red cup', 'Blue cup', 'Green cup']);
    await writeUnnoticed(shop, 'PATCH', `/products/${red.id}`, { price: 99 });
    await writeUnnoticed(shop, 'POST', '/inventory/adjustments', { items: [{ sku: blue.sku, stock: 0 }] });
    await writeUnnoticed(shop, 'DELETE', `/products/${green.id}`, {});
    await writeUnnoticed(shop, 'POST', '/products', simple('Black cup'));
    expect(await found(shop, 'cup')).toEqual(['Red cup', 'Blue cup', 'Green cup']);
    await queue('search-index', [{ body: catchUpMessage(shop) }]);
    // Until a lease ends, an isolate serves what it has of the version that the lease names.
    moveClock(2_000);
    const { data } = (await shop.get('/search?q=cup')).body;
    expect(data.map(({ name, price, stock }: never) => [name, price, stock])).toEqual([
      ['Red cup', 99, 3],
      ['Blue cup', 10, 0],
      ['Black cup', 10, 0],
    ]);
  });
});

describe('a dead letter', () => {
  let searches = 0;
  /** Searches with a limit of its own, which no response in memory has: a rebuild does not change the version. */
  async function inIndex(shop: World, q: string): Promise<string[]> {
    const { body } = await shop.get(`/search?q=${q}&limit=${1 + (searches++ % 100)}`);
    return body.data.map(({ name }: { name: string }) => name);
  }

  it.each(['a change', 'a rebuild'])('starts a rebuild: %s', async (what) => {
    const shop = await world();
    await shop.post('/products', simple('Zebra'));
    await eventually(shop, 'zebra', ['Zebra']);
    await searchOf(shop)
      .prepare('DELETE FROM search_documents WHERE tenant_id = ?')
      .bind(shop.tenantId)
      .run();
    expect(await inIndex(shop, 'zebra')).toEqual([]);
    const body = what === 'a change' ? catchUpMessage(shop) : { ...start(shop), run: 'r' };
    await queue('dead-letters', [{ body }, { body }]);
    await expect.poll(() => inIndex(shop, 'zebra'), { interval: 500 }).toEqual(['Zebra']);
  });

  it('of another queue starts none', async () => {
    const shop = await world();
    const { bindings, sent } = withoutSearchMessages();
    const bodies = [
      { tenantId: shop.tenantId, importId: 'imp_1' },
      { tenantId: shop.tenantId, eventId: 'evt_1' },
      'x',
    ];
    await queue(
      'dead-letters',
      bodies.map((body) => ({ body })),
      bindings,
    );
    expect(sent).toEqual([]);
  });
});

describe('a category', () => {
  const category = async (shop: World, body: object) =>
    (await shop.post('/categories', body)).body.id as number;

  it('that gets an image, a slug or SEO text sends search no message', async () => {
    const shop = await world();
    const id = await category(shop, { name: 'Empty' });
    const { bindings, sent } = withoutSearchMessages();
    for (let n = 0; n < 5; n++) {
      const body = JSON.stringify({
        image_url: `https://img.example.com/${n}`,
        slug: `s${n}`,
        seo: { title: 't' },
      });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetchWith(bindings, 'PATCH', `/v1/categories/${id}`, shop.token, {
        body,
        headers,
      });
      expect(answer.status).toBe(200);
    }
    expect(sent).toEqual([]);
  });

  it('that is renamed, moved or deleted has its products and those below it indexed again, and no others', async () => {
    const shop = await world();
    const top = await category(shop, { name: 'Alpha' });
    const below = await category(shop, { name: 'Beta', parent_id: top });
    const other = await category(shop, { name: 'Gamma' });
    await shop.post('/products', simple('One', { category_ids: [top] }));
    await shop.post('/products', simple('Two', { category_ids: [below] }));
    await shop.post('/products', simple('Six', { category_ids: [other] }));
    await eventually(shop, 'alpha', ['One', 'Two']);
    await eventually(shop, 'gamma', ['Six']);
    const versions = async () => {
      const sql = `SELECT item ->> 'name' AS name, version FROM search_documents WHERE tenant_id = ? ORDER BY 1`;
      const { results } = await searchOf(shop)
        .prepare(sql)
        .bind(shop.tenantId)
        .all<{ name: string; version: number }>();
      return new Map(results.map(({ name, version }) => [name, version]));
    };
    const before = await versions();
    await shop.patch(`/categories/${top}`, { name: 'Delta' });
    await eventually(shop, 'delta', ['One', 'Two']);
    expect(await found(shop, 'alpha')).toEqual([]);
    const after = await versions();
    expect(after.get('Six')).toBe(before.get('Six'));
    expect(after.get('Two')).toBeGreaterThan(before.get('Two') ?? 0);
    await shop.patch(`/categories/${below}`, { parent_id: other });
    await eventually(shop, 'gamma', ['Two', 'Six']);
    await eventually(shop, 'delta', ['One']);
    await shop.delete(`/categories/${other}`);
    await eventually(shop, 'gamma', []);
    expect(await found(shop, 'beta')).toEqual(['Two']);
    const left = storeOf(shop)
      .prepare('SELECT count(*) AS n FROM search_changes WHERE tenant_id = ?')
      .bind(shop.tenantId);
    expect(await left.first('n')).toBe(0);
  });

  it('with more products than one step takes is indexed again completely', async () => {
    const shop = await world();
    const [top, inner] = [await category(shop, { name: 'Alpha' }), await category(shop, { name: 'Inner' })];
    const many = Array.from({ length: 230 }, (_, n) => n);
    // Ten at once: of more, a busy machine may refuse some.
    for (let at = 0; at < many.length; at += 10) {
      const some = many.slice(at, at + 10).map((n) => ({
        name: `Lamp ${n}`,
        category_ids: n % 3 === 0 ? [top, inner] : [top],
      }));
      await Promise.all(some.map((lamp) => createProduct(shop, lamp)));
    }
    await shop.patch(`/categories/${inner}`, { parent_id: top });
    const renamed = await shop.patch(`/categories/${top}`, { name: 'Omega' });
    const headers = { 'x-catalog-version': renamed.headers.get('x-catalog-version') ?? '' };
    expect((await shop.get('/search?q=omega', { headers })).body.meta.total).toBe(230);
    expect((await shop.get('/search?q=alpha')).body.meta.total).toBe(0);
    await shop.delete(`/categories/${top}`);
    await vi.waitFor(async () => expect((await shop.get('/search?q=omega')).body.meta.total).toBe(0), 30_000);
    expect((await shop.get('/search?q=inner')).body.meta.total).toBe(77);
  });

  it('whose message was lost is indexed by the cron', async () => {
    const shop = await world();
    const id = await category(shop, { name: 'Alpha' });
    await shop.post('/products', simple('One', { category_ids: [id] }));
    await eventually(shop, 'alpha', ['One']);
    await writeUnnoticed(shop, 'PATCH', `/categories/${id}`, { name: 'Omega' });
    expect(await found(shop, 'omega')).toEqual([]);
    moveClock(2 * 60_000);
    await cron();
    await eventually(shop, 'omega', ['One']);
  });
});
