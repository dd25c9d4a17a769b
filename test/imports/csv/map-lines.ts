import { expect } from 'vitest';
import { columnsOf } from '../../../src/imports/csv/columns.ts';
import { mapProduct } from '../../../src/imports/csv/shopify.ts';

export type Cells = Readonly<Record<string, string>>;

/** Maps lines given as column → cell; the file has the columns of all of them, and `also`. */
export function map(lines: readonly Cells[], also: readonly string[] = [], currency = 'EUR') {
  const header = [...new Set([...lines.flatMap((line) => Object.keys(line)), ...also])];
  const columns = columnsOf(header);
  if (typeof columns === 'string') throw new Error(columns);
  const rows = lines.map((line, i) => ({ line: i + 2, cells: header.map((name) => line[name] ?? '') }));
  return mapProduct(rows, { columns, pictures: new Map(), slugs: new Set() }, currency);
}

/** The one product that the lines make, without an error. */
export function mapped(lines: readonly Cells[], also?: readonly string[]) {
  const { product, errors } = map(lines, also);
  expect(errors).toEqual([]);
  if (!product) throw new Error('No product came of it');
  return product;
}

export const variant = (size: string, more: Cells = {}): Cells => ({
  Handle: 'tee',
  'Option1 Value': size,
  ...more,
});
