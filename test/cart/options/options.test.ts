import { expect, it, vi } from 'vitest';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, tryAddToCart } from '../../support/fixtures/selling/cart.ts';
import { type Answer, world } from '../../support/world.ts';
import { refused } from './refused.ts';

it.each(['simple', 'virtual'])(
  'keeps custom options of a %s product, and merges equal lines',
  async (type) => {
    const shop = await world({ settings: { shipping: { flat: 5 } } });
    const mug = await stockedProduct(shop, { name: 'Mug', type });
    const options = { engraving: 'Ada', size: 3, gift: true };
    const first = await addToCart(shop, mug, { options });
    const { cart_token } = first.body;
    expect(first.body.totals.shipping).toBe(type === 'simple' ? 5 : 0);
    await addToCart(shop, mug, { cart_token, options: { gift: true, size: 3, engraving: 'Ada' } });
    const other = await addToCart(shop, mug, { cart_token, options: { engraving: 'Bob' } });
    expect(other.body.items).toMatchObject([
      { quantity: 2, options },
      { quantity: 1, options: { engraving: 'Bob' } },
    ]);
    await refused(shop, mug, { engraving: ['a'] }, 'options.engraving', /must be a string/);
  },
);

it('adds the links of a downloadable product to its price', async () => {
  const shop = await world({ settings: { shipping: { flat: 5 } } });
  const link = (title: string, price: number) => ({
    title,
    price,
    url: `https://files.example.com/${title}`,
  });
  const album = await stockedProduct(shop, {
    name: 'Album',
    type: 'downloadable',
    price: 4,
    stock: 0,
    links: [link('One', 1), link('Two', 2.5)],
  });
  const [one, two] = album.body.links;
  const bought = await addToCart(shop, album, { options: { links: [two.id, one.id, two.id] }, quantity: 2 });
  expect(bought.body.items).toMatchObject([
    { unit_price: 7.5, total: 15, options: { links: [one.id, two.id] } },
  ]);
  expect(bought.body.totals.shipping).toBe(0);
  expect(JSON.stringify(bought.body)).not.toContain('files.example.com');
  await refused(shop, album, undefined, 'options.links', /is required: .*One.*Two/);
  await refused(shop, album, { links: [] }, 'options.links', /is required/);
  await refused(shop, album, { links: two.id }, 'options.links', /is required/);
  await refused(shop, album, { links: [99] }, 'options.links', /99 is not one of/);
  const bare = await stockedProduct(shop, { name: 'Ticket', type: 'downloadable', price: 4 });
  expect((await addToCart(shop, bare, {})).body.items).toMatchObject([{ unit_price: 4, options: {} }]);
  await refused(shop, bare, { links: [1] }, 'options.links', /no links/);
});

it('includes free files in every currency, and names the choices that have no price in one', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const url = 'https://files.example.com/book';
  const book = await stockedProduct(shop, {
    name: 'Book',
    type: 'downloadable',
    price: 4,
    prices: { USD: 5 },
    links: [
      { title: 'PDF', url },
      { title: 'MP3', price: 2, url },
    ],
  });
  const shown = (await shop.get(`/products/${book.body.id}?currency=USD`)).body.links;
  expect(shown).toMatchObject([{ title: 'PDF', price: 0 }, { title: 'MP3' }]);
  expect(shown[1].price).toBeUndefined();
  const buy = (links: unknown) =>
    shop.post('/cart', {
      currency: 'USD',
      items: [{ product_id: book.body.id, quantity: 1, options: { links } }],
    });
  expect((await buy([shown[0].id])).body.items).toMatchObject([{ unit_price: 5, total: 5 }]);
  const missing = await buy(shown.map(({ id }: { id: number }) => id));
  expect([missing.status, missing.body.errors]).toEqual([
    422,
    { 'items.0.product_id': ['Book (PDF, MP3) has no price in USD'] },
  ]);
});

