import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createProduct, seeing } from '../../support/fixtures/catalog/products.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { admitted } from '../../support/statuses.ts';
import { type Answer, type World, world } from '../../support/world.ts';

/** What a product's card in a list needs without another request, the same wherever products are shown. */

const CARD = [
  ...['price', 'regular_price', 'on_sale', 'sale_ends_at', 'in_stock', 'price_range', 'image', 'options'],
];

/** Returns the card fields of a product that details, list and search agree on. */
async function card(shop: World, seen: Answer, currency = '') {
  const { id } = seen.body;
  const query = currency && `currency=${currency}&`;
  const detail = (await shop.get(`/products/${id}?${query}`, seeing(seen))).body;
  const list = await shop.get(`/products?${query}limit=100`, seeing(seen));
  const listed = list.body.data.find((one: { id: number }) => one.id === id);
  const pick = (item: Answer['body']) => Object.fromEntries(CARD.map((field) => [field, item[field]]));
  expect(pick(listed)).toEqual(pick(detail));
  if (!currency) {
    const found = await admitted(() => shop.get(`/search?q=${seen.body.sku}`, seeing(seen)));
    expect(pick(found.body.data.find((one: { id: number }) => one.id === id))).toEqual(pick(detail));
  }
  return pick(detail);
}

const variant = (sku: string, price: number, attributes: object, more: object = {}) => ({
  sku,
  price,
  attributes,
  ...more,
});
const url = (name: string) => `https://cdn.example.com/${name}.jpg`;

describe("a simple product's card", () => {
  it('shows its price, first image and availability', async () => {
    const shop = await world();
    const cup = await createProduct(shop, { stock: 1, images: [url('a'), url('b')] });
    expect(await card(shop, cup)).toEqual({
      price: 10,
      regular_price: null,
      on_sale: false,
      sale_ends_at: null,
      price_range: { min: 10, max: 10 },
      in_stock: true,
      image: url('a'),
      options: [],
    });
    expect(await card(shop, await createProduct(shop))).toMatchObject({ in_stock: false, image: null });
  });

  it('shows a reduction in the main currency', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const cup = await createProduct(shop, { regular_price: 12, prices: { USD: 11 } });
    expect(await card(shop, cup)).toMatchObject({ regular_price: 12, on_sale: true });
    expect(await card(shop, cup, 'USD')).toMatchObject({
      price: 11,
      regular_price: null,
      on_sale: false,
      price_range: { min: 11, max: 11 },
    });
    const dear = await shop.patch(`/products/${cup.body.id}`, { price: 12 });
    expect(await card(shop, dear)).toMatchObject({ regular_price: 12, on_sale: false });
  });

  it('is in stock where no stock is asked for', async () => {
    const shop = await world();
    const states = ['continue', 'untracked', 'deny'].map(async (inventory_policy) => {
      const cup = await createProduct(shop, { inventory_policy });
      return (await card(shop, cup)).in_stock;
    });
    expect(await Promise.all(states)).toEqual([true, true, false]);
    const file = { type: 'downloadable', links: [{ title: 'L', url: url('a') }] };
    expect((await card(shop, await createProduct(shop, file))).in_stock).toBe(true);
  });
});

