import type { Columns } from './columns.ts';
import type { CsvItem, Position } from './csv.ts';
import type { LineError, Row } from './line.ts';

/** A product may take this many lines of a file: 2,048 variants and 250 images are Shopify's most. */
export const MAX_ROWS = 2_500;
/** And this many bytes, so that no row of the database has more than the 2 MB that D1 allows. */
const MAX_BYTES = 1536 * 1024;

/** Lines of a file that follow each other and have one Handle. */
export interface Group {
  readonly rows: readonly Row[];
  /** Lines among or right after the rows that can't be read: one of them may have been part of it. */
  readonly errors: readonly LineError[];
  /** How many lines the group takes, in all. */
  readonly lines: number;
  /** Where the next group begins: a place to go on from. */
  readonly next: Position;
  /** Set where the file can't be read any further. */
  readonly ended: boolean;
}

/** The lines of a file without its header, product by product, in order. */
export async function* groupByHandle(
  items: AsyncIterable<CsvItem>,
  columns: Columns,
  from: Position,
): AsyncGenerator<Group, void> {
  let open: OpenGroup | null = null;
  let begin = from;
  for await (const item of items) {
    const handle = item.kind === 'record' ? handleOf(item.cells, columns) : null;
    if (open && handle !== null && handle !== open.handle) {
      begin = open.next;
      yield open;
      open = null;
    }
    open ??= new OpenGroup(handle, begin);
    open.add(item, handle);
    if (item.kind === 'end') break;
  }
  if (open) yield open;
}

/** What the lines of a product have in common, or `null` where it is missing. */
const handleOf = (cells: readonly string[], columns: Columns): string | null =>
  cells[columns.get('handle') ?? -1]?.trim().toLowerCase() || null;

class OpenGroup implements Group {
  readonly handle: string | null;
  readonly errors: LineError[] = [];
  rows: Row[] = [];
  lines = 0;
  next: Position;
  ended = false;
  readonly #begin: Position;
  #tooLong = false;

  constructor(handle: string | null, begin: Position) {
    this.handle = handle;
    this.#begin = begin;
    this.next = begin;
  }

  add(item: CsvItem, handle: string | null): void {
    this.lines++;
    this.next = item.next;
    if (item.kind !== 'record') {
      this.errors.push({ line: item.line, message: item.message });
      this.ended = item.kind === 'end';
    } else if (handle === null) {
      this.errors.push({ line: item.line, message: 'The Handle is missing.' });
    } else if (!this.#tooLong) {
      this.rows.push({ line: item.line, cells: item.cells });
      this.#tooLong = this.rows.length > MAX_ROWS || item.next.offset - this.#begin.offset > MAX_BYTES;
      if (this.#tooLong) this.#drop();
    }
  }

  #drop(): void {
    const [first] = this.rows;
    this.rows = [];
    const message = `The product has more than ${MAX_ROWS} lines or 1.5 MiB.`;
    this.errors.push({ line: first?.line ?? this.#begin.line, message });
  }
}
