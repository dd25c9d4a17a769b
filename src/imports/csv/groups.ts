import type { Columns } from './columns.ts';
import type { CsvItem, Position } from './csv.ts';
import type { Row } from './csv-row.ts';
import { LineErrors } from './line-errors.ts';

/** Lines of one product: Shopify's limits are 2,048 variants and 250 images. */
export const MAX_PRODUCT_ROWS = 2_500;
/** Bytes of one product in the file, so that its database rows stay below D1's 2 MB. */
export const MAX_PRODUCT_BYTES = 1536 * 1024;
/** A group ends after this many unreadable lines, so that an import makes progress in any file. */
export const MAX_UNREADABLE_LINES = 1_000;
/** The most groups of a round. */
const MAX_ROUND_PRODUCTS = 200;
/** A round takes no further group once the total size of its groups exceeds this (bytes). */
export const MAX_ROUND_BYTES = 2 * 1024 * 1024;
/**
 * A round takes no further group once its groups have this many rows: their SKUs, or their changes of stock, are one
 * parameter, and D1 takes 2 MB.
 */
const MAX_ROUND_ROWS = 4_000;

/** Contiguous lines of a file with the same Handle: one product. */
export interface Group {
  readonly rows: readonly Row[];
  /** The Handle in lower case; `null` if it is missing. */
  readonly handle: string | null;
  /** Whether the group exceeds a product's limits; `rows` is empty then. */
  readonly tooLong: boolean;
  /** Unreadable lines among or right after the rows; any of them may belong to the product. */
  readonly errors: LineErrors;
  /** The number of records in the group, unreadable ones included. */
  readonly lines: number;
  /** The size of its rows in the file. */
  readonly bytes: number;
  /** Where the next group begins, and reading can resume. */
  readonly next: Position;
}

/** Groups the records below the header by product, in order. */
export async function* groupByHandle(
  items: AsyncIterable<CsvItem>,
  columns: Columns,
  from: Position,
): AsyncGenerator<Group, void> {
  let open: OpenGroup | null = null;
  let begin = from;
  for await (const item of items) {
    const handle = item.kind === 'record' ? handleOf(item.cells, columns) : null;
    const isNext = handle !== null && handle !== open?.handle;
    if (open && (isNext || open.errors.count >= MAX_UNREADABLE_LINES)) {
      begin = open.next;
      yield open;
      open = null;
    }
    open ??= new OpenGroup(handle, begin);
    open.add(item, handle);
  }
  if (open) yield open;
}

/**
 * Collects groups into rounds that are written together: {@link MAX_ROUND_PRODUCTS}, or fewer if they are large. A
 * group that is too long has cost many reads of the file and forms a round alone. Holds at most
 * {@link MAX_ROUND_BYTES} + {@link MAX_PRODUCT_BYTES} of the file in memory.
 */
export async function* inRounds(groups: AsyncIterable<Group>): AsyncGenerator<Group[], void> {
  let round: Group[] = [];
  let [bytes, rows] = [0, 0];
  for await (const group of groups) {
    if (group.tooLong && round.length > 0) {
      yield round;
      [round, bytes, rows] = [[], 0, 0];
    }
    round.push(group);
    bytes += group.bytes;
    rows += group.rows.length;
    const isFull = round.length >= MAX_ROUND_PRODUCTS || bytes > MAX_ROUND_BYTES || rows >= MAX_ROUND_ROWS;
    if (!isFull && !group.tooLong) continue;
    yield round;
    [round, bytes, rows] = [[], 0, 0];
  }
  if (round.length > 0) yield round;
}

/** Returns a record's Handle in lower case, or `null` if it is missing. */
export const handleOf = (cells: readonly string[], columns: Columns): string | null =>
  cells[columns.get('handle') ?? -1]?.trim().toLowerCase() || null;

class OpenGroup implements Group {
  readonly handle: string | null;
  readonly errors = new LineErrors();
  rows: Row[] = [];
  lines = 0;
  bytes = 0;
  next: Position;
  tooLong = false;

  constructor(handle: string | null, begin: Position) {
    this.handle = handle;
    this.next = begin;
  }

  add(item: CsvItem, handle: string | null): void {
    this.lines++;
    this.next = item.next;
    if (item.kind !== 'record') this.errors.add([{ line: item.line, message: item.message }]);
    else if (handle === null)
      this.errors.add([{ line: item.line, columns: ['handle'], message: 'The Handle is missing.' }]);
    else if (!this.tooLong) {
      this.rows.push({ line: item.line, cells: item.cells });
      this.bytes += item.bytes;
      this.tooLong = this.rows.length > MAX_PRODUCT_ROWS || this.bytes > MAX_PRODUCT_BYTES;
      if (this.tooLong) this.drop();
    }
  }

  private drop(): void {
    const line = this.rows[0]?.line ?? this.next.line;
    this.rows = [];
    this.bytes = 0;
    this.errors.add([{ line, message: `The product has more than ${MAX_PRODUCT_ROWS} lines or 1.5 MiB.` }]);
  }
}
