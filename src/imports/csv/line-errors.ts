import type { Column, Columns } from './columns.ts';
import type { LineError, Row } from './csv-row.ts';

/** Largest number of lines with an error that an import keeps; the count includes all. */
export const MAX_ERRORS = 10_000;
/** Longest message of a line error, and longest SKU and names of columns in one, in characters. */
export const MAX_MESSAGE_LENGTH = 1_000;
const MAX_NAME_LENGTH = 100;

/** An error as it is stored and shown: where it is in the file, with what finds it in a spreadsheet. */
export interface ImportError {
  readonly line: number;
  /** The line's SKU; null if it has none, or can't be read. */
  readonly sku: string | null;
  /** The names of the columns that are wrong, as the file has them; null for the whole line. */
  readonly field: string | null;
  readonly message: string;
}

/** Collects line errors: keeps the first {@link MAX_ERRORS} and counts all. */
export class LineErrors {
  readonly kept: LineError[] = [];
  /** The number of lines with an error. */
  count = 0;

  /** Adds errors, one for each line; `others` counts further errors that were not kept. */
  add(errors: readonly LineError[], others = 0): void {
    this.count += errors.length + others;
    for (const { message, ...error } of errors.slice(0, MAX_ERRORS - this.kept.length))
      this.kept.push({ ...error, message: cut(message, MAX_MESSAGE_LENGTH) });
  }
}

const cut = (text: string, length: number): string =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).toWellFormed();

/** Merges the errors of each line into one, in line order. */
export function byLine(errors: readonly LineError[]): LineError[] {
  const lines = Map.groupBy(errors, ({ line }) => line);
  return [...lines]
    .sort(([a], [b]) => a - b)
    .map(([line, list]) => ({
      line,
      columns: [...new Set(list.flatMap(({ columns = [] }) => columns))],
      message: list.map(({ message }) => message).join(' '),
    }));
}

/** Returns the SKUs of a file's rows, by line. */
export const skusByLine = (rows: readonly Row[], columns: Columns): Map<number, string> =>
  new Map(rows.map(({ line, cells }) => [line, (cells[columns.get('sku') ?? -1] ?? '').trim()]));

/** The file that errors are in: its header, what is in which column, and the SKUs of lines. */
interface ErrorSource {
  readonly header: readonly string[];
  readonly columns: Columns;
  readonly skus: ReadonlyMap<number, string>;
}

/** Returns errors with the SKU of their line and the names that the file gives to the columns. */
export function located(errors: readonly LineError[], source: ErrorSource): ImportError[] {
  const nameOf = (column: Column): string => source.header[source.columns.get(column) ?? -1]?.trim() ?? '';
  return errors.map(({ line, columns = [], message }) => ({
    line,
    sku: cut(source.skus.get(line) ?? '', MAX_NAME_LENGTH) || null,
    field: cut(columns.map(nameOf).filter(Boolean).join(', '), MAX_NAME_LENGTH) || null,
    message,
  }));
}
