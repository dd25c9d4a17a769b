import { MAX_WEIGHT } from '../../catalog/index.ts';
import { MAX_STOCK } from '../../inventory/index.ts';
import { withoutFormulaMark } from '../../kernel/http/csv.ts';
import {
  closesDirections,
  firstOf,
  groupDigits,
  isOneLine,
  lengthOf,
  looksEmpty,
} from '../../kernel/text/text.ts';
import { httpsUrl } from '../../kernel/text/uri.ts';
import { exponent, MAX_AMOUNT, parseMinor } from '../../kernel/values/money.ts';
import type { Column, Columns } from './columns.ts';

/** An error of a line in the file. */
export interface LineError {
  readonly line: number;
  /** The columns that are wrong; none for the whole line. */
  readonly columns?: readonly Column[];
  readonly message: string;
}

/** A record of the file: its first line and its cells. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The URLs of uploaded pictures, by the cells that name them otherwise than by an https URL. */
export type Pictures = ReadonlyMap<string, string>;

/** What a file's cells mean: its columns, the pictures that they name, and the Handles that are slugs as they are. */
export interface CellSource {
  readonly columns: Columns;
  readonly pictures: Pictures;
  /** Slugs of stored products that a Handle would else be changed from, such as "grün" to "grun". */
  readonly slugs: ReadonlySet<string>;
}

const TRUE = ['true', 'yes', 'y', '1'];
const FALSE = ['false', 'no', 'n', '0'];

/** Parses the cells of one record. An invalid cell is recorded as an error and returns its default. */
export class CsvRow {
  readonly number: number;
  private isFailed = false;
  private readonly messages: string[] = [];
  private readonly wrong = new Set<Column>();
  private readonly cells: readonly string[];
  private readonly source: CellSource;

  constructor(row: Row, source: CellSource) {
    this.number = row.line;
    this.cells = row.cells;
    this.source = source;
  }

  /** Whether the product or variant on this line must be skipped. */
  get failed(): boolean {
    return this.isFailed;
  }

  /** All messages of the line as one error; empty for a valid line. */
  get errors(): LineError[] {
    if (this.messages.length === 0) return [];
    return [{ line: this.number, columns: [...this.wrong], message: this.messages.join(' ') }];
  }

  /** Records an error of a cell, or of the whole line, that skips the product or variant on this line. */
  fail(message: string, column?: Column): void {
    this.isFailed = true;
    this.note(message, column);
  }

  private note(message: string, column?: Column): void {
    this.messages.push(message);
    if (column) this.wrong.add(column);
  }

  /** Returns whether the file has the column. */
  has(column: Column): boolean {
    return this.source.columns.has(column);
  }

  /** Returns the cell, without the apostrophe that an export puts before a formula; "" without the column. */
  raw(column: Column): string {
    return withoutFormulaMark(this.cells[this.source.columns.get(column) ?? -1] ?? '');
  }

  /** Returns whether nothing of the cell shows. */
  isBlank(column: Column): boolean {
    return looksEmpty(this.raw(column));
  }

  /** Returns the trimmed cell, at most `max` characters; "" if nothing of it shows. */
  text(column: Column, label: string, max: number): string {
    const text = this.raw(column).trim();
    const length = lengthOf(text);
    if (length > max) this.fail(`${label} has ${length} characters, at most ${max} are allowed.`, column);
    return looksEmpty(text) ? '' : text;
  }

  /** Like {@link text}, of one line. */
  line(column: Column, label: string, max: number): string {
    const text = this.text(column, label, max);
    this.checkLines([text], label, column);
    return text;
  }

  /** Records an error of the first of these texts that is not one of one line. */
  checkLines(texts: readonly string[], label: string, column: Column): void {
    const fault = texts.map(lineFault).find((one) => one !== null);
    if (fault) this.fail(`${label} ${fault}`, column);
  }

