import { describe, expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { createProduct, NEWEST, patchProduct } from '../../support/fixtures/catalog/products.ts';
import { seeingNow } from '../../support/fixtures/catalog/sales.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { eventsOfType } from '../../support/fixtures/selling/orders.ts';
import { type World, world } from '../../support/world.ts';

const size = (name: string, price: number, fields: object = {}) => ({
  sku: name,
  price,
  stock: 5,
  attributes: { size: name },
  ...fields,
});

const shirtOf = (shop: World, variants: object[], fields: object = {}) =>
  createProduct(shop, { type: 'configurable', variants, ...fields });

/** Returns the prices of a product and its variants, as its own page and the list show them. */
async function shown(shop: World, id: number, currency = 'EUR') {
  const seeing = await seeingNow(shop);
  const { body } = await shop.get(`/products/${id}?currency=${currency}`, seeing);
  const list = await shop.get(`/products?include=variants&currency=${currency}`, seeing);
  const prices = ({ price, regular_price, on_sale }: Record<string, unknown>) => [
    price,
    regular_price,
    on_sale,
  ];
  const both = [body, list.body.data.find((one: { id: number }) => one.id === id)].map((one) =>
    [one, ...one.variants].map(prices),
  );
  expect(both[0]).toEqual(both[1]);
  return both[0];
}

describe("a variant's regular price", () => {
  it('is what the variant is reduced from, and that of the product when it is the cheapest', async () => {
    const shop = await world();
    const product = await shirtOf(shop, [size('S', 20, { regular_price: 25 }), size('M', 30)]);
    expect(await shown(shop, product.body.id)).toEqual([
      [20, 25, true],
      [20, 25, true],
      [30, null, false],
    ]);
    const dearer = [size('S', 20, { regular_price: null }), size('M', 30, { regular_price: 40 })];
    await patchProduct(shop, product, { variants: dearer });
    expect(await shown(shop, product.body.id)).toEqual([
      [20, null, true],
      [20, null, false],
      [30, 40, true],
    ]);
  });

  it("wins over the product's, which stays for a cheapest variant without one", async () => {
    const shop = await world();
    const product = await shirtOf(shop, [size('S', 20), size('M', 30)], { regular_price: 28 });
    const stored = [
      [20, 28, true],
      [20, null, false],
      [30, null, false],
    ];
    expect(await shown(shop, product.body.id)).toEqual(stored);
    await patchProduct(shop, product, { variants: [size('S', 20, { regular_price: 22 }), size('M', 30)] });
    expect(await shown(shop, product.body.id)).toEqual([[20, 22, true], [20, 22, true], stored[2]]);
    await patchProduct(shop, product, { variants: [size('S', 20, { regular_price: null }), size('M', 30)] });
    expect(await shown(shop, product.body.id)).toEqual(stored);
  });

  it('is in the main currency only, and may equal the price', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const prices = { prices: { USD: 22 } };
    const { body } = await shirtOf(shop, [
      size('S', 20, { ...prices, regular_price: 25 }),
      size('M', 30, { prices: { USD: 33 }, regular_price: 30 }),
    ]);
    expect((await shown(shop, body.id))?.[2]).toEqual([30, 30, false]);
    expect(await shown(shop, body.id, 'USD')).toEqual([
      [22, null, false],
      [22, null, false],
      [33, null, false],
    ]);
  });

  it('stays when it is left out, also in a product that is renamed or copied', async () => {
    const shop = await world();
    const product = await shirtOf(shop, [size('S', 20, { regular_price: 25 })]);
    await patchProduct(shop, product, { name: 'Blouse' });
    await patchProduct(shop, product, { variants: [size('S', 19)] });
    expect((await shown(shop, product.body.id))?.[1]).toEqual([19, 25, true]);
    const copy = await shop.post(`/products/${product.body.id}/duplicate`, {});
    expect(copy.body.variants).toMatchObject([{ price: 19, regular_price: 25, on_sale: true }]);
  });

  it('gives way to the ordinary price during a sale, and is back after it', async () => {
    const shop = await world();
    const product = await shirtOf(shop, [size('S', 20, { regular_price: 25 })]);
    const sale = { variants: [size('S', 20, { sale: { price: 15 } })] };
    expect((await patchProduct(shop, product, sale)).variants).toMatchObject([
      { price: 15, regular_price: 20, on_sale: true },
    ]);
    await patchProduct(shop, product, { variants: [size('S', 20, { sale: null })] });
    expect(await shown(shop, product.body.id)).toEqual([
      [20, 25, true],
      [20, 25, true],
    ]);
  });
});

