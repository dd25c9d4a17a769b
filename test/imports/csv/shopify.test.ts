import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/imports/csv/columns.ts';
import { mapProduct } from '../../../src/imports/csv/shopify.ts';
import { deriveSku } from '../../../src/imports/csv/sku.ts';

type Cells = Readonly<Record<string, string>>;

/** Maps lines given as column → cell; the file has the columns of all of them, and `also`. */
function map(lines: readonly Cells[], also: readonly string[] = [], currency = 'EUR') {
  const header = [...new Set([...lines.flatMap((line) => Object.keys(line)), ...also])];
  const columns = columnsOf(header);
  if (typeof columns === 'string') throw new Error(columns);
  const rows = lines.map((line, i) => ({ line: i + 2, cells: header.map((name) => line[name] ?? '') }));
  return mapProduct(rows, { columns, pictures: new Map() }, currency);
}

/** The one product that the lines make, without an error. */
function mapped(lines: readonly Cells[], also?: readonly string[]) {
  const { product, errors } = map(lines, also);
  expect(errors).toEqual([]);
  if (!product) throw new Error('No product came of it');
  return product;
}

/** What is said of the lines that can't be taken: line → message. */
const complaints = (lines: readonly Cells[], currency?: string) =>
  map(lines, [], currency).errors.map(({ line, message }) => `${line}: ${message}`);

const mug: Cells = { Handle: 'mug', Title: 'Mug', 'Variant Price': '12.50' };
const variant = (size: string, more: Cells = {}): Cells => ({
  Handle: 'tee',
  'Option1 Value': size,
  ...more,
});
const tee: Cells = { ...variant('S'), Title: 'Tee', 'Option1 Name': 'Size', 'Variant Price': '20' };

describe('column names', () => {
  it('are accepted from older and newer exports, in any case', () => {
    const older = mapped([
      {
        Handle: 'mug',
        Title: 'Mug',
        'Body (HTML)': '<p>Big</p>',
        Type: 'Cups',
        Published: 'true',
        'Variant SKU': 'M-1',
        'Variant Price': '12.50',
        'Variant Compare At Price': '15',
        'Variant Inventory Qty': '3',
        'Variant Inventory Policy': 'continue',
        'Variant Barcode': '4006381333931',
        'Image Src': 'https://img.example/1.jpg',
        'SEO Title': 'A mug',
      },
    ]);
    const newer = mapped([
      {
        'URL HANDLE': 'mug',
        title: 'Mug',
        Description: '<p>Big</p>',
        Type: 'Cups',
        'Published on online store': 'TRUE',
        SKU: 'M-1',
        Price: '12.50',
        'Compare-at price': '15',
        'Inventory quantity': '3',
        'Continue selling when out of stock': 'TRUE',
        Barcode: '4006381333931',
        'Product image URL': 'https://img.example/1.jpg',
        'SEO title': 'A mug',
      },
    ]);
    expect(newer).toEqual(older);
    expect(older).toMatchObject({
      slug: 'mug',
      sku: 'M-1',
      description: '<p>Big</p>',
      categoryPath: ['Cups'],
      images: ['https://img.example/1.jpg'],
      seo: { title: 'A mug', description: '' },
      policy: 'continue',
      variants: [{ price: 1250, comparePrice: 1500, stock: 3, barcode: '4006381333931' }],
    });
  });

  it('decide what changes: no column keeps a field, an empty cell clears it', () => {
    const bare = mapped([{ Handle: 'mug', Title: 'Mug' }]);
    expect(bare).toMatchObject({ type: 'simple', variants: [{ price: null, stock: null }] });
    for (const field of [
      'status',
      'description',
      'vendor',
      'tags',
      'categoryPath',
      'images',
      'seo',
      'policy',
    ]) {
      expect(bare[field as keyof typeof bare], field).toBeUndefined();
    }
    const columns = ['Body (HTML)', 'Vendor', 'Tags', 'Type', 'Image Src', 'SEO Title', 'Variant Barcode'];
    expect(mapped([mug], columns)).toMatchObject({
      description: null,
      vendor: null,
      tags: [],
      categoryPath: null,
      images: [],
      seo: null,
      variants: [{ barcode: null }],
    });
  });

  it('explain why another file is no product CSV', () => {
    expect(columnsOf(['Order', 'Title'])).toBe(
      'The file has no column "Handle": it is not a Shopify product CSV.',
    );
    expect(columnsOf(['Handle', 'SKU'])).toContain('no column "Title"');
    expect(columnsOf(['Handle;Title;Price'])).toBe(
      'The cells are separated by ";". Save the file with commas.',
    );
  });
});

