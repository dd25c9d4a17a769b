/** Every type of product, created through the form and read back by the API. */
import { describe, expect, it } from 'vitest';
import { asDeveloper, type Browser, fieldsOf } from '../../../support/fixtures/browser.ts';
import { createProduct, NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { lazy } from '../../../support/lazy.ts';
import { type World, world } from '../../../support/world.ts';

/** A developer who sends what is refused. */
const untouched = lazy(async () => asDeveloper((await world()).slug));

const HERE = '/developer/products/new';
type Fields = Record<string, string | string[]>;

/** Opens the form of a type, fills it in and sends it; returns the page that follows. */
async function submitNew(developer: Browser, type: string, fields: Fields) {
  const { html } = await developer.get(`${HERE}?type=${type}`);
  return developer.submit(HERE, { ...fieldsOf(html, HERE), ...fields });
}

/** Creates a product through the form; returns it as the API shows it. */
async function create(shop: World, type: string, fields: Fields) {
  const developer = await asDeveloper(shop.slug);
  const created = await submitNew(developer, type, fields);
  expect(created.html).toContain('Created.');
  const id = /\/developer\/products\/(\d+)\/pictures/.exec(created.html)?.[1];
  return (await shop.get(`/products/${id}?status=all`, NEWEST)).body;
}

it.each([
  ['EUR', '1.500', 'must be without a separator of thousands'],
  ['JPY', '1.500', 'must be without a separator of thousands'],
  ['JPY', '12.50', 'must have at most 0 decimals in JPY'],
  ['KWD', '1,500', 'must be without a separator of thousands'],
])('refuses a price in %s of %s', async (currency, price, message) => {
  const shop = await world({ currency, currencies: [currency] });
  const developer = await asDeveloper(shop.slug);
  const { status, html } = await submitNew(developer, 'simple', { name: 'Piano', price });
  expect(status).toBe(422);
  expect(html).toContain(`id="f-price-error">${message}`);
});

it.each([
  ['JPY', 'Such as 1200'],
  ['EUR', 'Such as 1200.00'],
])('tells a browser what a price in %s must be', async (currency, title) => {
  const shop = await world({ currency, currencies: [currency] });
  const { html } = await (await asDeveloper(shop.slug)).get(`${HERE}?type=simple`);
  expect(/<input id="f-price"[^>]* title="([^"]*)"/.exec(html)?.[1]).toBe(title);
});

it('takes a price with three decimals in a currency that has them', async () => {
  const shop = await world({ currency: 'KWD', currencies: ['KWD'] });
  expect(await create(shop, 'simple', { name: 'Mug', price: '1.500' })).toMatchObject({ price: 1.5 });
});

it('offers the seven types', async () => {
  const shop = await world();
  const { html } = await (await asDeveloper(shop.slug)).get(HERE);
  for (const type of ['simple', 'configurable', 'virtual', 'downloadable', 'grouped', 'bundled', 'booking'])
    expect(html).toContain(`href="${HERE}?type=${type}"`);
});