it('finds the variant of a configurable product, by id or attributes', async () => {
  const shop = await world();
  const variant = (color: string, size: string, price: number, stock: number) => ({
    sku: `TEE-${color}-${size}`,
    price,
    stock,
    attributes: { color, size },
  });
  const tee = await stockedProduct(shop, {
    name: 'Tee',
    type: 'configurable',
    variants: [variant('Black', 'S', 12, 3), variant('Black', 'M', 13, 1), variant('White', 'S', 14, 5)],
  });
  const [, blackM, whiteS] = tee.body.variants;
  const byId = await addToCart(shop, tee, { options: { variant_id: whiteS.id } });
  const { cart_token } = byId.body;
  const same = { cart_token, options: { attributes: { color: 'White' } } };
  const byAttributes = await addToCart(shop, tee, same);
  expect(byAttributes.body.items).toMatchObject([
    {
      variant_id: whiteS.id,
      sku: 'TEE-White-S',
      quantity: 2,
      unit_price: 14,
      options: { variant_id: whiteS.id, attributes: { color: 'White', size: 'S' } },
    },
  ]);
  const short = await tryAddToCart(shop, tee, { quantity: 2, options: { variant_id: blackM.id } });
  expect(short.status).toBe(409);
  expect(short.body.details).toMatchObject({ product_id: tee.body.id, variant_id: blackM.id, available: 1 });

  await refused(shop, tee, undefined, 'options.variant_id', /is required unless attributes/);
  await refused(shop, tee, {}, 'options.variant_id', /Black, S.*White, S/);
  await refused(shop, tee, { attributes: { color: 'Black' } }, 'options.attributes.size', /one of S, M/);
  await refused(shop, tee, { attributes: { color: 'Red' } }, 'options.attributes', /must match a variant/);
  await refused(shop, tee, { attributes: { size: 5 } }, 'options.attributes.size', /must be a string/);
  await refused(shop, tee, { attributes: 'S' }, 'options.attributes', /object/);
  await refused(shop, tee, { variant_id: 12 }, 'options.variant_id', /must be a variant/);
  await refused(shop, tee, { variant_id: `${whiteS.id}` }, 'options.variant_id', /^must be a number$/);
  const both = { variant_id: whiteS.id, attributes: { color: 'Black' } };
  await refused(shop, tee, both, 'options.attributes', /must match a variant/);
});

it('compares the names of options once each, however many a request has', async () => {
  const shop = await world();
  const variants = Array.from({ length: 100 }, (_, n) => ({
    sku: `T-${n}`,
    price: 5,
    stock: 1,
    attributes: { Größe: 'M', Muster: `${n}` },
  }));
  const tee = await stockedProduct(shop, { name: 'Tee', type: 'configurable', variants });
  // Soft hyphens are invisible.
  const names = Array.from({ length: 50 }, (_, n) => `größe${'\u00ad'.repeat(n)}`);
  const options = { attributes: Object.fromEntries([...names.map((name) => [name, 'M']), ['Muster', '7']]) };
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const added = await addToCart(shop, tee, { options });
  // Some for each variant and each name, and not for each name in each variant.
  expect(normalize.mock.calls.length).toBeLessThan(5_000);
  normalize.mockRestore();
  expect(added.body.items).toMatchObject([{ sku: 'T-7' }]);
});

it('asks for an option that some variants lack, whatever its name', async () => {
  const shop = await world();
  const attributes: Record<string, string>[] = [
    { constructor: 'Ada', size: 'M' },
    { constructor: 'Bob', size: 'M' },
    { size: 'M' },
  ];
  const variants = attributes.map((one, n) => ({ sku: `KIT-${n}`, price: 5, stock: 1, attributes: one }));
  const kit = await stockedProduct(shop, { name: 'Kit', type: 'configurable', variants });
  const options = { attributes: { size: 'M' } };
  await refused(shop, kit, options, 'options.attributes.constructor', /^is required: one of Ada, Bob$/);
});

