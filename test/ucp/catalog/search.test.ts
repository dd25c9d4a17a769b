import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { forgetTenants, type UcpAnswer, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';

type Shop = Awaited<ReturnType<typeof ucpShop>>;

/** The operations of the catalogue by an agent, over both transports. */
const TRANSPORTS = ['rest', 'mcp'] as const;
const TOOLS = { search: 'search_catalog', lookup: 'lookup_catalog', product: 'get_product' } as const;

const ask = (
  shop: Shop,
  transport: (typeof TRANSPORTS)[number],
  what: keyof typeof TOOLS,
  catalog: object,
): Promise<UcpAnswer> =>
  transport === 'rest' ? shop.rest('POST', `/catalog/${what}`, catalog) : shop.tool(TOOLS[what], { catalog });

const jersey = {
  name: 'Merino jersey',
  type: 'configurable',
  variants: [
    {
      sku: 'J-M-F',
      price: 79,
      stock: 3,
      attributes: { Size: 'M', Colour: 'Forest' },
      barcode: '4006381333931',
    },
    { sku: 'J-L-F', price: 89, stock: 0, attributes: { Size: 'L', Colour: 'Forest' } },
    { sku: 'J-L-S', price: 95, stock: 2, attributes: { Size: 'L', Colour: 'Sand' } },
  ],
};

let shop: Shop;
let cup: { id: number };
let shirt: { id: number; variants: { id: number; sku: string }[] };
let category: { id: number };

beforeAll(async () => {
  shop = await ucpShop({
    name: 'Kaffee & Kette',
    currencies: ['EUR', 'JPY'],
    ucp: {
      storefront_url: 'https://shop.example.com/',
      product_url: 'https://shop.example.com/p/{slug}?variant={variant_id}',
      policies: { refunds: 'https://shop.example.com/refunds' },
    },
  });
  const parent = await shop.post('/categories', { name: 'Wear' });
  category = (await shop.post('/categories', { name: 'Jerseys', parent_id: parent.body.id })).body;
  cup = (
    await createProduct(shop, {
      name: 'Porcelain cup',
      description: '<p>White &amp; <b>thin</b></p>',
      regular_price: 12.5,
      stock: 5,
      images: [{ url: 'https://img.example.com/cup.jpg', alt: 'A white cup' }],
      tags: ['gift'],
    })
  ).body;
  shirt = (await createProduct(shop, { ...jersey, category_ids: [category.id] })).body;
  await createProduct(shop, { name: 'Hidden cup', status: 'inactive' });
  forgetTenants();
});

const variantOf = (sku: string): string => `v${shirt.variants.find((variant) => variant.sku === sku)?.id}`;
const ids = (answer: UcpAnswer): string[] => answer.body.products.map(({ id }: { id: string }) => id);

describe.each(TRANSPORTS)('over %s', (transport) => {
  it('finds products by words, with prices in minor units and everything that a buyer asks for', async () => {
    await vi.waitFor(async () => {
      expect(ids(await ask(shop, transport, 'search', { query: 'porcelain' }))).toEqual([`p${cup.id}`]);
    }, 30_000);
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

  it('continues a search at its cursor, and refuses one that is not its own', async () => {
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
  });

  it('looks up products and variants, each product once, with what led to each variant', async () => {
    const asked = [
      `p${shirt.id}`,
      variantOf('J-L-S'),
      variantOf('J-L-S'),
      `v${cup.id}`,
      'v999999999',
      'SKU-1',
    ];
    const { body } = await ask(shop, transport, 'lookup', { ids: asked });
    const found = new Map(
      body.products.map((product: { id: string; variants: { id: string; inputs: object[] }[] }) => [
        product.id,
        product.variants.map(({ id, inputs }) => ({ id, inputs })),
      ]),
    );
    expect(found).toEqual(
      new Map([
        [
          `p${shirt.id}`,
          [
            { id: variantOf('J-M-F'), inputs: [{ id: `p${shirt.id}`, match: 'featured' }] },
            { id: variantOf('J-L-S'), inputs: [{ id: variantOf('J-L-S'), match: 'exact' }] },
          ],
        ],
        [`p${cup.id}`, [{ id: `v${cup.id}`, inputs: [{ id: `v${cup.id}`, match: 'exact' }] }]],
      ]),
    );
    expect(body.messages.map(({ content }: { content: string }) => content)).toEqual(['v999999999', 'SKU-1']);
  });

  it('leaves out what a filter excludes, and refuses more ids than it takes', async () => {
    const { body } = await ask(shop, transport, 'lookup', {
      ids: [`p${shirt.id}`, `p${cup.id}`],
      filters: { price: { max: 2000 } },
    });
    expect(body.products.map(({ id }: { id: string }) => id)).toEqual([`p${cup.id}`]);
    const many = await ask(shop, transport, 'lookup', {
      ids: Array.from({ length: 51 }, (_, n) => `p${n + 1}`),
    });
    expect([many.status, many.body.code]).toEqual([400, transport === 'rest' ? 'request_too_large' : -32602]);
  });

  it("shows a product's featured variant, and what each other choice would mean", async () => {
    const { body } = await ask(shop, transport, 'product', { id: `p${shirt.id}` });
    expect(body.product.selected).toEqual([
      { name: 'Size', label: 'M' },
      { name: 'Colour', label: 'Forest' },
    ]);
    expect(body.product.variants.map(({ id }: { id: string }) => id)).toEqual([variantOf('J-M-F')]);
    expect(body.product.variants[0].barcodes).toEqual([{ type: 'GTIN', value: '4006381333931' }]);
    expect(body.product.options).toEqual([
      {
        name: 'Size',
        values: [
          { label: 'M', available: true, exists: true },
          { label: 'L', available: false, exists: true },
        ],
      },
      {
        name: 'Colour',
        values: [
          { label: 'Forest', available: true, exists: true },
          { label: 'Sand', available: false, exists: false },
        ],
      },
    ]);
    expect(body.product.categories).toEqual([{ value: 'Jerseys', taxonomy: 'merchant' }]);
  });

  it('narrows variants by selection, and relaxes what no variant has from the end of the preferences', async () => {
    const product = async (more: object) =>
      (await ask(shop, transport, 'product', { id: `p${shirt.id}`, ...more })).body.product;
    const large = await product({ selected: [{ name: 'size', label: 'l' }] });
    expect(large.variants.map(({ sku }: { sku: string }) => sku)).toEqual(['J-L-S', 'J-L-F']);
    const impossible = [
      { name: 'Size', label: 'M' },
      { name: 'Colour', label: 'Sand' },
    ];
    const bySize = await product({ selected: impossible, preferences: ['Size', 'Colour'] });
    expect(bySize.selected).toEqual([impossible[0]]);
    const byColour = await product({ selected: impossible, preferences: ['Colour', 'Size'] });
    expect(byColour.selected).toEqual([impossible[1]]);
    const named = await product({ id: variantOf('J-L-F'), selected: impossible });
    expect(named.selected).toEqual([
      { name: 'Size', label: 'L' },
      { name: 'Colour', label: 'Forest' },
    ]);
    expect(named.variants.map(({ sku }: { sku: string }) => sku)).toEqual(['J-L-F']);
  });

  it('refuses an option that is selected twice, in whatever spelling', async () => {
    const selected = [
      { name: 'Size', label: 'M' },
      { name: 'size', label: 'm' },
    ];
    const { status, body } = await ask(shop, transport, 'product', { id: `p${shirt.id}`, selected });
    expect([status, body.code]).toEqual([400, transport === 'rest' ? 'invalid_request' : -32602]);
  });

  it.each(['p999999999', 'v999999999', 'cup', ''])('reports %j as not found', async (id) => {
    const { status, body } = await ask(shop, transport, 'product', { id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ucp: { status: 'error' },
      messages: [{ type: 'error', code: 'not_found', severity: 'unrecoverable' }],
      continue_url: 'https://shop.example.com/',
    });
  });

  it("knows no other tenant's products", async () => {
    const other = await ucpShop();
    const looked = await ask(other, transport, 'lookup', { ids: [`p${cup.id}`, variantOf('J-M-F')] });
    expect(looked.body.products).toEqual([]);
    const product = await ask(other, transport, 'product', { id: `p${cup.id}` });
    expect(product.body.ucp.status).toBe('error');
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
