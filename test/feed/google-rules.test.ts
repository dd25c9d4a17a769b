/**
 * Each attribute of a feed's items against Google's product data specification
 * (https://support.google.com/merchants/answer/7052112, and 6324461 for `gtin`, 6324460 for the dates of a sale,
 * 6324503 for `shipping_weight`), read in November 2026.
 */

import { describe, expect, it } from 'vitest';
import { ATTRIBUTES } from '../../src/feed/product-feeds/google-item.ts';
import { gtinOf } from '../../src/feed/product-feeds/gtin.ts';
import { DAY, HOUR, MINUTE, now } from '../../src/kernel/core/clock.ts';
import { feedShop, IMAGE, itemsOf, listed, problemsOf } from './feed-shop.ts';
import { RULES } from './google-attributes.ts';

const at = (ms: number) => new Date(ms).toISOString();

/** Products with the largest and the oddest values that the catalogue takes. */
async function oddShop() {
  const shop = await feedShop();
  const shirts = (await shop.post('/categories', { name: 'Shirts' })).body.id;
  const long = 'Ä'.repeat(250);
  await listed(shop, {
    name: long,
    vendor: long.slice(0, 200),
    description: `<p>${'word &amp; '.repeat(2_000)}</p>`,
    images: Array.from({ length: 30 }, (_, n) => `https://img.example.com/${n},x.jpg`),
    attributes: { Color: ['Red', 'Green', 'Blue', 'Gold'], size: 'XL' },
    barcode: '4006381333931',
    category_ids: [shirts],
    sale: { price: 8, ends_at: at(now() + DAY) },
  });
  await listed(shop, {
    attributes: { color: 'x'.repeat(200), mpn: 'M-1' },
    barcode: '4006381333932',
    stock: 0,
  });
  await listed(shop, {
    type: 'virtual',
    name: '<b>&"\'',
    sale: { price: 9, starts_at: at(now() + HOUR), ends_at: at(now() + DAY) },
  });
  await listed(shop, {
    type: 'configurable',
    vendor: 'Acme',
    variants: [
      { sku: `a-${crypto.randomUUID()}`, price: 10, stock: 1, attributes: { Color: 'Red', Size: 'S' } },
      { sku: `b-${crypto.randomUUID()}`, price: 12, stock: 0, attributes: { Color: 'Red', Size: 'M' } },
    ],
  });
  return shop;
}

describe('every item', async () => {
  const items = await itemsOf(await oddShop());

  it.each(ATTRIBUTES)('has %s as Google asks', (name) => {
    const { required, most = Number.POSITIVE_INFINITY, form = /^[\s\S]*$/, repeated } = RULES[name];
    expect(items.length).toBe(5);
    for (const item of items) {
      const value = item[name];
      if (value === undefined) {
        expect(required, JSON.stringify(item)).toBeUndefined();
        continue;
      }
      expect(Array.isArray(value)).toBe(repeated !== undefined);
      const values = Array.isArray(value) ? value : [value];
      expect(values.length).toBeLessThanOrEqual(repeated ?? 1);
      for (const one of values) {
        expect([...one].length).toBeGreaterThan(0);
        expect([...one].length).toBeLessThanOrEqual(most);
        expect(one).toMatch(form);
      }
    }
  });

  it('has an id of its own, and a sale price below its price', () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const { price, sale_price } of items.filter((item) => item.sale_price !== undefined))
      expect(Number.parseFloat(String(sale_price))).toBeLessThan(Number.parseFloat(String(price)));
  });

  it('has no identifier_exists unless it has neither a GTIN nor brand and MPN', () => {
    for (const { brand, gtin, mpn, identifier_exists } of items)
      expect(identifier_exists).toBe(gtin || (brand && mpn) ? undefined : 'no');
  });
});

