/** Products and variants that an agent looks up by their ids, over both transports. */
import { beforeAll, describe, expect, it } from 'vitest';
import { forgetTenants, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { ask, type CatalogShop, catalogShop, TRANSPORTS } from './catalog-shop.ts';

let shop: CatalogShop['shop'];
let cup: CatalogShop['cup'];
let shirt: CatalogShop['shirt'];
beforeAll(async () => {
  ({ shop, cup, shirt } = await catalogShop());
});

const variantOf = (sku: string): string => `v${shirt.variants.find((variant) => variant.sku === sku)?.id}`;

describe.each(TRANSPORTS)('over %s', (transport) => {
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

  it("finds no product by a variant's number, also beside the variant", async () => {
    const asked = [`p${variantOf('J-L-S').slice(1)}`, variantOf('J-L-S')];
    const { body } = await ask(shop, transport, 'lookup', { ids: asked });
    const [{ variants }, ...others] = body.products;
    expect([variants.length, variants[0].inputs, others]).toEqual([
      1,
      [{ id: asked[1], match: 'exact' }],
      [],
    ]);
    expect(body.messages.map(({ content }: { content: string }) => content)).toEqual([asked[0]]);
  });

  it('lists what a variant is reduced from', async () => {
    const variants = [
      { sku: `L-${transport}-S`, price: 20, stock: 1, attributes: { Size: 'S' } },
      { sku: `L-${transport}-M`, price: 20, regular_price: 25, stock: 1, attributes: { Size: 'M' } },
    ];
    const made = await createProduct(shop, { name: 'Linen shirt', type: 'configurable', variants });
    forgetTenants();
    const prices = [];
    for (const { id } of made.body.variants) {
      const { body } = await ask(shop, transport, 'product', { id: `v${id}` });
      prices.push(body.product.variants[0].list_price);
    }
    expect(prices).toEqual([undefined, { amount: 2500, currency: 'EUR' }]);
  });

  it.each([
    ['Fish &amp; chips', 'Fish & chips'],
    ['5 &lt; 7 &#8364;', '5 < 7 €'],
    ['Ada&#146;s cup &#150; 5 &#x80;', 'Ada’s cup – 5 €'],
    ['&Scaron;koda &ccaron;aj &oelig;uvre &hearts;', 'Škoda čaj œuvre &hearts;'],
    ['<p><img src="https://img.example.com/a.jpg" alt=""></p>', 'Plate'],
    ['&nbsp;', 'Plate'],
    ['AT&T; 5 < 7\nand more', 'AT&T; 5 < 7\nand more'],
  ])('describes a product in plain text: %j', async (description, plain) => {
    const { id } = (await createProduct(shop, { name: 'Plate', description })).body;
    forgetTenants();
    const { body } = await ask(shop, transport, 'product', { id: `p${id}` });
    expect(body.product.description.plain).toBe(plain);
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