describe("a configurable product's card", () => {
  const shirt = {
    type: 'configurable',
    images: [url('shirt')],
    variants: [
      variant('b-m', 12, { Color: 'Black', Size: 'M' }, { stock: 1, image: url('black') }),
      variant('b-s', 9, { Color: 'Black', Size: 'S' }, { prices: { USD: 10 } }),
      variant('r-m', 15, { Size: 'M', Color: 'Red' }),
    ],
  };

  const inEuros = { ...shirt, variants: shirt.variants.map((one) => ({ ...one, prices: {} })) };

  it('shows the range of prices, and the options in the order of the variants', async () => {
    const shop = await world();
    const made = await createProduct(shop, inEuros);
    expect(await card(shop, made)).toMatchObject({
      price: 9,
      price_range: { min: 9, max: 15 },
      in_stock: true,
      image: url('shirt'),
      options: [
        { name: 'Color', values: ['Black', 'Red'] },
        { name: 'Size', values: ['M', 'S'] },
      ],
    });
  });

  it('names its variants in the order of its options, with availability and image', async () => {
    const shop = await world();
    const made = await createProduct(shop, inEuros);
    const list = await shop.get('/products?include=variants', seeing(made));
    for (const { variants } of [made.body, list.body.data[0]]) {
      const shown = variants.map((one: Answer['body']) => [one.name, one.in_stock, one.image]);
      expect(shown).toEqual([
        ['Black / M', true, url('black')],
        ['Black / S', false, null],
        ['Red / M', false, null],
      ]);
    }
  });

  it('shows of a currency what is sold in it', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const made = await createProduct(shop, shirt);
    expect(await card(shop, made, 'USD')).toMatchObject({
      price: 10,
      price_range: { min: 10, max: 10 },
      options: [
        { name: 'Color', values: ['Black'] },
        { name: 'Size', values: ['S'] },
      ],
    });
    expect((await card(shop, made)).options).toHaveLength(2);
  });

  it('is in stock in a currency where a variant sold in it is', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const made = await createProduct(shop, { ...shirt, tags: ['shirt'] });
    const other = await createProduct(shop, { name: 'Other', tags: ['shirt'], prices: { USD: 1 } });
    const states = async (seen: Answer) => {
      const related = await shop.get(`/products/${other.body.id}/related?currency=USD`, seeing(seen));
      const filtered = await shop.get('/products?currency=USD&type=configurable', seeing(seen));
      const [inEuro, inDollar] = [await card(shop, seen), await card(shop, seen, 'USD')];
      const lists = [related, filtered].map(({ body }) => body.data[0].in_stock);
      return [inEuro.in_stock, inDollar.in_stock, ...lists];
    };
    const changedBy = async (body: object) =>
      states({ ...(await shop.patch(`/products/${made.body.id}`, body)), body: made.body });
    expect(await changedBy({ status: 'active' })).toEqual([true, false, false, false]);
    const variants = shirt.variants.map((one) => ({ ...one, stock: one.sku === 'b-s' ? 2 : 0 }));
    expect(await changedBy({ variants })).toEqual([true, true, true, true]);
  });

  it('follows its variants and its type', async () => {
    const shop = await world();
    const made = await createProduct(shop, {
      type: 'configurable',
      variants: [variant('v', 5, { Size: 'M' })],
    });
    const path = `/products/${made.body.id}`;
    const more = [variant('v', 5, { Size: 'M' }), variant('w', 7, { Size: 'L' }, { stock: 2 })];
    const grown = await shop.patch(path, { variants: more });
    expect(await card(shop, grown)).toMatchObject({
      price_range: { min: 5, max: 7 },
      in_stock: true,
      options: [{ name: 'Size', values: ['M', 'L'] }],
    });
    const simple = await shop.patch(path, { type: 'simple', price: 6, stock: 0 });
    expect(await card(shop, simple)).toMatchObject({
      price_range: { min: 6, max: 6 },
      in_stock: false,
      options: [],
    });
  });

  it('is the same for products from before the upgrade', async () => {
    const shop = await world();
    const made = await createProduct(shop, inEuros);
    const select = storeOf(shop)
      .prepare('SELECT variant_summary AS summary FROM products WHERE id = ?')
      .bind(made.body.id);
    const before = await select.first<{ summary: string }>();
    const upgrade = env.MIGRATIONS_MAIN.flatMap(({ queries }) => queries).find((query) =>
      /UPDATE `products` SET `variant_summary`/.test(query),
    );
    await storeOf(shop)
      .prepare('UPDATE products SET variant_summary = NULL WHERE id = ?')
      .bind(made.body.id)
      .run();
    await storeOf(shop)
      .prepare(upgrade ?? '')
      .run();
    expect(JSON.parse((await select.first<{ summary: string }>())?.summary ?? '')).toEqual(
      JSON.parse(before?.summary ?? ''),
    );
  });
});

describe("a group's or bundle's card", () => {
  it('is in stock if one of a group can be sold, or all that a bundle needs', async () => {
    const shop = await world();
    const gone = (await createProduct(shop)).body.id;
    const ordered = (await createProduct(shop, { inventory_policy: 'continue' })).body.id;
    const inStock = async (body: object) => (await card(shop, await createProduct(shop, body))).in_stock;
    const group = (...ids: number[]) => ({
      type: 'grouped',
      grouped: ids.map((product_id) => ({ product_id })),
    });
    const bundle = (...ids: number[]) => ({
      type: 'bundled',
      bundle_groups: ids.map((product_id) => ({ title: 'T', items: [{ product_id }] })),
    });
    expect(await inStock(group(gone))).toBe(false);
    expect(await inStock(group(gone, ordered))).toBe(true);
    expect(await inStock(bundle(gone, ordered))).toBe(false);
    expect(await inStock(bundle(ordered))).toBe(true);
  });
});