describe('a variant that is sent back as it was read', () => {
  it.each([
    ['with a regular price', { regular_price: 25 }],
    ['with a sale', { sale: { price: 15 } }],
    ['with both', { regular_price: 25, sale: { price: 15 } }],
    [
      'with both, and a sale to come',
      { regular_price: 25, sale: { price: 15, starts_at: '2100-01-01T00:00:00.000Z' } },
    ],
    ['with neither', {}],
  ])('stays as it was %s', async (_, fields) => {
    const shop = await world();
    const product = await shirtOf(shop, [size('S', 20, fields)]);
    const { variants } = product.body;
    expect((await patchProduct(shop, product, { variants })).variants).toEqual(variants);
    const events = await eventsOfType(shop, 'product.updated');
    expect(events.map(({ changed }) => changed)).toEqual([['created']]);
    // What a sale hid is still there.
    const ended = variants.map(({ id, attributes }: { id: number; attributes: object }) => ({
      id,
      attributes,
      price: 20,
      sale: null,
    }));
    const regular = 'regular_price' in fields ? fields.regular_price : null;
    expect((await patchProduct(shop, product, { variants: ended })).variants).toMatchObject([
      { price: 20, regular_price: regular },
    ]);
  });

  it('has in a new product the prices that it showed', async () => {
    const shop = await world();
    const { body } = await shirtOf(shop, [size('S', 20, { regular_price: 25 })]);
    const [{ id: _, ...variant }] = body.variants;
    const copy = await shirtOf(shop, [{ ...variant, sku: 'S2' }]);
    expect(copy.body.variants).toMatchObject([{ price: 20, regular_price: 25, on_sale: true }]);
  });

  it('loses its sale without a change of its ordinary price', async () => {
    const shop = await world();
    const product = await shirtOf(shop, [size('S', 20, { sale: { price: 15 } })]);
    const [variant] = product.body.variants;
    const ended = await patchProduct(shop, product, { variants: [{ ...variant, sale: null }] });
    expect(ended.variants).toMatchObject([{ price: 20, regular_price: null, on_sale: false }]);
  });
});

describe("a variant's regular price below its price", () => {
  it('is refused, and nothing is changed', async () => {
    const shop = await world();
    const body = { name: 'Shirt', type: 'configurable', price: 1 };
    const low = { ...body, variants: [size('S', 20), size('M', 20, { regular_price: 19.99 })] };
    const answer = await shop.post('/products', low);
    expectProblem(answer, 422, 'validation_error');
    expect(answer.body.errors).toEqual({ 'variants.1.regular_price': ['must not be below the price'] });
    const product = await shirtOf(shop, [size('S', 20, { regular_price: 25 })]);
    const path = `/products/${product.body.id}`;
    for (const [fields, message] of [
      [{ price: 26 }, 'must not be below the price'],
      [{ regular_price: 25.555 }, 'must have at most 2 decimals'],
      [{ regular_price: -1 }, ''],
      [{ regular_price: '25' }, ''],
    ] as const) {
      const refused = await shop.patch(path, { variants: [{ ...size('S', 20), ...fields }] });
      expectProblem(refused, 422, 'validation_error');
      expect(Object.keys(refused.body.errors)).toEqual(['variants.0.regular_price']);
      expect(JSON.stringify(refused.body.errors)).toContain(message);
    }
    const bulk = { ids: [product.body.id], change: { price: { kind: 'percent', percent: 50 } } };
    expect((await shop.post('/products/bulk', bulk)).body).toMatchObject({ updated: 0 });
    expect((await shown(shop, product.body.id))?.[1]).toEqual([20, 25, true]);
  });
});

describe('what follows it', () => {
  it('the filter, for the variant that is reduced', async () => {
    const shop = await world();
    const product = await shirtOf(shop, [size('S', 20), size('M', 30, { regular_price: 40 })]);
    const found = async (filter: string) =>
      (await shop.get(`/products?on_sale=true&${filter}`, NEWEST)).body.meta.total;
    expect([await found('attr.size=M'), await found('attr.size=S')]).toEqual([1, 0]);
    await patchProduct(shop, product, { variants: [size('S', 20), size('M', 30, { regular_price: null })] });
    expect(await found('')).toBe(0);
  });

  it('carts, and the event of the change', async () => {
    const shop = await world();
    const product = await shirtOf(shop, [size('S', 20), size('M', 30, { regular_price: 40 })]);
    const cart = await addToCart(shop, product, { variant_id: product.body.variants[1].id });
    expect(cart.body.items).toMatchObject([{ unit_price: 30, regular_price: 40 }]);
    await patchProduct(shop, product, { variants: [size('S', 20, { regular_price: 21 }), size('M', 30)] });
    const [, event] = await eventsOfType(shop, 'product.updated');
    expect(event).toMatchObject({ regular_price: 21, on_sale: true, changed: ['regular_price', 'variants'] });
  });
});
