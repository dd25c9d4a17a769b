import { describe, expect, it } from 'vitest';
import { type Cells, map, variant } from './map-lines.ts';

/** What is said of the lines that can't be taken: line → message. */
const complaints = (lines: readonly Cells[], currency?: string) =>
  map(lines, [], currency).errors.map(({ line, message }) => `${line}: ${message}`);

const mug: Cells = { Handle: 'mug', Title: 'Mug', 'Variant Price': '12.50' };

const tee: Cells = { ...variant('S'), Title: 'Tee', 'Option1 Name': 'Size', 'Variant Price': '20' };

describe('an invalid line', () => {
  it.each(['12,50', '₺10', 'abc', '-1', '1.999', '1e12', '1 000'])('fails: a price of %s', (price) => {
    expect(complaints([{ ...mug, 'Variant Price': price }])).toEqual([
      `2: The price is "${price}"; it must be an amount in EUR such as 12.50.`,
    ]);
  });

  it.each([
    ['Option1 Value', '2: An option value has line breaks or other control characters.'],
    ['Option1 Name', '2: An option name has line breaks or other control characters.'],
  ])('fails: an %s of two lines', (column, message) => {
    expect(complaints([{ ...tee, [column]: 'S\nM' }])).toContain(message);
  });

  it('knows how many decimals the currency has', () => {
    expect(complaints([mug], 'JPY')).toEqual([
      '2: The price is "12.50"; it must be an amount in JPY such as 12.',
    ]);
    expect(map([{ ...mug, 'Variant Price': '12.500' }], [], 'KWD').product?.variants[0].price).toBe(12_500);
  });

  it.each([
    ['Title', 'x'.repeat(256), 'The Title has 256 characters, at most 255 are allowed.'],
    ['Title', 'Red\nmug', 'The Title has line breaks or other control characters.'],
    ['Variant SKU', 'M\t1', 'The SKU has line breaks or other control characters.'],
    ['Vendor', 'A\u2028B', 'The Vendor has line breaks or other control characters.'],
    ['Tags', 'new,re\nd', 'A tag has line breaks or other control characters.'],
    ['Type', 'Cups\nand mugs', 'A category has line breaks or other control characters.'],
    [
      'Title',
      '',
      'The Title is missing: the line of this product that has it could not be read, or is not next to this one.',
    ],
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
    [
      'Variant Inventory Qty',
      '1.5',
      'The quantity is "1.5"; it must be a whole number of at most 1,000,000,000.',
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
      '2: The price is "x"; it must be an amount in EUR such as 12.50. The quantity is "y"; it must be a whole number of at most 1,000,000,000.',
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
