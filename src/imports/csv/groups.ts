import type { Columns } from './columns.ts';
import type { CsvItem, Position } from './csv.ts';
import type { Row } from './csv-row.ts';
import { LineErrors } from './line-errors.ts';

/** A product may take this many lines of a file: 2,048 variants and 250 images are Shopify's most. */
export const MAX_ROWS = 2_500;
/** And this many bytes, so that no row of the database has more than the 2 MB that D1 allows. */
export const MAX_GROUP_BYTES = 1536 * 1024;
/**
 * A group ends after this many lines that can't be read, so that an import gets on whatever the file holds.
 */
export const MAX_UNREADABLE = 1_000;
/** So many groups are taken at a time, … */
const ROUND_GROUPS = 20;
/** … or as few as have more than this many bytes together. */
export const MAX_ROUND_BYTES = 2 * 1024 * 1024;

/** Lines of a file that follow each other and have one Handle. */
export interface Group {
  readonly rows: readonly Row[];
  /** What the rows have in common, in lower case; `null` where there is none. */
  readonly handle: string | null;
  /** Whether it has too many rows for a product: then none of them is held. */
  readonly tooLong: boolean;
  /** Lines among or right after the rows that can't be read: one of them may have been part of it. */
  readonly errors: LineErrors;
  /** How many lines the group takes, in all. */
  readonly lines: number;
  /** How many bytes of the file its rows take. */
  readonly bytes: number;
  /** Where the next group begins: a place to go on from. */
  readonly next: Position;
}

/** Returns the lines of a file without its header, product by product, in order. */
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
    if (open && (isNext || open.errors.count >= MAX_UNREADABLE)) {
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
 * Returns groups in rounds, to be written together: 20, or fewer that are large. One that was too long to be
 * held has taken many reads of the file and comes alone. At most {@link MAX_ROUND_BYTES} + {@link
 * MAX_GROUP_BYTES} of the file are held at a time.
 */
export async function* inRounds(groups: AsyncIterable<Group>): AsyncGenerator<Group[], void> {
  let round: Group[] = [];
  let bytes = 0;
  for await (const group of groups) {
    if (group.tooLong && round.length > 0) {
      yield round;
      [round, bytes] = [[], 0];
    }
    round.push(group);
    bytes += group.bytes;
    if (round.length < ROUND_GROUPS && bytes <= MAX_ROUND_BYTES && !group.tooLong) continue;
    yield round;
    [round, bytes] = [[], 0];
  }
  if (round.length > 0) yield round;
}

/** What the lines of a product have in common, or `null` where it is missing. */
const handleOf = (cells: readonly string[], columns: Columns): string | null =>
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
    else if (handle === null) this.errors.add([{ line: item.line, message: 'The Handle is missing.' }]);
    else if (!this.tooLong) {
      this.rows.push({ line: item.line, cells: item.cells });
      this.bytes += item.bytes;
      this.tooLong = this.rows.length > MAX_ROWS || this.bytes > MAX_GROUP_BYTES;
      if (this.tooLong) this.#drop();
    }
  }

  #drop(): void {
    const line = this.rows[0]?.line ?? this.next.line;
    this.rows = [];
    this.bytes = 0;
    this.errors.add([{ line, message: `The product has more than ${MAX_ROWS} lines or 1.5 MiB.` }]);
  }
}