describe('a new product', () => {
  it('can be simple, with every field of the form', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const category = (await shop.post('/categories', { name: 'Cups' })).body.id;
    const product = await create(shop, 'simple', {
      name: 'Mug "large"',
      description: '<p>Round</p>\r\nand blue',
      status: 'inactive',
      stock: '7',
      price: '12,50',
      regular_price: '15',
      'prices.USD': '14',
      sku: 'MUG',
      barcode: '4006381333931',
      'sale.price': '9',
      'sale.prices.USD': '10',
      'sale.ends_at': '2100-01-01T00:00',
      weight: '350',
      inventory_policy: 'continue',
      tax_class: 'books',
      vendor: 'Acme',
      category_ids: String(category),
      tags: 'new\r\nblue',
      'images.0.url': 'https://cdn.example.com/a.png',
      'images.0.alt': 'A mug',
    });
    expect(product).toMatchObject({
      name: 'Mug "large"',
      description: '<p>Round</p>\nand blue',
      status: 'inactive',
      stock: 7,
      price: 9,
      regular_price: 12.5,
      prices: { USD: 14 },
      sku: 'MUG',
      barcode: '4006381333931',
      sale: { price: 9, prices: { USD: 10 }, starts_at: null, ends_at: '2100-01-01T00:00:00.000Z' },
      weight: 350,
      inventory_policy: 'continue',
      tax_class: 'books',
      vendor: 'Acme',
      categories: [{ id: category }],
      tags: ['new', 'blue'],
      media: [{ url: 'https://cdn.example.com/a.png', alt: 'A mug' }],
    });
  });

  it('can be virtual, with nothing but a name and a price', async () => {
    const product = await create(await world(), 'virtual', { name: 'Voucher', price: '20' });
    expect(product).toMatchObject({ type: 'virtual', name: 'Voucher', price: 20, sku: 'voucher', stock: 0 });
  });

  it('can be a download, whose stock is unlimited', async () => {
    const shop = await world();
    const product = await create(shop, 'downloadable', {
      name: 'Album',
      price: '9',
      'links.0.title': 'Songs',
      'links.0.url': 'https://files.example.com/a.zip',
      'links.0.price': '',
      'links.1.title': 'Booklet',
      'links.1.url': 'https://files.example.com/b.pdf',
      'links.1.price': '2',
      'links.2.title': '',
      'links.2.url': '',
      'links.2.price': '',
    });
    expect(product).toMatchObject({
      type: 'downloadable',
      links: [
        { title: 'Songs', price: 0 },
        { title: 'Booklet', price: 2 },
      ],
    });
    const page = await (await asDeveloper(shop.slug, undefined, 'eve@example.com')).get(
      `/developer/products/${product.id}`,
    );
    expect(page.html).toMatch(/<dt>Stock<\/dt><dd>unlimited<\/dd>/);
  });

  it('can have variants, one for each combination of its options', async () => {
    const product = await create(await world(), 'configurable', {
      name: 'Tee',
      sku: 'TEE',
      variant_price: '20',
      variant_stock: '3',
      inventory_policy: 'deny',
      'options.0.was': '',
      'options.0.name': 'Colour',
      'options.0.values': 'Red\r\nBlue',
      'options.1.was': '',
      'options.1.name': 'Size',
      'options.1.values': 'S\r\nM',
    });
    expect(product.options).toEqual([
      { name: 'Colour', values: ['Red', 'Blue'] },
      { name: 'Size', values: ['S', 'M'] },
    ]);
    expect(product.variants).toMatchObject([
      { sku: 'TEE-RED-S', price: 20, stock: 3, attributes: { Colour: 'Red', Size: 'S' } },
      { sku: 'TEE-RED-M', price: 20, stock: 3, attributes: { Colour: 'Red', Size: 'M' } },
      { sku: 'TEE-BLUE-S', price: 20, stock: 3, attributes: { Colour: 'Blue', Size: 'S' } },
      { sku: 'TEE-BLUE-M', price: 20, stock: 3, attributes: { Colour: 'Blue', Size: 'M' } },
    ]);
  });

  it('can have variants that are sold in each currency', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const product = await create(shop, 'configurable', {
      name: 'Tee',
      variant_price: '20',
      'variant_prices.USD': '22,50',
      'options.0.was': '',
      'options.0.name': 'Size',
      'options.0.values': 'S\r\nM',
    });
    expect(product.variants).toMatchObject([
      { price: 20, prices: { USD: 22.5 } },
      { price: 20, prices: { USD: 22.5 } },
    ]);
  });

  it('names the field of a price of its variants that is refused', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const developer = await asDeveloper(shop.slug);
    for (const [field, sent, message] of [
      ['variant_prices.USD', '22.505', 'must have at most 2 decimals'],
      ['variant_prices.USD', '1,000', 'must be without a separator of thousands'],
      ['variant_price', '20.005', 'must have at most 2 decimals'],
    ] as const) {
      const { html } = await submitNew(developer, 'configurable', {
        ...{ name: 'Tee', variant_price: '20', 'options.0.name': 'Size', 'options.0.values': 'S' },
        [field]: sent,
      });
      expect(html).toContain(`id="f-${field}-error">${message}`);
    }
  });

  it('can be a group, and a bundle', async () => {
    const shop = await world();
    const [a, b] = await Promise.all(
      ['A', 'B'].map(async (name) => (await createProduct(shop, { name })).body.id),
    );
    const group = await create(shop, 'grouped', { name: 'Group', price: '0', add: [String(a), String(b)] });
    expect(group.grouped).toEqual([
      { product_id: a, default_quantity: 1 },
      { product_id: b, default_quantity: 1 },
    ]);
    const developer = await asDeveloper(shop.slug, undefined, 'eve@example.com');
    const fields = { name: 'Set', price: '9', title: 'Cup', required: 'yes', add: [String(b), String(a)] };
    const created = await submitNew(developer, 'bundled', fields);
    const id = /\/developer\/products\/(\d+)\/pictures/.exec(created.html)?.[1];
    expect((await shop.get(`/products/${id}`, NEWEST)).body.bundle_groups).toMatchObject([
      {
        title: 'Cup',
        required: true,
        multiple: false,
        items: [
          { product_id: b, quantity: 1, default: false },
          { product_id: a, quantity: 1, default: false },
        ],
      },
    ]);
  });

  it('can be a booking, with single slots and a series in local times', async () => {
    const product = await create(await world(), 'booking', {
      name: 'Course',
      price: '30',
      timezone: 'Europe/Berlin',
      'slots.0.from': '2100-01-10T09:00',
      'slots.0.to': '2100-01-10T11:00',
      'slots.0.capacity': '4',
      'series.first': '2100-03-26',
      'series.last': '2100-03-30',
      'series.time': '10:00',
      'series.minutes': '90',
      'series.capacity': '6',
      'series.days': ['Saturday', 'Monday'],
    });
    expect(product.booking).toMatchObject({
      timezone: 'Europe/Berlin',
      slots: [
        { from: '2100-01-10T08:00:00.000Z', to: '2100-01-10T10:00:00.000Z', capacity: 4 },
        // The clocks change on Sunday, March 28.
        { from: '2100-03-27T09:00:00.000Z', to: '2100-03-27T10:30:00.000Z', capacity: 6 },
        { from: '2100-03-29T08:00:00.000Z', to: '2100-03-29T09:30:00.000Z', capacity: 6 },
      ],
    });
  });
});

