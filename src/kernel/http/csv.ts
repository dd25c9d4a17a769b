import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { App } from './context.ts';
import { respond } from './response.ts';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';

/** `Vary` of a list that is also a CSV file (RFC 9110, 12.5.5): its CORS headers depend on the origin. */
export const VARY_BY_FORMAT = 'Origin, Accept';

/** Returns whether a request prefers CSV to JSON (`Accept`, RFC 9110, 12.5.1). */
export const wantsCsv = (c: Context<App>): boolean =>
  accepts(c, { header: 'Accept', supports: [JSON_TYPE, CSV_TYPE], default: JSON_TYPE }) === CSV_TYPE;

/** Returns the sentence of the OpenAPI document about a list that is also a CSV file, with a row for each `thing`. */
export const csvDescription = (thing: string): string =>
  `With \`Accept: text/csv\` the page is a CSV file (RFC 4180, UTF-8) with a row for each ${thing}; its \`Link\` header has the address of the next page (RFC 8288). Texts that a spreadsheet would take for a formula begin with an apostrophe, and so do their parts behind a semicolon or a line break.`;

/** A cell of a CSV file; null is an empty one. */
export type Cell = string | number | boolean | null;

/**
 * Matches what a spreadsheet takes for a formula, and what would become such a text without its apostrophes: a reader
 * removes the one that {@link cellText} adds. Japanese ones take the full-width signs too.
 */
const FORMULA = /^'*\n*[=+\-@＝＋－＠\t\r]/;

/**
 * Matches where such a text begins within a cell for the spreadsheets of many languages: their cells end with a semicolon,
 * and a quote that no cell begins with holds no line together.
 */
const FORMULA_WITHIN = /(?<=[;\n\r])(?=['"]*[=+\-@＝＋－＠\t])/g;

/** Returns the text of a cell without the apostrophe that {@link cellText} puts before a formula. */
export const withoutFormulaMark = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;

/** Returns a text as a field of RFC 4180: quoted where it has to be. */
export const csvField = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/**
 * Returns a cell as RFC 4180 writes it. A text that a spreadsheet would evaluate gets an apostrophe in front
 * (OWASP, CSV injection), and unless an import reads it so do its parts; numbers don't.
 */
function cellText(cell: Cell, isImported: boolean): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const within = isImported ? cell : cell.replace(FORMULA_WITHIN, "'");
  return csvField(FORMULA.test(cell) ? `'${within}` : within);
}

/** Returns rows as CSV (RFC 4180): lines end with CR LF, the first has the names of the columns. */
const csvText = ({ columns, rows, isImported = false }: CsvPage): string =>
  [columns, ...rows].map((row) => `${row.map((cell) => cellText(cell, isImported)).join(',')}\r\n`).join('');

/** A page of a list that is sent as a CSV file. */
interface CsvPage {
  readonly filename: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether an import reads the file. Its texts are the shop's own, and the mark-up in some has semicolons. */
  readonly isImported?: boolean;
  /** The query parameter that continues after the page; null at the end. */
  readonly next: readonly [name: string, value: string] | null;
}

/** Responds with a page of a list as a CSV file, with the address of the next page in `Link` (RFC 8288). */
export function csvPage(c: Context<App>, page: CsvPage): Response {
  const { filename, next } = page;
  const url = new URL(c.req.url);
  url.searchParams.delete('page');
  if (next) url.searchParams.set(...next);
  return respond(c, csvText(page), {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${filename}"`,
      'X-Content-Type-Options': 'nosniff',
      Vary: VARY_BY_FORMAT,
      ...(next && { Link: `<${url.href}>; rel="next"` }),
    },
  });
}

/** The columns of a list's file in groups, each with an item's cells in it. */
type ColumnGroups<Item> = readonly (readonly [
  names: readonly string[],
  cells: (item: Item) => readonly Cell[],
])[];

/** Returns the columns of a list's CSV file, and the function that responds with one of its pages (see {@link csvPage}). */
export function csvFile<Item>(filename: string, groups: ColumnGroups<Item>) {
  const columns = groups.flatMap(([names]) => names);
  const respondPage = (c: Context<App>, items: readonly Item[], nextCursor: string | null): Response =>
    csvPage(c, {
      filename,
      columns,
      rows: items.map((item) => groups.flatMap(([, cells]) => cells(item))),
      next: nextCursor === null ? null : ['cursor', nextCursor],
    });
  return { columns, respondPage };
}