it('shows a product as it is in the shop', async () => {
  const shop = await feedShop();
  const [clothing, shirts] = [await shop.post('/categories', { name: 'Clothing' }), { body: { id: 0 } }];
  shirts.body = (await shop.post('/categories', { name: 'Shirts', parent_id: clothing.body.id })).body;
  const ends = now() + DAY;
  const { body } = await listed(shop, {
    name: 'Linen shirt',
    slug: 'linen-shirt',
    vendor: 'Acme',
    sku: 'LS-1',
    barcode: '4006381 33393-1',
    images: [IMAGE, 'https://img.example.com/2.jpg'],
    category_ids: [shirts.body.id],
    description: '<p>Cool &amp; light,<br>caf&eacute; &#8364;5</p><script>x()</script>',
    attributes: { color: ['White', 'Blue'], size: 'L', material: 'Linen' },
    weight: 230,
    sale: { price: 7.5, starts_at: at(now() - HOUR), ends_at: at(ends) },
  });
  const [item] = await itemsOf(shop);
  expect(item).toEqual({
    id: String(body.id),
    title: 'Linen shirt',
    description: 'Cool & light, café €5',
    link: `https://shop.example.com/p/${body.slug}?variant=${body.id}`,
    image_link: IMAGE,
    additional_image_link: ['https://img.example.com/2.jpg'],
    availability: 'in_stock',
    price: '10.00 EUR',
    sale_price: '7.50 EUR',
    sale_price_effective_date: `${at(now() - HOUR).slice(0, 16)}Z/${at(ends).slice(0, 16)}Z`,
    brand: 'Acme',
    gtin: '4006381333931',
    mpn: 'LS-1',
    color: 'White/Blue',
    size: 'L',
    product_type: 'Clothing > Shirts',
    shipping_weight: '230 g',
  });
});

it('has a row for each variant, with its own price, image, options and stock', async () => {
  const shop = await feedShop({ currency: 'JPY' });
  const { body } = await listed(shop, {
    name: 'Jersey',
    type: 'configurable',
    price: 4_000,
    weight: 300,
    variants: [
      {
        sku: 'J-S',
        price: 4_000,
        stock: 1,
        attributes: { Colour: 'Forest', Size: 'S' },
        image: 'https://img.example.com/s.jpg',
        barcode: '036000291452',
        weight: 250,
      },
      { sku: 'J-M', price: 4_500, stock: 0, attributes: { Colour: 'Forest', Size: 'M' } },
    ],
  });
  const [small, medium] = await itemsOf(shop);
  const [s, m] = body.variants.map(({ id }: { id: number }) => String(id));
  const group = { item_group_id: String(body.id), color: 'Forest' };
  expect(small).toMatchObject({
    id: s,
    title: 'Jersey - Forest / S',
    size: 'S',
    gtin: '036000291452',
    ...group,
  });
  expect(small).toMatchObject({
    image_link: 'https://img.example.com/s.jpg',
    additional_image_link: [IMAGE],
  });
  expect(small).toMatchObject({ price: '4000 JPY', availability: 'in_stock', shipping_weight: '250 g' });
  expect(medium?.shipping_weight).toBe('300 g');
  expect(medium).toMatchObject({
    id: m,
    size: 'M',
    price: '4500 JPY',
    availability: 'out_of_stock',
    ...group,
  });
  expect(medium?.link).toBe(`https://shop.example.com/p/${body.slug}?variant=${m}`);
  expect(medium).not.toHaveProperty('gtin');
});

it('gives the barcode of a configurable product to none of its variants', async () => {
  const shop = await feedShop();
  const variants = ['S', 'M'].map((Size) => ({ sku: `B-${Size}`, price: 1, attributes: { Size } }));
  await listed(shop, { type: 'configurable', barcode: '4006381333931', variants });
  const items = await itemsOf(shop);
  expect(items.map(({ id, gtin }) => [typeof id, gtin])).toEqual([
    ['string', undefined],
    ['string', undefined],
  ]);
  const { data } = (await shop.get('/marketplace/products')).body;
  expect(data.map(({ sku, barcode }: Record<string, string>) => [sku, barcode])).toEqual([
    ['B-S', undefined],
    ['B-M', undefined],
  ]);
});

it("shows a variant's own colour, however it and the product's attribute are spelled", async () => {
  const shop = await feedShop();
  const variants = ['Blue', 'Green'].map((Colour) => ({ sku: Colour, price: 1, attributes: { Colour } }));
  await listed(shop, { type: 'configurable', attributes: { Color: 'Multicolour' }, variants });
  await listed(shop, { attributes: { colour: 'Red' } });
  expect((await itemsOf(shop)).map(({ color }) => color)).toEqual(['Blue', 'Green', 'Red']);
});

