import { MAX_STOCK } from '../../inventory/index.ts';
import { exponent, MAX_AMOUNT, parseMinor } from '../../kernel/core/money.ts';
import { firstOf, lengthOf } from '../../kernel/core/text.ts';
import { httpsUrl } from '../../kernel/core/uri.ts';
import type { Column, Columns } from './columns.ts';

/** What is wrong with a line of the file. */
export interface LineError {
  readonly line: number;
  readonly message: string;
}

/** A record of the file: its cells, and the line that it begins on. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

const TRUE = ['true', 'yes', 'y', '1'];
const FALSE = ['false', 'no', 'n', '0'];

/** Reads the cells of one line. A cell that can't be read is noted, and answers its default. */
export class CsvRow {
  readonly number: number;
  #failed = false;
  readonly #messages: string[] = [];
  readonly #cells: readonly string[];
  readonly #columns: Columns;

  constructor(row: Row, columns: Columns) {
    this.number = row.line;
    this.#cells = row.cells;
    this.#columns = columns;
  }

  /** Whether what the line describes has to be left out. */
  get failed(): boolean {
    return this.#failed;
  }

  /** All that is wrong with the line, as one error; none when it is fine. */
  get errors(): LineError[] {
    return this.#messages.length > 0 ? [{ line: this.number, message: this.#messages.join(' ') }] : [];
  }

  /** Notes what is wrong; what the line describes is left out. */
  fail(message: string): void {
    this.#failed = true;
    this.#messages.push(message);
  }

  /** Whether the file has the column at all. */
  has(column: Column): boolean {
    return this.#columns.has(column);
  }

  /** The cell as it stands in the file; "" when there is none. */
  raw(column: Column): string {
    return this.#cells[this.#columns.get(column) ?? -1] ?? '';
  }

  /** The cell without the blanks around it, at most `max` characters. */
  text(column: Column, label: string, max: number): string {
    const text = this.raw(column).trim();
    const length = lengthOf(text);
    if (length > max) this.fail(`${label} has ${length} characters, ${max} are allowed.`);
    return text;
  }

  /** {@link text} of a column that may be missing (`undefined`) or empty (`null`). */
  optional(column: Column, label: string, max: number): string | null | undefined {
    return this.has(column) ? this.text(column, label, max) || null : undefined;
  }

  /** A code: spreadsheets keep leading zeros with an apostrophe (`'0123`), which is no part of it. */
  code(column: Column, label: string, max: number): string {
    return this.text(column, label, max).replace(/^'(?=\d+$)/, '');
  }

  /** TRUE or FALSE; `fallback` for an empty cell. */
  flag(column: Column, label: string, fallback: boolean): boolean {
    const text = this.raw(column).trim().toLowerCase();
    if (TRUE.includes(text)) return true;
    if (FALSE.includes(text)) return false;
    if (text !== '') this.fail(`${label} is ${quoted(text)}: write TRUE or FALSE.`);
    return fallback;
  }

  /** An amount in minor units, `null` for an empty cell. */
  amount(column: Column, label: string, currency: string): number | null {
    const text = this.raw(column).trim();
    if (text === '') return null;
    const minor = parseMinor(text, currency);
    if (minor !== null && minor >= 0 && minor <= MAX_AMOUNT) return minor;
    const sample = exponent(currency) === 0 ? '12' : `12.${'50'.padEnd(exponent(currency), '0')}`;
    this.fail(`${label} is ${quoted(text)}: write an amount in ${currency} such as ${sample}.`);
    return null;
  }

  /** A quantity, `null` for an empty cell; sold below zero counts as none. */
  quantity(column: Column, label: string): number | null {
    const text = this.raw(column).trim();
    if (text === '') return null;
    const whole = /^([+-]?\d{1,15})(?:\.0+)?$/.exec(text);
    const quantity = whole ? Math.max(0, Number(whole[1])) : Number.NaN;
    if (quantity <= MAX_STOCK) return quantity;
    this.fail(`${label} is ${quoted(text)}: write a whole number of at most ${MAX_STOCK}.`);
    return null;
  }

  /** The address of an image. One that is no https URL is noted and left out, and the line goes on. */
  image(column: Column): string | null {
    const url = this.raw(column).trim();
    if (url === '') return null;
    const kept = httpsUrl.safeParse(url);
    if (kept.success) return kept.data;
    this.#messages.push(
      `The image ${quoted(url)} is left out: it is no https URL of at most 2048 characters.`,
    );
    return null;
  }
}

/** A cell as a message shows it: in quotes, and not too long. */
export function quoted(text: string): string {
  const begin = firstOf(text, 60);
  return `"${begin === text ? text : `${begin}…`}"`;
}
