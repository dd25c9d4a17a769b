/** Agents can look up and show every type of product, priced in any currency. */
import { describe, expect, it, vi } from 'vitest';
import { forgetTenants, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';

type Shop = Awaited<ReturnType<typeof ucpShop>>;

describe('every type of product', () => {
  const TYPES: [string, (shop: Shop) => Promise<object>][] = [
    ['simple', async () => ({ price: 1, stock: 1 })],
    ['virtual', async () => ({ price: 1, stock: 1 })],
    [
      'configurable',
      async () => ({ variants: [{ sku: 'J-M', price: 79, stock: 3, attributes: { Size: 'M' } }] }),
    ],
    [
      'downloadable',
      async () => ({ price: 1, stock: 1, links: [{ title: 'PDF', url: 'https://f.example.com/a.pdf' }] }),
    ],
    [
      'grouped',
      async (own) => ({
        price: 1,
        grouped: [{ product_id: (await createProduct(own)).body.id, default_quantity: 1 }],
      }),
    ],
    [
      'bundled',
      async (own) => ({
        price: 1,
        bundle_groups: [
          {
            title: 'Cup',
            required: true,
            items: [{ product_id: (await createProduct(own)).body.id, quantity: 1, default: true }],
          },
        ],
      }),
    ],
    [
      'booking',
      async () => ({
        price: 1,
        booking: {
          timezone: 'Europe/Berlin',
          slots: [{ from: '2099-01-01T10:00:00Z', to: '2099-01-01T11:00:00Z', capacity: 2 }],
        },
      }),
    ],
  ];

  it.each(TYPES)('%s can be looked up and shown', async (type, body) => {
    const own = await ucpShop();
    const product = await createProduct(own, { type, name: 'Thing', ...(await body(own)) });
    forgetTenants();
    const looked = await own.rest('POST', '/catalog/lookup', { ids: [`p${product.body.id}`] });
    expect(looked.body.products).toMatchObject([
      { id: `p${product.body.id}`, metadata: { product_type: type } },
    ]);
    const shown = await own.tool('get_product', { catalog: { id: `p${product.body.id}` } });
    expect(shown.body.product.variants.length).toBeGreaterThan(0);
  });
});

it('prices in a currency without decimals', async () => {
  const own = await ucpShop({ currency: 'JPY' });
  const product = await createProduct(own, { price: 1500 });
  forgetTenants();
  const { body } = await own.rest('POST', '/catalog/product', { id: `p${product.body.id}` });
  expect(body.product.variants[0].price).toEqual({ amount: 1500, currency: 'JPY' });
});

it('prices in each currency that an agent asks for, one after the other', async () => {
  const own = await ucpShop({ currencies: ['EUR', 'USD'] });
  const product = await createProduct(own, { price: 10, prices: { USD: 12 } });
  forgetTenants();
  for (const [currency, amount] of [
    ['EUR', 1000],
    ['USD', 1200],
  ] as const) {
    const asked = { id: `p${product.body.id}`, context: { currency } };
    const { body } = await own.rest('POST', '/catalog/product', asked);
    expect(body.product.variants[0].price).toEqual({ amount, currency });
  }
});

it('shows what each of 500 values of an option would mean', async () => {
  const shop = await ucpShop();
  const labelOf = (n: number) => `Täglich für Größe ${n} ${'ö'.repeat(150)}`;
  const variants = Array.from({ length: 500 }, (_, n) => ({
    sku: `SIZE-${n}`,
    price: 5,
    stock: n === 7 ? 0 : 1,
    attributes: { Größe: labelOf(n) },
  }));
  const { body } = await createProduct(shop, { type: 'configurable', variants });
  const asked = { id: `p${body.id}`, selected: [{ name: 'grosse', label: labelOf(9).toUpperCase() }] };
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const { product } = (await shop.rest('POST', '/catalog/product', asked)).body;
  // Some for each value, and not for each value beside each other.
  expect(normalize.mock.calls.length).toBeLessThan(20_000);
  normalize.mockRestore();
  const [{ values }] = product.options;
  expect([values.length, values[7].available, values[8].available]).toEqual([500, false, true]);
  expect(product.variants.map(({ sku }: { sku: string }) => sku)).toEqual(['SIZE-9']);
});

it('shows variants that lack an option whose name objects inherit', async () => {
  const shop = await ucpShop();
  const attributes: Record<string, string>[] = [{ constructor: 'Ada', size: 'M' }, { size: 'L' }];
  const variants = attributes.map((one, n) => ({ sku: `KIT-${n}`, price: 5, stock: 1, attributes: one }));
  const { body } = await createProduct(shop, { type: 'configurable', variants });
  forgetTenants();
  const { product } = (await shop.rest('POST', '/catalog/product', { id: `p${body.id}` })).body;
  const optionsOf = ({ options }: { options: { name: string; label: string }[] }) =>
    Object.fromEntries(options.map(({ name, label }) => [name, label]));
  const [looked] = (await shop.rest('POST', '/catalog/lookup', { ids: [`p${body.id}`] })).body.products;
  expect(looked.variants.map(optionsOf)).toEqual([attributes[0]]);
  expect(product.variants.map(optionsOf)).toEqual([attributes[0]]);
  const large = { id: `p${body.id}`, selected: [{ name: 'size', label: 'L' }] };
  const shown = (await shop.rest('POST', '/catalog/product', large)).body.product;
  expect(shown.variants.map(optionsOf)).toEqual([attributes[1]]);
});

it('shows a product whose variants have different options without comparing each with each', async () => {
  const shop = await ucpShop();
  const namesOf = (n: number) => Array.from({ length: 20 }, (_, m) => `Größe ${n} ${m}`);
  const variants = Array.from({ length: 100 }, (_, n) => ({
    sku: `SET-${n}`,
    price: 5,
    stock: 1,
    attributes: Object.fromEntries(namesOf(n).map((name) => [name, 'M'])),
  }));
  const { body } = await createProduct(shop, { type: 'configurable', variants });
  forgetTenants();
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const { product } = (await shop.rest('POST', '/catalog/product', { id: `p${body.id}` })).body;
  // A few for each of the 2,000 names.
  expect(normalize.mock.calls.length).toBeLessThan(50_000);
  normalize.mockRestore();
  expect(product.options).toHaveLength(2_000);
  const valuesOf = (n: number) => product.options[n].values;
  expect(valuesOf(19)).toEqual([{ label: 'M', available: true, exists: true }]);
  // No variant has it beside the selected ones of the first variant.
  expect(valuesOf(20)).toEqual([{ label: 'M', available: false, exists: false }]);
});
