import { describe, expect, it } from 'vitest';
import { importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { type World, world } from '../support/world.ts';

/** A file of one product with three sizes, of which each line has a price and a compare-at price. */
const file = (...lines: readonly [price: number, compare: number | ''][]): string =>
  [
    'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Compare At Price',
    ...lines.map(([price, compare], n) => `tee,Tee,Size,${'SML'[n]},T-${n},${price},${compare}`),
  ].join('\n');

const prices = ({ price, regular_price, on_sale }: Record<string, unknown>) => [
  price,
  regular_price,
  on_sale,
];

/** Returns price, regular price and reduction of the product, then of its variants. */
async function shown(shop: World) {
  const { tee } = await productsBySlug(shop);
  return [tee, ...tee.variants].map(prices);
}

const create = async (shop: World, regular: readonly (number | null)[], product: number | null) => {
  const variants = [20, 22, 30].map((price, n) => ({
    sku: `T-${n}`,
    price,
    stock: 1,
    attributes: { Size: 'SML'[n] },
    regular_price: regular[n],
  }));
  const body = { name: 'Tee', slug: 'tee', type: 'configurable', price: 20, variants };
  const made = await shop.post('/products', { ...body, regular_price: product });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
};

describe('compare-at prices', () => {
  it('are those of their variants', async () => {
    const shop = await world();
    const lines = file([20, 25], [22, 25], [30, '']);
    expect(await importFile(shop, lines)).toMatchObject({ created: 1, errors: [] });
    const first = [
      [20, 25, true],
      [20, 25, true],
      [22, 25, true],
      [30, null, false],
    ];
    expect(await shown(shop)).toEqual(first);
    expect(await importFile(shop, lines)).toMatchObject({ unchanged: 1 });
    const changed = file([20, ''], [22, 22], [30, 35]);
    expect(await importFile(shop, changed)).toMatchObject({ updated: 1 });
    expect(await shown(shop)).toEqual([
      [20, null, true],
      [20, null, false],
      [22, null, false],
      [30, 35, true],
    ]);
    expect(await importFile(shop, changed)).toMatchObject({ unchanged: 1 });
  });

  it('stay without the column, unless the price exceeds them', async () => {
    const shop = await world();
    await importFile(shop, file([20, 25], [22, 25], [30, '']));
    const rows = ['20', '26', '30'].map((price, n) => `tee,Tee,Size,${'SML'[n]},T-${n},${price}`);
    const head = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price';
    await importFile(shop, [head, ...rows].join('\n'));
    expect(await shown(shop)).toEqual([
      [20, 25, true],
      [20, 25, true],
      [26, null, false],
      [30, null, false],
    ]);
  });

  it("are those of the lines' variants in a file without the other ones", async () => {
    const shop = await world();
    await create(shop, [null, null, 35], 28);
    const head = 'Handle,Title,Variant SKU,Variant Price,Variant Compare At Price';
    await importFile(shop, `${head}\ntee,Tee,T-1,22,24\n`);
    expect(await shown(shop)).toEqual([
      [20, 28, true],
      [20, null, false],
      [22, 24, true],
      [30, 35, true],
    ]);
  });

  it("leave the product's only if it is above the price of the cheapest variant", async () => {
    const shop = await world();
    await create(shop, [null, null, 35], 21);
    const head = 'Handle,Title,Variant SKU,Variant Price,Variant Compare At Price';
    await importFile(shop, `${head}\ntee,Tee,T-0,40,45\n`);
    expect(await shown(shop)).toEqual([
      [22, null, true],
      [40, 45, true],
      [22, null, false],
      [30, 35, true],
    ]);
  });

  it('become those of the variants of a product that has one of its own from an earlier import', async () => {
    const shop = await world();
    await create(shop, [null, null, null], 25);
    expect(await importFile(shop, file([20, 25], [22, 25], [30, '']))).toMatchObject({ updated: 1 });
    expect(await shown(shop)).toEqual([
      [20, 25, true],
      [20, 25, true],
      [22, 25, true],
      [30, null, false],
    ]);
  });
});

describe('an exported file changes nothing when it is imported again', () => {
  it.each([
    ['with no regular price', [null, null, null], null],
    ["with the product's only", [null, null, null], 25],
    ["with one of the product's that is the price", [null, null, null], 20],
    ['with those of all variants', [25, 25, 35], null],
    ["with the dearest variant's", [null, null, 35], null],
    ["with a variant's and the product's", [null, 28, null], 25],
    ["with the cheapest variant's and the product's", [21, null, null], 25],
    ['with some that are the prices', [20, 22, null], 20],
  ] as const)('%s', async (_, variants, product) => {
    const [shop, other] = [await world(), await world()];
    await create(shop, variants, product);
    const before = await shown(shop);
    const csv = String((await shop.get('/exports/products', { headers: { accept: 'text/csv' } })).body);
    expect(await importFile(shop, csv)).toMatchObject({ unchanged: 1, updated: 0, errors: [] });
    expect(await shown(shop)).toEqual(before);
    await importFile(other, csv);
    // A compare-at price that is the price is none there, and the product's is its cheapest variant's.
    const seen = ([product, , ...dearer]: unknown[][]) =>
      [product, ...dearer].map((one) => [one?.[0], one?.[2]]);
    expect(seen(await shown(other))).toEqual(seen(before));
  });
});