it('adds a grouped product as lines of its members, all or none', async () => {
  const shop = await world();
  const cup = await stockedProduct(shop, { name: 'Cup', price: 3, stock: 4 });
  const plate = await stockedProduct(shop, { name: 'Plate', price: 5, stock: 50 });
  const set = await stockedProduct(shop, {
    name: 'Set',
    type: 'grouped',
    grouped: [{ product_id: cup.body.id }, { product_id: plate.body.id }],
  });
  const [cupId, plateId] = [cup.body.id, plate.body.id];
  const alone = await addToCart(shop, set, { product_id: cupId });
  const { cart_token } = alone.body;
  const both = await addToCart(shop, set, {
    cart_token,
    quantity: 2,
    options: { qty: { [cupId]: 1, [plateId]: 3 } },
  });
  expect(both.body.items).toMatchObject([
    { product_id: cupId, quantity: 3, options: {} },
    { product_id: plateId, quantity: 6 },
  ]);
  const short = await tryAddToCart(shop, set, { cart_token, options: { qty: { [plateId]: 1, [cupId]: 2 } } });
  expect(short.status).toBe(409);
  expect(short.body.details).toMatchObject({ product_id: cupId, requested: 2, in_cart: 3, available: 4 });
  expect((await shop.get(`/cart/${cart_token}`)).body.items).toEqual(both.body.items);

  await refused(shop, set, { qty: [1] }, 'options.qty', new RegExp(`by product id: .*${cupId} \\(Cup\\)`));
  await refused(shop, set, { qty: null }, 'options.qty', /by product id/);
  await refused(shop, set, { qty: {} }, 'options.qty', /at least one/);
  await refused(shop, set, { qty: { [cupId]: 0 } }, 'options.qty', /at least one/);
  await refused(shop, set, { qty: { [cupId]: 1.5 } }, `options.qty.${cupId}`, /must be an integer/);
  await refused(shop, set, { qty: { [cupId]: '2' } }, `options.qty.${cupId}`, /must be an integer/);
  await refused(shop, set, { qty: { 999999: 1 } }, 'options.qty.999999', /must be a member/);
});

it("uses a grouped product's default quantities if none are given", async () => {
  const shop = await world();
  const [cup, plate, spoon] = await Promise.all(
    ['Cup', 'Plate', 'Spoon'].map((name) => stockedProduct(shop, { name, price: 3, stock: 40 })),
  );
  const member = (made: Answer | undefined, default_quantity?: number) => ({
    product_id: made?.body.id,
    ...(default_quantity === undefined ? {} : { default_quantity }),
  });
  const set = await stockedProduct(shop, {
    name: 'Set',
    type: 'grouped',
    grouped: [member(cup), member(plate, 4), member(spoon, 0)],
  });
  const wanted = [
    { product_id: cup?.body.id, quantity: 2, options: { gift: true } },
    { product_id: plate?.body.id, quantity: 8, options: { gift: true } },
  ];
  const added = await addToCart(shop, set, { quantity: 2, options: { gift: true } });
  expect(added.body.items).toMatchObject(wanted);
  expect(added.body.items).toHaveLength(2);
  // What is not on sale is left out; nothing left is refused.
  const hidden = await shop.patch(`/products/${plate?.body.id}`, { status: 'inactive' });
  const fewer = await addToCart(shop, hidden, { product_id: set.body.id });
  expect(fewer.body.items).toMatchObject([{ product_id: cup?.body.id, quantity: 1 }]);
  expect(fewer.body.items).toHaveLength(1);
  const none = await stockedProduct(shop, { name: 'None', type: 'grouped', grouped: [member(spoon, 0)] });
  await refused(shop, none, undefined, 'options.qty', /at least one/);
});

it.each(['continue', 'untracked'])('sells without stock under the policy %s', async (inventory_policy) => {
  const shop = await world();
  const print = await stockedProduct(shop, { name: 'Print', stock: 0, inventory_policy });
  const many = await addToCart(shop, print, { quantity: 9_000 });
  expect(many.body.warnings).toEqual([]);
  const tee = await stockedProduct(shop, {
    name: 'Tee',
    type: 'configurable',
    inventory_policy,
    variants: [{ sku: 'tee-s', price: 9, stock: 0, attributes: { size: 'S' } }],
  });
  const tees = await addToCart(shop, tee, { quantity: 9_000, options: { attributes: { size: 'S' } } });
  expect(tees.body.warnings).toEqual([]);
});
