/** A cart shows its line items without another request, and takes a variant's id alone. */
import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { fetchWith, recordedBindings } from '../support/faults/bindings.ts';
import { evict } from '../support/faults/injector.ts';
import { seeing, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart, cartObject } from '../support/fixtures/selling/cart.ts';
import { type Answer, type World, world } from '../support/world.ts';

const image = (name: string) => `https://shop.example.com/${name}.jpg`;
const HOUR = 3600_000;
const at = (hours: number) => new Date(Math.ceil(Date.now() / HOUR) * HOUR + hours * HOUR).toISOString();

const shirt = (shop: World): Promise<Answer> =>
  stockedProduct(shop, {
    name: 'Shirt',
    type: 'configurable',
    images: [image('shirt')],
    variants: [
      { sku: crypto.randomUUID(), attributes: { Color: 'Black', Size: 'M' }, price: 20, stock: 5 },
      {
        sku: crypto.randomUUID(),
        attributes: { Color: 'Red', Size: 'L' },
        price: 21,
        stock: 5,
        image: image('red'),
      },
    ],
  });

it('shows what each type of product was chosen with', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', images: [image('mug'), image('back')] });
  const tee = await shirt(shop);
  const url = 'https://files.example.com/song';
  const song = await stockedProduct(shop, {
    name: 'Song',
    type: 'downloadable',
    links: [
      { title: 'MP3', price: 1, url },
      { title: 'FLAC', price: 2, url },
    ],
  });
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    price: 1,
    bundle_groups: [
      { title: 'Cup', items: [{ product_id: mug.body.id, quantity: 2 }] },
      { title: 'Extras', required: false, multiple: true, items: [{ product_id: mug.body.id }] },
    ],
  });
  const slot = { from: at(24), to: at(25), capacity: 3 };
  const visit = await stockedProduct(shop, {
    name: 'Visit',
    type: 'booking',
    booking: { timezone: 'Europe/Berlin', slots: [slot] },
  });
  const set = await stockedProduct(shop, {
    name: 'Set',
    type: 'grouped',
    grouped: [{ product_id: mug.body.id, default_quantity: 3 }],
  });
  const [black, red] = tee.body.variants;
  const { cart_token } = (
    await addToCart(shop, visit, { options: { booking: { from: slot.from, to: slot.to } } })
  ).body;
  await addToCart(shop, tee, { cart_token, options: { variant_id: black.id } });
  await addToCart(shop, tee, { cart_token, options: { variant_id: red.id } });
  await addToCart(shop, song, {
    cart_token,
    options: { links: song.body.links.map(({ id }: { id: number }) => id) },
  });
  const shown = await addToCart(shop, set, { cart_token, options: { note: 'not shown' } });
  const { items, total_quantity } = shown.body;
  expect(total_quantity).toBe(7);
  expect(items).toMatchObject([
    {
      slug: 'visit',
      image: null,
      type: 'booking',
      variant_id: null,
      selected: [
        { name: 'From', value: slot.from, timezone: 'Europe/Berlin' },
        { name: 'To', value: slot.to, timezone: 'Europe/Berlin' },
      ],
    },
    {
      slug: 'shirt',
      image: image('shirt'),
      type: 'configurable',
      variant_id: black.id,
      selected: [
        { name: 'Color', value: 'Black' },
        { name: 'Size', value: 'M' },
      ],
    },
    { slug: 'shirt', image: image('red'), variant_id: red.id },
    {
      slug: 'song',
      type: 'downloadable',
      selected: [
        { name: 'Download', value: 'MP3' },
        { name: 'Download', value: 'FLAC' },
      ],
    },
    { slug: 'mug', image: image('mug'), type: 'simple', selected: [], options: { note: 'not shown' } },
  ]);
  const [cup] = kit.body.bundle_groups;
  const bundle_options = { [cup.id]: [cup.items[0].id] };
  const bundled = await addToCart(shop, kit, { quantity: 2, options: { bundle_options } });
  expect(bundled.body.items).toMatchObject([
    { type: 'bundled', selected: [{ name: 'Cup', value: '2 × Mug' }] },
  ]);
});