describe('a product', () => {
  it('is simple without options and configurable with them', () => {
    const defaults = { 'Option1 Name': 'Title', 'Option1 Value': 'Default Title' };
    expect(mapped([{ ...mug, ...defaults }])).toMatchObject({
      type: 'simple',
      variants: [{ attributes: {} }],
    });
    const product = mapped([
      { ...tee, 'Option2 Name': 'Farbe', 'Option2 Value': 'Rot' },
      variant('M', { 'Option2 Value': 'Blau' }),
    ]);
    expect(product.type).toBe('configurable');
    expect(product.variants.map(({ attributes }) => attributes)).toEqual([
      { Size: 'S', Farbe: 'Rot' },
      { Size: 'M', Farbe: 'Blau' },
    ]);
    expect(mapped([tee])).toMatchObject({ type: 'configurable', variants: [{ attributes: { Size: 'S' } }] });
  });

  it('is virtual when it does not ship, as a gift card does not', () => {
    expect(mapped([{ ...mug, 'Variant Requires Shipping': 'false' }]).type).toBe('virtual');
    expect(mapped([{ ...mug, 'Requires shipping': 'FALSE' }]).type).toBe('virtual');
    expect(mapped([{ ...mug, 'Gift Card': 'true' }]).type).toBe('virtual');
    // With several amounts to choose from, the choice counts.
    expect(mapped([{ ...tee, 'Gift Card': 'true' }, variant('M')]).type).toBe('configurable');
  });

  it.each([
    [{ Status: 'active' }, 'active'],
    [{ Status: 'Draft' }, 'inactive'],
    [{ Status: 'archived' }, 'inactive'],
    [{ Status: 'unlisted' }, 'inactive'],
    [{ Status: '', Published: '' }, 'active'],
    [{ Published: 'FALSE' }, 'inactive'],
    [{ Status: 'active', Published: 'false' }, 'inactive'],
  ])('has a status: %j is %s', (cells, status) => {
    expect(mapped([{ ...mug, ...cells }]).status).toBe(status);
  });

  it.each([
    [
      { 'Product Category': 'Apparel & Accessories > Clothing > Tops', Type: 'Shirt' },
      ['Apparel & Accessories', 'Clothing', 'Tops'],
    ],
    [{ 'Product Category': '', Type: ' Shirt ' }, ['Shirt']],
    [{ 'Product Category': 'Uncategorized', Type: 'Shirt' }, ['Shirt']],
    [{ 'Product Category': 'aa-1-13-8', Type: 'Shirt' }, ['Shirt']],
    [{ 'Product Category': 'A > B > C > D > E > F' }, ['A', 'B', 'C', 'D', 'E']],
    [{ Type: 'A>B' }, ['A>B']],
  ])('has a category: %j is %j', (cells, path) => {
    expect(mapped([{ ...mug, ...cells }]).categoryPath).toEqual(path);
  });

  it('has tags and a vendor', () => {
    const product = mapped([{ ...mug, Tags: ' red, kitchen ,,red,4-🍵 ', Vendor: ' Acme ' }]);
    expect(product).toMatchObject({ tags: ['red', 'kitchen', '4-🍵'], vendor: 'Acme' });
  });

  it('has its images in order, each once, and reports skipped ones', () => {
    const image = (url: string, position: string): Cells => ({
      Handle: 'mug',
      'Image Src': url,
      'Image Position': position,
    });
    const { product, errors } = map([
      { ...mug, 'Image Src': 'https://img.example/3.jpg', 'Image Position': '3' },
      image('https://img.example/10.jpg', '10'),
      image('https://img.example/1.jpg', '1'),
      image('http://img.example/2.jpg', '2'),
      image('https://img.example/3.jpg', '4'),
      image('https://img.example/last.jpg', ''),
    ]);
    expect(product?.images).toEqual(
      ['1', '3', '10', 'last'].map((name) => `https://img.example/${name}.jpg`),
    );
    expect(product?.variants).toHaveLength(1);
    expect(errors).toMatchObject([
      { line: 5, message: expect.stringContaining('"http://img.example/2.jpg"') },
    ]);
  });

  it('keeps 4-byte characters', () => {
    const product = mapped([{ ...mug, Title: 'Çay 🫖', 'Body (HTML)': '<b>🇹🇷 𝔘</b>' }]);
    expect(product).toMatchObject({ name: 'Çay 🫖', description: '<b>🇹🇷 𝔘</b>' });
  });
});

