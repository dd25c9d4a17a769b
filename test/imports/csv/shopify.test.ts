import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/imports/csv/columns.ts';
import { type Cells, map, mapped, variant } from './map-lines.ts';

const mug: Cells = { Handle: 'mug', Title: 'Mug', 'Variant Price': '12.50' };

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
      'The cells are separated by ";". Save the file with commas, as UTF-8.',
    );
    expect(columnsOf(['Handle\tTitle\tPrice'])).toBe(
      'The cells are separated by tabs. Save the file with commas, as UTF-8.',
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
    [{ 'Product Category': '499972', Type: 'Shirt' }, ['Shirt']],
    [{ 'Product Category': 'A > B > C > D > E > F' }, ['A', 'B', 'C', 'D', 'E', 'F']],
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

  it('puts images in the order of positions with a point, as programs write numbers of a column with gaps', () => {
    const image = (n: string) => ({
      Handle: 'mug',
      'Image Src': `https://img.example/${n}`,
      'Image Position': n,
    });
    const { product } = map([{ ...mug, ...image('2.0') }, image('10.0'), image('1.0')]);
    expect(product?.images).toEqual(['1.0', '2.0', '10.0'].map((n) => `https://img.example/${n}`));
  });

  it('keeps 4-byte characters', () => {
    const product = mapped([{ ...mug, Title: 'Çay 🫖', 'Body (HTML)': '<b>🇹🇷 𝔘</b>' }]);
    expect(product).toMatchObject({ name: 'Çay 🫖', description: '<b>🇹🇷 𝔘</b>' });
  });
});