it('follows a renamed product and a new image, and sums what a coupon leaves', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', images: [image('mug')] });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 3 })).body;
  const changed = await shop.patch(`/products/${mug.body.id}`, { slug: 'cup', images: [image('cup')] });
  await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  const cart = await shop.post(`/cart/${cart_token}/coupon`, { code: 'TEN' }, seeing(changed));
  expect(cart.body.items).toMatchObject([{ slug: 'cup', image: image('cup') }]);
  expect(cart.body.totals).toMatchObject({ subtotal: 30, discount: 3, subtotal_after_discount: 27 });
});

/** What each line costs, and what it is struck through with. */
const prices = ({ body }: Answer) =>
  body.items.map((item: { unit_price: number; regular_price: number }) => [
    item.unit_price,
    item.regular_price,
  ]);

it('shows what the price of each type of product is reduced from, in the currency of the cart', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const variant = { price: 20, prices: { USD: 25 }, stock: 5 };
  const tee = await stockedProduct(shop, {
    name: 'Tee',
    type: 'configurable',
    variants: [
      { ...variant, sku: crypto.randomUUID(), attributes: { Size: 'M' }, sale: { price: 15 } },
      { ...variant, sku: crypto.randomUUID(), attributes: { Size: 'L' } },
    ],
  });
  const url = 'https://files.example.com/song';
  const links = [{ title: 'MP3', price: 1, prices: { USD: 2 }, url }];
  const song = await stockedProduct(shop, {
    name: 'Song',
    type: 'downloadable',
    price: 10,
    prices: { USD: 12 },
    sale: { price: 8, prices: { USD: 9 } },
    links,
  });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10, prices: { USD: 12 }, regular_price: 13 });
  const cup = await stockedProduct(shop, { name: 'Cup', price: 5, prices: { USD: 6 } });
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    price: 1,
    bundle_groups: [
      { title: 'Mugs', items: [{ product_id: mug.body.id, quantity: 2 }] },
      { title: 'Cup', items: [{ product_id: cup.body.id }] },
    ],
  });
  const set = await stockedProduct(shop, {
    name: 'Set',
    type: 'grouped',
    grouped: [{ product_id: cup.body.id, default_quantity: 1 }],
  });
  const [m, l] = tee.body.variants;
  const [group1, group2] = kit.body.bundle_groups;
  const bundle_options = { [group1.id]: [group1.items[0].id], [group2.id]: [group2.items[0].id] };
  const items = [
    { variant_id: m.id, quantity: 2 },
    { variant_id: l.id, quantity: 1 },
    { product_id: song.body.id, quantity: 1, options: { links: [song.body.links[0].id] } },
    { product_id: mug.body.id, quantity: 1 },
    { product_id: kit.body.id, quantity: 1, options: { bundle_options } },
    { product_id: set.body.id, quantity: 1 },
  ];
  const inEuros = await shop.post('/cart', { items }, seeing(set));
  expect(prices(inEuros)).toEqual([
    [15, 20],
    [20, null],
    [9, 11],
    [10, 13],
    [25, 31],
    [5, null],
  ]);
  const bought = items.filter(({ product_id }) => product_id !== kit.body.id);
  const inDollars = await shop.post('/cart', { currency: 'USD', items: bought }, seeing(set));
  expect(prices(inDollars)).toEqual([
    [25, null],
    [25, null],
    [11, 14],
    [12, null],
    [6, null],
  ]);
});

it('shows when a reduction begins and ends, also in a cart that was stored before carts showed it', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const added = await addToCart(shop, mug, {});
  const path = `/cart/${added.body.cart_token}`;
  expect(prices(added)).toEqual([[10, null]]);
  const begun = await shop.patch(`/products/${mug.body.id}`, { sale: { price: 7 } });
  const reduced = await shop.get(path, seeing(begun));
  expect(prices(reduced)).toEqual([[7, 10]]);
  const object = cartObject(shop, added.body.cart_token);
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    sql.exec("UPDATE lines SET json = json_remove(json, '$.offer.reducedFrom')");
  });
  await evict(object);
  expect((await shop.get(path, seeing(begun))).body).toEqual(reduced.body);
  const ended = await shop.patch(`/products/${mug.body.id}`, { sale: null });
  const after = await shop.get(path, seeing(ended));
  expect(prices(after)).toEqual([[10, null]]);
  expect(after.headers.get('etag')).not.toBe(reduced.headers.get('etag'));
});