describe('a variant', () => {
  it("takes the previous line's price if it has none", () => {
    const product = mapped([tee, variant('M'), variant('L', { 'Variant Price': '25' }), variant('XL')]);
    expect(product.variants.map(({ price }) => price)).toEqual([2000, 2000, 2500, 2500]);
    expect(
      mapped([{ ...tee, 'Variant Price': '' }, variant('M')]).variants.map(({ price }) => price),
    ).toEqual([null, null]);
  });

  it('has a quantity of zero and more, or none', () => {
    const stock = (quantity: string) =>
      mapped([{ ...mug, 'Variant Inventory Qty': quantity }]).variants[0].stock;
    expect(['0', '7', '7.0', '+7', ''].map(stock)).toEqual([0, 7, 7, 7, null]);
  });

  it('is untracked without a tracker and a quantity', () => {
    const policy = (cells: Cells) => mapped([{ ...mug, ...cells }]).policy;
    const columns = { 'Variant Inventory Policy': 'deny', 'Variant Inventory Tracker': '' };
    expect(policy({ ...columns, 'Variant Inventory Qty': '' })).toBe('untracked');
    expect(policy({ ...columns, 'Variant Inventory Qty': '1' })).toBe('deny');
    expect(policy({ ...columns, 'Variant Inventory Tracker': 'shopify' })).toBe('deny');
    expect(policy({ 'Variant Inventory Policy': 'continue' })).toBe('continue');
    expect(policy({ 'Continue selling when out of stock': 'FALSE' })).toBe('deny');
  });

  it('gets the strictest policy of its product', () => {
    const policies = [{ 'Variant Inventory Policy': 'continue' }, { 'Variant Inventory Policy': 'deny' }];
    expect(mapped([{ ...tee, ...policies[0] }, variant('M', policies[1])]).policy).toBe('deny');
    expect(mapped([{ ...tee, ...policies[0] }, variant('M', policies[0])]).policy).toBe('continue');
  });

  it('loses the apostrophe that protects leading zeros in a spreadsheet', () => {
    const product = mapped([{ ...mug, 'Variant SKU': "'0012", 'Variant Barcode': "'0123456789012" }]);
    expect(product.variants[0]).toMatchObject({ sku: '0012', barcode: '0123456789012' });
  });

  it('has its weight in whole grams', () => {
    const weights = (cells: Cells) =>
      mapped([{ ...tee, ...cells }, variant('M')]).variants.map(({ weight }) => weight);
    expect(weights({ 'Variant Grams': '350' })).toEqual([350, null]);
    expect(weights({ 'Weight value (grams)': '453.59' })).toEqual([454, null]);
    expect(weights({})).toEqual([undefined, undefined]);
  });

  it('may have an image of its own', () => {
    const image = { 'Variant Image': 'https://img.example/s.jpg' };
    expect(mapped([{ ...tee, ...image }, variant('M')]).variants.map((each) => each.image)).toEqual([
      'https://img.example/s.jpg',
      null,
    ]);
  });
});

describe('a missing SKU', () => {
  it('becomes the handle, and for variants the handle and the values', () => {
    expect(mapped([mug]).sku).toBe('mug');
    const product = mapped([tee, variant('Dark Red')]);
    expect([product.sku, ...product.variants.map(({ sku }) => sku)]).toEqual([
      'tee',
      'tee_s',
      'tee_dark-red',
    ]);
  });

  it('has at most 64 characters, ends in a hash if it would be ambiguous, and is deterministic', () => {
    const long = deriveSku('a'.repeat(100), ['S']);
    expect(long).toMatch(/^a{55}_[0-9a-f]{8}$/);
    expect(deriveSku('a'.repeat(100), ['M'])).not.toBe(long);
    expect(deriveSku('tee', ['5½'])).toMatch(/^tee_.*_[0-9a-f]{8}$/);
    expect(deriveSku('tee', ['S/M'])).not.toBe(deriveSku('tee', ['S M']));
    expect(deriveSku('tee', ['S/M'])).toBe(deriveSku('tee', ['S/M']));
    expect(deriveSku('tee', ['😀'])).toMatch(/^tee_[0-9a-f]{8}$/);
    expect(deriveSku('tee-black')).not.toBe(deriveSku('tee', ['black']));
    expect(deriveSku(`${'a'.repeat(54)}𝔘𝔘𝔘𝔘𝔘𝔘`).isWellFormed()).toBe(true);
  });
});

