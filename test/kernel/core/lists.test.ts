/** Every list can be read by cursor instead of by page. */
import { describe, expect, it } from 'vitest';
import { png, uploaded } from '../../media/images.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { type Answer, admin, type World, world } from '../../support/world.ts';

/** Lists with at least three rows each; `path` is that of a list of the tenant or of the platform. */
async function shopWithLists(): Promise<{ shop: World; lists: readonly List[] }> {
  const shop = await world();
  for (let n = 0; n < 3; n++) {
    await createProduct(shop, { name: `Cup ${n}` });
    await shop.post('/coupons', { code: `C${n}`, kind: 'percent', value: 10 });
    await shop.register();
    await uploaded(shop, png(n + 1, 1));
  }
  const webhook = (await shop.post('/webhooks', { url: 'https://example.com/hook', events: ['order.paid'] }))
    .body;
  const of = (path: string): List => ({
    path,
    key: 'id',
    read: (query) => shop.get(`${path}?${query}`),
  });
  const platform = (path: string, key = 'id'): List => ({
    path,
    key,
    read: (query) => admin('GET', `${path}?${query}`),
  });
  return {
    shop,
    lists: [
      ...['/products', '/coupons', '/marketplace/products', '/orders', '/imports', '/media'].map((path) =>
        of(path),
      ),
      of(`/webhooks/${webhook.id}/deliveries`),
      platform('/tenants', 'slug'),
      platform(`/tenants/${shop.slug}/applications`),
      platform('/dead-letters'),
    ],
  };
}

interface List {
  readonly path: string;
  readonly key: string;
  read(query: string): Promise<Answer>;
}

/** Reads a list to its end by cursor; returns the keys of its rows. */
async function walk({ read, key }: List, limit: number): Promise<unknown[]> {
  const keys: unknown[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await read(`limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(status, JSON.stringify(body)).toBe(200);
    keys.push(...body.data.map((row: Record<string, unknown>) => row[key]));
    cursor = body.meta.next_cursor;
  } while (cursor !== null);
  return keys;
}

describe('a list', () => {
  it('has the same rows by cursor as by page', async () => {
    const { lists } = await shopWithLists();
    for (const list of lists.filter(({ key }) => key === 'id')) {
      const whole = await list.read('limit=100');
      const keys = whole.body.data.map((row: Record<string, unknown>) => row[list.key]);
      expect(await walk(list, 2), list.path).toEqual(keys);
      expect(await walk(list, 100), list.path).toEqual(keys);
      expect(whole.body.meta.next_cursor, list.path).toBeNull();
    }
  });

  it('of the platform has every tenant once, although others are being made', async () => {
    const { lists, shop } = await shopWithLists();
    const tenants = lists.find(({ key }) => key === 'slug');
    const slugs = tenants ? await walk(tenants, 7) : [];
    expect(slugs).toContain(shop.slug);
    expect(slugs).toEqual([...new Set(slugs)].sort());
  });

  it('refuses a cursor that it did not return, and one together with a page', async () => {
    const { lists, shop } = await shopWithLists();
    const { body } = await shop.get('/products?limit=1');
    const { next_cursor } = body.meta;
    const altered = `${next_cursor.slice(0, -6)}${next_cursor.at(-6) === 'A' ? 'B' : 'A'}${next_cursor.slice(-5)}`;
    for (const list of lists) {
      const other = list.path === '/products' ? [] : [next_cursor];
      for (const cursor of ['', 'abc', altered, ...other]) {
        const refused = await list.read(`cursor=${cursor}`);
        expect([refused.status, refused.body.errors], `${list.path} ${cursor}`).toEqual([
          422,
          { cursor: [expect.stringContaining('next_cursor')] },
        ]);
      }
      const both = await list.read(`page=1&cursor=${next_cursor}`);
      expect([both.status, both.body.errors.cursor], list.path).toEqual([
        422,
        ['must not be combined with page'],
      ]);
    }
  });
});

it('shows each product that stays exactly once while others are written', async () => {
  const shop = await world();
  const stay = new Set<number>();
  for (let n = 0; n < 12; n++)
    stay.add((await createProduct(shop, { name: `Stay ${n}`, price: 10 + n })).body.id);
  const gone = (await createProduct(shop, { name: 'Gone', price: 12.5 })).body.id;
  for (const sort of ['newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc']) {
    const seen: number[] = [];
    let cursor: string | null = null;
    let version = '';
    for (let n = 0; n === 0 || cursor !== null; n++) {
      const at: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page = await shop.get(`/products?sort=${sort}&limit=3${at}`, {
        headers: { 'x-catalog-version': version },
      });
      expect(page.status, JSON.stringify(page.body)).toBe(200);
      seen.push(...page.body.data.map(({ id }: { id: number }) => id));
      cursor = page.body.meta.next_cursor;
      // Before and after the cursor, in every order.
      await createProduct(shop, { name: `A ${sort} ${n}`, price: 1 });
      const written = await createProduct(shop, { name: `Z ${sort} ${n}`, price: 99 });
      if (n === 1) await shop.delete(`/products/${gone}`);
      version = written.headers.get('x-catalog-version') ?? '';
      if (n > 30) break;
    }
    const found = seen.filter((id) => stay.has(id));
    expect(
      [...found].sort((a, b) => a - b),
      sort,
    ).toEqual([...stay]);
  }
});