  /** Like {@link line}, but returns `undefined` without the column and `null` for an empty cell. */
  optional(column: Column, label: string, max: number): string | null | undefined {
    return this.has(column) ? this.line(column, label, max) || null : undefined;
  }

  /** Returns a code without the apostrophe by which spreadsheets keep leading zeros (`'0123`). */
  code(column: Column, label: string, max: number): string {
    return this.line(column, label, max).replace(/^'(?='*\d+$)/, '');
  }

  /** Parses TRUE or FALSE; returns `fallback` for an empty cell. */
  flag(column: Column, label: string, fallback: boolean): boolean {
    const text = this.raw(column).trim().toLowerCase();
    if (TRUE.includes(text)) return true;
    if (FALSE.includes(text)) return false;
    if (text !== '') this.fail(`${label} is ${quoted(text)}; it must be TRUE or FALSE.`, column);
    return fallback;
  }

  /** Parses an amount to minor units; returns `null` for an empty cell. */
  amount(column: Column, label: string, currency: string): number | null {
    const text = this.raw(column).trim();
    if (text === '') return null;
    const minor = parseMinor(text, currency);
    if (minor !== null && minor >= 0 && minor <= MAX_AMOUNT) return minor;
    const sample = exponent(currency) === 0 ? '12' : `12.${'50'.padEnd(exponent(currency), '0')}`;
    this.fail(`${label} is ${quoted(text)}; it must be an amount in ${currency} such as ${sample}.`, column);
    return null;
  }

  /** Parses a quantity; returns `null` for an empty cell. One below zero is 0: Shopify exports oversold goods so. */
  quantity(column: Column, label: string): number | null {
    const text = this.raw(column).trim();
    if (text === '') return null;
    const whole = /^([+-]?\d{1,15})(?:\.0+)?$/.exec(text);
    const quantity = whole ? Math.max(0, Number(whole[1])) : Number.NaN;
    if (quantity <= MAX_STOCK) return quantity;
    this.fail(
      `${label} is ${quoted(text)}; it must be a whole number of at most ${groupDigits(MAX_STOCK)}.`,
      column,
    );
    return null;
  }

  /** Parses a weight, rounded to whole grams; returns `null` for an empty cell. */
  grams(column: Column, label: string): number | null {
    const text = this.raw(column).trim();
    if (text === '') return null;
    const grams = /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Math.round(Number(text)) : Number.NaN;
    if (grams <= MAX_WEIGHT) return grams;
    this.fail(`${label} is ${quoted(text)}; it must be grams from 0 to ${MAX_WEIGHT}.`, column);
    return null;
  }

  /** Returns an image's URL; an invalid one is recorded as an error and ignored, without skipping the line. */
  image(column: Column): string | null {
    const cell = this.raw(column).trim();
    const url = cell === '' ? null : this.imageUrl(column);
    if (cell !== '' && url === null) this.note(`The image ${quoted(cell)} is ignored: ${NO_IMAGE}`, column);
    return url;
  }

  /** Returns an image's URL; null for an empty or invalid cell. */
  imageUrl(column: Column): string | null {
    const cell = this.raw(column).trim();
    return this.source.pictures.get(cell) ?? httpsUrl.safeParse(cell).data ?? null;
  }
}

const NO_IMAGE =
  'it must be an https URL of at most 2048 characters, or the id of an uploaded image of this shop.';

/** Returns what is wrong with a text of one line, as the end of a sentence; null if nothing is. */
function lineFault(text: string): string | null {
  if (!isOneLine(text)) return 'has line breaks or other control characters.';
  if (closesDirections(text)) return null;
  return 'has controls of text direction (U+202A to U+202E, U+2066 to U+2069) that it does not close.';
}

/** Quotes a cell for a message, cut to 60 characters. */
export function quoted(text: string): string {
  const begin = firstOf(text, 60);
  return `"${begin === text ? text : `${begin}…`}"`;
}