it('announces a sale to come with its dates, and shows a regular price as the one that is reduced', async () => {
  const shop = await feedShop();
  const minute = Math.floor(now() / MINUTE) * MINUTE;
  const [starts, ends] = [minute + DAY, minute + 2 * DAY];
  await listed(shop, { sale: { price: 6, starts_at: at(starts), ends_at: at(ends) } });
  await listed(shop, { regular_price: 15 });
  await listed(shop, { sale: { price: 6, starts_at: at(starts) } });
  await listed(shop, { inventory_policy: 'continue', stock: 0 });
  const [coming, reduced, endless, ordered] = await itemsOf(shop);
  const dates = `${at(starts).slice(0, 16)}Z/${at(ends).slice(0, 16)}Z`;
  expect(coming).toMatchObject({
    price: '10.00 EUR',
    sale_price: '6.00 EUR',
    sale_price_effective_date: dates,
  });
  expect(reduced).toMatchObject({ price: '15.00 EUR', sale_price: '10.00 EUR' });
  expect(reduced).not.toHaveProperty('sale_price_effective_date');
  expect(endless).not.toHaveProperty('sale_price');
  expect(ordered).toMatchObject({ availability: 'in_stock' });
});

it.each([
  ['4006381333931', '4006381333931'],
  ['978-3-16-148410-0', '9783161484100'],
  ['036000291452', '036000291452'],
  ['96385074', '96385074'],
  ['10614141000415', '10614141000415'],
  ['4006381333932', null],
  ['036000291453', null],
  ['2001234567893', null],
  ['0200000000004', null],
  ['9912345678906', null],
  ['00000000', null],
  ['1234567', null],
  ['ABC', null],
  ['', null],
])('takes the barcode %j for the GTIN %j', (barcode, gtin) => {
  expect(gtinOf(barcode)).toBe(gtin);
});

it('shows what each variant is reduced from', async () => {
  const shop = await feedShop();
  const variant = (size: string, fields: object) => ({
    sku: `${size}-${crypto.randomUUID()}`,
    price: 10,
    stock: 1,
    attributes: { size },
    ...fields,
  });
  await listed(shop, {
    type: 'configurable',
    regular_price: 18,
    variants: [
      variant('S', {}),
      variant('M', { regular_price: 15 }),
      variant('L', { regular_price: 15, sale: { price: 8 } }),
    ],
  });
  const [own, reduced, sold] = await itemsOf(shop);
  expect(own).toMatchObject({ price: '10.00 EUR' });
  expect(own).not.toHaveProperty('sale_price');
  expect(reduced).toMatchObject({ price: '15.00 EUR', sale_price: '10.00 EUR' });
  expect(sold).toMatchObject({ price: '10.00 EUR', sale_price: '8.00 EUR' });
});

it('lists what Google would refuse, with each reason, and leaves it out', async () => {
  const shop = await feedShop();
  const cup = (await listed(shop)).body;
  const member = { product_id: cup.id, default_quantity: 1 };
  const bare = (await listed(shop, { images: [], description: '<p> </p>' })).body;
  const free = (await listed(shop, { price: 0 })).body;
  const grouped = (await listed(shop, { name: 'Set', type: 'grouped', grouped: [member] })).body;
  const slot = { from: '2035-01-01T09:00:00Z', to: '2035-01-01T10:00:00Z', capacity: 5 };
  const tour = (
    await listed(shop, { name: 'Tour', type: 'booking', booking: { timezone: 'UTC', slots: [slot] } })
  ).body;
  const hidden = await listed(shop, { images: [], status: 'inactive' });
  const found = await problemsOf(shop);
  const byProduct = new Map(found.map((one) => [one.product_id, one]));
  const attributes = (id: number) =>
    byProduct.get(id)?.problems.map(({ attribute }: { attribute: string }) => attribute);
  expect(attributes(bare.id)).toEqual(['description', 'image_link']);
  expect(attributes(free.id)).toEqual(['price']);
  expect([attributes(grouped.id), attributes(tour.id)]).toEqual([['type'], ['type']]);
  expect(byProduct.has(hidden.body.id)).toBe(false);
  expect(byProduct.get(bare.id)).toMatchObject({ sku: bare.sku, name: 'Cup', variant_id: null });
  expect((await itemsOf(shop)).map(({ id }) => id)).toEqual([String(cup.id)]);
});

it('has no rows without the product URL, and says so', async () => {
  const shop = await feedShop({ settings: {} });
  await listed(shop);
  expect(await itemsOf(shop)).toEqual([]);
  expect(await problemsOf(shop)).toMatchObject([{ problems: [{ attribute: 'link' }] }]);
});