describe('a form with errors', () => {
  it('keeps what was typed, rows included, and names the fields', async () => {
    const developer = await asDeveloper((await world()).slug);
    const wrong = await submitNew(developer, 'downloadable', {
      name: 'Album',
      price: '9',
      sku: 'ALBUM',
      'images.0.url': 'https://cdn.example.com/a.png',
      'images.0.alt': '',
      'links.0.title': '',
      'links.0.url': '',
      'links.0.price': '',
      'links.4.title': 'Songs',
      'links.4.url': 'http://insecure.example.com',
      'links.4.price': '1',
    });
    expect(wrong.status).toBe(422);
    expect(fieldsOf(wrong.html, HERE)).toMatchObject({
      name: 'Album',
      price: '9',
      sku: 'ALBUM',
      'images.0.url': 'https://cdn.example.com/a.png',
      'links.0.title': 'Songs',
      'links.0.url': 'http://insecure.example.com',
      'links.0.price': '1',
    });
    expect(wrong.html).toMatch(/id="f-links\.0\.url"[^>]*aria-invalid="true"/);
  });

  it.each([
    ['simple', { name: 'Cup', price: '10', regular_price: '9' }, 'regular_price'],
    ['simple', { name: 'Cup', price: 'ten' }, 'price'],
    ['configurable', { name: 'Tee', variant_price: '9' }, 'options'],
    ['grouped', { name: 'Group', price: '0' }, 'add'],
    ['booking', { name: 'Course', price: '1', timezone: 'Berlin' }, 'timezone'],
    ['booking', { name: 'C', price: '1', timezone: 'UTC', 'series.first': '2100-01-01' }, 'series.time'],
  ])('rejects a %s product with %j at the field %s', async (type, fields: Fields, field) => {
    const developer = await untouched();
    const wrong = await submitNew(developer, type, fields);
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain(`href="#f-${field}"`);
    expect(wrong.html).toContain(`id="f-${field}"`);
  });

  it('names the allowed last days of a series that ends before it begins', async () => {
    const days = { 'series.first': '2100-06-02', 'series.last': '2100-06-01' };
    const series = { ...days, 'series.time': '10:00', 'series.minutes': '90', 'series.capacity': '6' };
    const wrong = await submitNew(await untouched(), 'booking', {
      name: 'C',
      price: '1',
      timezone: 'UTC',
      ...series,
    });
    expect(wrong.html).toContain('Last day: must be the first day, or at most 365 days after it');
  });

  it('adds a row without a script, and keeps the rest', async () => {
    const developer = await asDeveloper((await world()).slug);
    const rows = { 'links.0.title': 'Songs', _rows: 'add links' };
    const shown = await submitNew(developer, 'downloadable', { name: 'Album', ...rows });
    expect(shown.status).toBe(200);
    expect(fieldsOf(shown.html, HERE)).toMatchObject({
      name: 'Album',
      'links.0.title': 'Songs',
      'links.1.title': '',
    });
  });
});

it('says that the price of a bundle or a group is not what shoppers pay', async () => {
  const developer = await asDeveloper((await world()).slug);
  const hintOf = async (type: string) =>
    /id="f-price-hint">([^<]*)</.exec(
      (await developer.get(`/developer/products/new?type=${type}`)).html,
    )?.[1];
  expect(await hintOf('bundled')).toBe('Shown in lists. Shoppers pay the sum of what they choose');
  expect(await hintOf('grouped')).toBe(
    'Shown in lists. Shoppers pay the prices of the products that they buy',
  );
  expect(await hintOf('simple')).toBeUndefined();
});
