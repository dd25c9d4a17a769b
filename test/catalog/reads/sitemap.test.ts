import { describe, expect, it } from 'vitest';
import { insertProducts, NEWEST } from '../../support/fixtures/catalog/products.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { send, type World, world } from '../../support/world.ts';

/** Follows the cursors of a sitemap to its end; returns the slugs page by page. */
async function pages(shop: World, kind: string): Promise<string[][]> {
  const found: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body } = await shop.get(`/sitemap?kind=${kind}${query}`, NEWEST);
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(body.data.map(({ slug }: { slug: string }) => slug));
    cursor = body.meta.next_cursor;
  }
  return found;
}

describe('the sitemap', () => {
  it('lists active products by slug, each once, with the time of their last change', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const make = (name: string, more: object = {}) =>
      shop.post('/products', { name, type: 'simple', price: 10, ...more });
    const cup = await make('Cup');
    await make('Idle', { status: 'inactive' });
    const gone = await make('Gone');
    await make('Mug', { slug: 'the-mug' });
    await shop.delete(`/products/${gone.body.id}`);
    const { body, headers } = await shop.get('/sitemap?kind=products', NEWEST);
    expect(body).toEqual({
      data: [
        { slug: 'cup', updated_at: cup.body.updated_at },
        { slug: 'the-mug', updated_at: expect.any(String) },
      ],
      meta: { next_cursor: null },
    });
    expect(headers.get('etag')).not.toBeNull();
  });

  it('lists categories that are not hidden, nor below a hidden one', async () => {
    const shop = await world();
    const make = async (name: string, more: object = {}): Promise<number> =>
      (await shop.post('/categories', { name, ...more })).body.id;
    await make('Zebra');
    const staff = await make('Staff', { hidden: true });
    await make('Below', { parent_id: staff });
    const { updated_at } = (await shop.patch(`/categories/${await make('Apple')}`, { name: 'A' })).body;
    expect((await shop.get('/sitemap?kind=categories', NEWEST)).body.data).toEqual([
      { slug: 'zebra', updated_at: expect.any(String) },
      { slug: 'apple', updated_at },
    ]);
  });

  it('has 1,000 a page, and loses nothing while products come and go', async () => {
    const shop = await world();
    await insertProducts(shop, 2_000);
    const whole = await pages(shop, 'products');
    expect(whole.map((page) => page.length)).toEqual([1_000, 1_000]);
    expect(whole.flat()).toEqual(Array.from({ length: 2_000 }, (_, n) => `p-${n}`));

    const { body } = await shop.get('/sitemap?kind=products', NEWEST);
    await storeOf(shop)
      .prepare(`DELETE FROM product_listings WHERE tenant_id = ? AND product_id % 2 = 0`)
      .bind(shop.tenantId)
      .run();
    const rest = await shop.get(`/sitemap?kind=products&cursor=${body.meta.next_cursor}`, NEWEST);
    const slugs = rest.body.data.map(({ slug }: { slug: string }) => slug);
    expect(slugs).toEqual(Array.from({ length: 500 }, (_, n) => `p-${1_001 + 2 * n}`));
  });

  it('refuses by name a kind that is none, and a cursor that is not its own', async () => {
    const shop = await world();
    await insertProducts(shop, 1_001);
    const { next_cursor } = (await shop.get('/sitemap?kind=products', NEWEST)).body.meta;
    const errors = async (query: string) => Object.keys((await shop.get(`/sitemap${query}`)).body.errors);
    expect(await errors('')).toEqual(['kind']);
    expect(await errors('?kind=orders')).toEqual(['kind']);
    expect(await errors('?kind=products&page=2')).toEqual(['page']);
    for (const cursor of ['', 'x', `${next_cursor}A`, next_cursor.slice(1)]) {
      expect(await errors(`?kind=products&cursor=${cursor}`)).toEqual(['cursor']);
    }
    expect(await errors(`?kind=categories&cursor=${next_cursor}`)).toEqual(['cursor']);
  });

  it('is read from memory once it was read', async () => {
    const shop = await world();
    await insertProducts(shop, 3);
    const { token } = await shop.register({ kind: 'storefront' });
    const first = await send('GET', '/v1/sitemap?kind=products', { token });
    await storeOf(shop)
      .prepare('UPDATE products SET slug = id WHERE tenant_id = ?')
      .bind(shop.tenantId)
      .run();
    const again = await send('GET', '/v1/sitemap?kind=products', { token });
    expect(again.body).toEqual(first.body);
  });

  it('reads the rows of its page, however many there are beside them', async () => {
    const [shop, other] = [await world(), await world({ plan: 'enterprise' })];
    await insertProducts(other, 3_000);
    await shop.post('/categories', { name: 'Cups' });
    for (const [one, kind, rows] of [
      [other, 'products', 1_000],
      [shop, 'products', 0],
      [shop, 'categories', 1],
    ] as const) {
      const { read } = await measureDatabase(() => one.get(`/sitemap?kind=${kind}`, NEWEST));
      expect(read).toBeLessThan(5 * rows + 20);
    }
  });
});
