import { describe, expect, it } from 'vitest';
import { deriveSku } from '../../../src/imports/csv/sku.ts';
import { type Cells, mapped, variant } from './map-lines.ts';

const mug: Cells = { Handle: 'mug', Title: 'Mug', 'Variant Price': '12.50' };

const tee: Cells = { ...variant('S'), Title: 'Tee', 'Option1 Name': 'Size', 'Variant Price': '20' };

describe('a variant', () => {
  it("takes the previous line's price if it has none", () => {
    const product = mapped([tee, variant('M'), variant('L', { 'Variant Price': '25' }), variant('XL')]);
    expect(product.variants.map(({ price }) => price)).toEqual([2000, 2000, 2500, 2500]);
    expect(
      mapped([{ ...tee, 'Variant Price': '' }, variant('M')]).variants.map(({ price }) => price),
    ).toEqual([null, null]);
  });

  it('has a quantity of zero and more, or none; one below zero, as of oversold goods, is zero', () => {
    const stock = (quantity: string) =>
      mapped([{ ...mug, 'Variant Inventory Qty': quantity }]).variants[0].stock;
    expect(['0', '7', '7.0', '+7', '-5', '-5.0', ''].map(stock)).toEqual([0, 7, 7, 7, 0, 0, null]);
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
