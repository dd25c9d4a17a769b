/** Searches of the catalogue by an agent, over both transports. */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { productPages } from '../../../src/catalog/index.ts';
import { ask, type CatalogShop, catalogShop, ids, TRANSPORTS } from './catalog-shop.ts';

let shop: CatalogShop['shop'];
let cup: CatalogShop['cup'];
let shirt: CatalogShop['shirt'];
beforeAll(async () => {
  ({ shop, cup, shirt } = await catalogShop());
});

describe.each(TRANSPORTS)('over %s', (transport) => {
  it('finds products by words, with prices in minor units and everything that a buyer asks for', async () => {
    // Seldom enough that a slow index doesn't use up the agent's requests.
    await vi.waitFor(
      async () => {
        expect(ids(await ask(shop, transport, 'search', { query: 'porcelain' }))).toEqual([`p${cup.id}`]);
      },
      { timeout: 100_000, interval: 500 },
    );
    const { body } = await ask(shop, transport, 'search', { query: 'cup' });
    expect(body.products).toEqual([
      {
        id: `p${cup.id}`,
        handle: 'porcelain-cup',
        title: 'Porcelain cup',
        description: { plain: 'White & thin', html: '<p>White &amp; <b>thin</b></p>' },
        url: `https://shop.example.com/p/porcelain-cup?variant=${cup.id}`,
        price_range: { min: { amount: 1000, currency: 'EUR' }, max: { amount: 1000, currency: 'EUR' } },
        list_price_range: { min: { amount: 1250, currency: 'EUR' }, max: { amount: 1250, currency: 'EUR' } },
        media: [{ type: 'image', url: 'https://img.example.com/cup.jpg', alt_text: 'A white cup' }],
        variants: [
          {
            id: `v${cup.id}`,
            sku: expect.any(String),
            title: 'Porcelain cup',
            description: { plain: 'White & thin', html: '<p>White &amp; <b>thin</b></p>' },
            url: `https://shop.example.com/p/porcelain-cup?variant=${cup.id}`,
            price: { amount: 1000, currency: 'EUR' },
            list_price: { amount: 1250, currency: 'EUR' },
            availability: { available: true, status: 'in_stock' },
            seller: {
              name: 'Kaffee & Kette',
              links: [{ type: 'refund_policy', url: 'https://shop.example.com/refunds' }],
            },
          },
        ],
        metadata: { product_type: 'simple' },
      },
    ]);
    expect(body.pagination).toEqual({ has_next_page: false, total_count: 1 });
  });

  it('browses everything for a wildcard', async () => {
    const everything = ids(await ask(shop, transport, 'search', { query: '*' }));
    expect(everything.sort()).toEqual([`p${cup.id}`, `p${shirt.id}`].sort());
  });

  it('browses by category, with the categories below it, and by price', async () => {
    const browse = async (filters: object, context = {}) =>
      ids(await ask(shop, transport, 'search', { filters, context }));
    expect(await browse({ categories: ['wear'] })).toEqual([`p${shirt.id}`]);
    expect(await browse({ categories: ['Jerseys', 'Nothing'] })).toEqual([`p${shirt.id}`]);
    expect(await browse({ categories: ['Nothing'] })).toEqual([]);
    expect(await browse({ price: { max: 1000 } })).toEqual([`p${cup.id}`]);
    expect(await browse({ price: { min: 9000 } }, { currency: 'EUR' })).toEqual([`p${shirt.id}`]);
    expect(await browse({ price: { min: 8000 }, categories: ['Jerseys'] })).toEqual([`p${shirt.id}`]);
  });

  it('ignores a price in a currency that it does not sell in, and says so', async () => {
    const filters = { price: { max: 1 } };
    const { body } = await ask(shop, transport, 'search', { filters, context: { currency: 'USD' } });
    expect(body.products.length).toBe(2);
    expect(body.messages).toMatchObject([{ type: 'warning', code: 'price_filter_ignored' }]);
  });

  it('continues a search at its cursor, and refuses the cursor of another search', async () => {
    const filters = { price: { min: 1 } };
    const first = await ask(shop, transport, 'search', { filters, pagination: { limit: 1 } });
    expect(first.body.pagination).toMatchObject({ has_next_page: true, total_count: 2 });
    const { cursor } = first.body.pagination;
    const second = await ask(shop, transport, 'search', { filters, pagination: { limit: 1, cursor } });
    expect(second.body.pagination).toEqual({ has_next_page: false, total_count: 2 });
    expect(new Set([...ids(first), ...ids(second)])).toEqual(new Set([`p${cup.id}`, `p${shirt.id}`]));
    const other = await ask(shop, transport, 'search', { filters, pagination: { cursor: 'x' } });
    expect(other.status).toBe(400);
    const byWords = await ask(shop, transport, 'search', { query: 'cup', pagination: { cursor } });
    expect(byWords.status).toBe(400);
    const ofWords = productPages.cursor(2, { sort: 'relevance', value: 1, id: 2 ** 45 });
    const browsed = await ask(shop, transport, 'search', { filters, pagination: { cursor: ofWords } });
    expect(browsed.status).toBe(400);
  });
});

it('searches with as many storage calls as /v1/search', async () => {
  const storefront = await shop.register();
  const calls = async (search: (q: string) => Promise<unknown>) => {
    await search('porcelain');
    const prototype = Object.getPrototypeOf(env.DB.withSession());
    const spies = [
      vi.spyOn(prototype, 'batch'),
      vi.spyOn(Object.getPrototypeOf(env.DB.prepare('SELECT 1')), 'all'),
      vi.spyOn(Object.getPrototypeOf(env.DB.prepare('SELECT 1')), 'raw'),
      vi.spyOn(Object.getPrototypeOf(env.CACHE), 'get'),
    ];
    // Not the one that is kept by now.
    await search('porcelai');
    const counted = spies.map((spy) => spy.mock.calls.length);
    for (const spy of spies) spy.mockRestore();
    return counted;
  };
  const path = '/search?include=variants,categories&q=';
  const direct = await calls((q) => shop.get(`${path}${q}`, { token: storefront.token }));
  const agents = await calls((q) => shop.rest('POST', '/catalog/search', { query: q }));
  expect(direct).toContain(2);
  expect(agents).toEqual(direct);
});