it('finds the product of a variant, without storage once it is known', async () => {
  const shop = await world();
  const tee = await shirt(shop);
  const [black, red] = tee.body.variants;
  const adding = (body: object) => shop.post('/cart/items', { quantity: 1, ...body }, seeing(tee));
  const first = await adding({ variant_id: red.id });
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  expect(first.body.items).toMatchObject([{ product_id: tee.body.id, variant_id: red.id, unit_price: 21 }]);
  const { cart_token } = first.body;
  const both = await adding({ cart_token, product_id: tee.body.id, variant_id: black.id });
  expect(both.body.items).toHaveLength(2);
  const { env: counted, calls } = recordedBindings();
  const init = {
    body: JSON.stringify({ cart_token, variant_id: red.id, quantity: 2 }),
    headers: { 'content-type': 'application/json', ...seeing(tee).headers },
  };
  const warm = await fetchWith(counted, 'POST', '/v1/cart/items', shop.token, init);
  expect(((await warm.json()) as Answer['body']).items[0].quantity).toBe(3);
  expect(calls.filter((call) => /^(DB|CACHE)\./.test(call))).toEqual([]);
});

it('refuses a variant that is unknown, of another product or tenant, or contradicted', async () => {
  const shop = await world();
  const other = await world();
  const [tee, mug, theirs] = [
    await shirt(shop),
    await stockedProduct(shop, { name: 'Mug' }),
    await shirt(other),
  ];
  const hidden = await shirt(shop);
  const seen = await shop.patch(`/products/${hidden.body.id}`, { status: 'inactive' });
  const [black, red] = tee.body.variants;
  for (const body of [
    { variant_id: 999_999_999 },
    { variant_id: mug.body.id },
    { variant_id: theirs.body.variants[0].id },
    { variant_id: hidden.body.variants[0].id },
    { variant_id: black.id, product_id: mug.body.id },
    { variant_id: black.id, options: { variant_id: red.id } },
    { variant_id: 0 },
    { variant_id: '7' },
  ]) {
    const refused = await shop.post('/cart/items', { quantity: 1, ...body }, seeing(seen));
    expect([refused.status, refused.body.code], JSON.stringify(body)).toEqual([422, 'validation_error']);
    expect(Object.keys(refused.body.errors)).toEqual(['variant_id']);
  }
  const nothing = await shop.post('/cart/items', { quantity: 1 }, seeing(seen));
  expect([nothing.status, Object.keys(nothing.body.errors)]).toEqual([422, ['product_id']]);
});

it('opens a cart that was stored before line items had these fields', async () => {
  const shop = await world();
  const tee = await shirt(shop);
  const [black] = tee.body.variants;
  const before = await addToCart(shop, tee, { options: { variant_id: black.id } });
  const { cart_token } = before.body;
  const object = cartObject(shop, cart_token);
  const forget = () =>
    runInDurableObject(object, (_, { storage: { sql } }) => {
      const fields = "'$.offer.slug', '$.offer.image', '$.offer.type', '$.offer.selected'";
      sql.exec(`UPDATE lines SET json = json_remove(json, ${fields})`);
    });
  await forget();
  await evict(object);
  expect((await shop.get(`/cart/${cart_token}`)).body).toEqual(before.body);
  // What is no longer on sale can't be looked up.
  await forget();
  await evict(object);
  const gone = await shop.delete(`/products/${tee.body.id}`);
  const cart = await shop.get(`/cart/${cart_token}`, seeing(gone));
  expect(cart.body.items).toMatchObject([{ slug: null, image: null, type: 'configurable', selected: [] }]);
});
