import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { App } from './context.ts';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';

/** Returns whether a request prefers CSV to JSON (`Accept`, RFC 9110, 12.5.1). */
export const wantsCsv = (c: Context<App>): boolean =>
  accepts(c, { header: 'Accept', supports: [JSON_TYPE, CSV_TYPE], default: JSON_TYPE }) === CSV_TYPE;

/** A cell of a CSV file; null is an empty one. */
export type Cell = string | number | boolean | null;

/** Characters with which a spreadsheet takes a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Returns a cell as RFC 4180 writes it. A text that a spreadsheet would evaluate gets an apostrophe in front
 * (OWASP, CSV injection); numbers don't.
 */
function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns rows as CSV (RFC 4180): lines end with CR LF, the first has the names of the columns. */
export const csvText = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