describe('an invalid line', () => {
  it.each(['12,50', '₺10', 'abc', '-1', '1.999', '1e12', '1 000'])('fails: a price of %s', (price) => {
    expect(complaints([{ ...mug, 'Variant Price': price }])).toEqual([
      `2: The price is "${price}"; it must be an amount in EUR such as 12.50.`,
    ]);
  });

  it('knows how many decimals the currency has', () => {
    expect(complaints([mug], 'JPY')).toEqual([
      '2: The price is "12.50"; it must be an amount in JPY such as 12.',
    ]);
    expect(map([{ ...mug, 'Variant Price': '12.500' }], [], 'KWD').product?.variants[0].price).toBe(12_500);
  });

  it.each([
    ['Title', 'x'.repeat(256), 'The Title has 256 characters, at most 255 are allowed.'],
    ['Title', '', 'The Title is missing: the lines of one product must be contiguous.'],
    ['Handle', '!!!', 'The Handle "!!!" has neither letters nor digits.'],
    ['Variant SKU', 'x'.repeat(65), 'The SKU has 65 characters, at most 64 are allowed.'],
    ['Variant Grams', '-1', 'The weight is "-1"; it must be grams from 0 to 10000000.'],
    ['Variant Grams', '0x10', 'The weight is "0x10"; it must be grams from 0 to 10000000.'],
    ['Variant Grams', '10000001', 'The weight is "10000001"; it must be grams from 0 to 10000000.'],
    ['Variant Barcode', 'x'.repeat(51), 'The barcode has 51 characters, at most 50 are allowed.'],
    ['Body (HTML)', 'x'.repeat(65_536), 'The description has more than 65535 characters.'],
    ['Vendor', 'x'.repeat(256), 'The Vendor has 256 characters, at most 255 are allowed.'],
    ['Tags', 'x'.repeat(101), 'A tag has more than 100 characters.'],
    ['Type', 'x'.repeat(256), 'A category has more than 255 characters.'],
    ['Status', 'on', 'The Status is "on"; it must be active, draft or archived.'],
    ['Published', 'WAHR', 'Published is "wahr"; it must be TRUE or FALSE.'],
    ['Variant Inventory Qty', '-5', 'The quantity is "-5"; it must be a whole number from 0 to 1000000000.'],
    [
      'Variant Inventory Qty',
      '1.5',
      'The quantity is "1.5"; it must be a whole number from 0 to 1000000000.',
    ],
    [
      'Variant Compare At Price',
      'n/a',
      'The compare-at price is "n/a"; it must be an amount in EUR such as 12.50.',
    ],
  ])('fails: %s', (column, cell, message) => {
    const { product, errors } = map([{ ...mug, [column]: cell }]);
    expect({ product, errors }).toMatchObject({ product: null, errors: [{ line: 2, message }] });
  });

  it('does not stop the other variants, and reports missing ones', () => {
    const { product, errors } = map([
      tee,
      variant('M', { 'Variant Price': 'free' }),
      variant('S'),
      variant('L', { 'Variant SKU': 'tee_s' }),
      variant('', { 'Variant SKU': 'X' }),
      variant('XL'),
    ]);
    expect(product?.variants.map(({ line, sku, price }) => [line, sku, price])).toEqual([
      [2, 'tee_s', 2000],
      [7, 'tee_xl', 2000],
    ]);
    expect(product?.complete).toBe(false);
    expect(errors).toMatchObject([
      { line: 3, message: expect.stringContaining('"free"') },
      { line: 4, message: 'The variant on line 2 has the same options.' },
      { line: 5, message: 'The variant on line 2 has the same SKU.' },
      { line: 6, message: 'The variant has no option value.' },
    ]);
  });

  it('is reported once, with all its errors', () => {
    expect(complaints([{ ...mug, 'Variant Price': 'x', 'Variant Inventory Qty': 'y' }])).toEqual([
      '2: The price is "x"; it must be an amount in EUR such as 12.50. The quantity is "y"; it must be a whole number from 0 to 1000000000.',
    ]);
  });

  it('fails if an option has no name or two have the same', () => {
    expect(complaints([{ ...tee, 'Option1 Name': '' }])).toEqual([
      '2: Option1 has the value "S", but no name.',
    ]);
    expect(complaints([{ ...tee, 'Option2 Name': 'SIZE', 'Option2 Value': 'Tall' }])).toEqual([
      '2: Two options are called "SIZE".',
    ]);
  });

  it('fails if a product has too many variants, images or tags', () => {
    const many = Array.from({ length: 500 }, (_, i) => variant(`v${i}`));
    expect(complaints([tee, ...many])).toEqual(['2: The product has 501 variants, at most 500 are allowed.']);
    const images = Array.from({ length: 251 }, (_, i) => ({
      Handle: 'mug',
      'Image Src': `https://i.example/${i}`,
    }));
    expect(complaints([mug, ...images])).toEqual(['2: The product has 251 images, at most 250 are allowed.']);
    const tags = Array.from({ length: 251 }, (_, i) => `t${i}`).join(',');
    expect(complaints([{ ...mug, Tags: tags }])).toEqual([
      '2: The product has 251 tags, at most 250 are allowed.',
    ]);
  });
});
