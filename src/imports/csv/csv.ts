import { isUtf8 } from 'node:buffer';
import { hasManyMarks } from '../../kernel/text/text.ts';
import {
  afterBlanks,
  countLines,
  HEAD_BYTES,
  hasByteOrderMark,
  lineEnd,
  otherFormat,
  withoutHalfBreak,
} from './bytes.ts';
import { type ParsedRecord, parseRecords } from './parse-records.ts';

/** A position between two records: the byte offset, and the 1-based number of the line that begins there. */
export interface Position {
  readonly offset: number;
  readonly line: number;
}

/** A record: its first line, its cells, its size, and where the next record begins. */
interface CsvRecord {
  readonly kind: 'record';
  readonly line: number;
  readonly cells: readonly string[];
  readonly bytes: number;
  readonly next: Position;
}

/** An unreadable line: a `problem` is skipped; after an `end` nothing more is read. */
interface CsvProblem {
  readonly kind: 'problem' | 'end';
  readonly line: number;
  readonly message: string;
  readonly next: Position;
}

/** An item of a file, in order. */
export type CsvItem = CsvRecord | CsvProblem;

/** The longest valid record, in bytes: a longer one counts as an unclosed quote. */
export const MAX_RECORD_BYTES = 1024 * 1024;
/** Bytes parsed at a time; more only if the first record extends beyond them. */
const WINDOW_BYTES = 64 * 1024;

/** The start position, the cells of a record (default: as many as the first one), and the window in bytes. */
export interface ReadOptions {
  readonly from?: Position;
  readonly width?: number;
  readonly window?: number;
}

/**
 * Streams the records of a CSV file (RFC 4180 in UTF-8; lines end in CRLF, LF or CR). `source` provides the
 * bytes from `from.offset` on. Skips blank lines, and resumes after a line that is unreadable or longer than
 * {@link MAX_RECORD_BYTES}. The result doesn't depend on how the source is chunked, and reading can resume
 * from any item's `next`. Holds at most twice {@link MAX_RECORD_BYTES} and one chunk of the source.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  { from = { offset: 0, line: 1 }, width, window = WINDOW_BYTES }: ReadOptions = {},
): AsyncGenerator<CsvItem, void> {
  const reader = new Reader(from, width ?? null, window);
  let parts: Uint8Array[] = [];
  let size = 0;
  let enough = from.offset === 0 ? Math.max(window, HEAD_BYTES) : window;
  for await (const chunk of source) {
    parts.push(chunk);
    size += chunk.byteLength;
    if (size < enough) continue;
    const rest = yield* reader.read(Buffer.concat(parts), false);
    if (rest === null) return;
    parts = [rest];
    size = rest.byteLength;
    // A record longer than the window is parsed again only after its bytes have doubled.
    enough = Math.max(window, 2 * size);
  }
  yield* reader.read(Buffer.concat(parts), true);
}

/** The bytes from `from` to `to` that were parsed; `last` says whether `bytes` ends the file. */
interface ParsedWindow {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly last: boolean;
}

/** Where reading stops: at a record that can't be read, which may continue beyond the bytes so far. */
interface Stop {
  readonly next: number;
  readonly continues: boolean;
}

/** Parses the file window by window, and tracks the position. */
class Reader {
  private offset: number;
  private line: number;
  private width: number | null;
  private readonly window: number;
  /** The line that is skipped to its end because it is too long. */
  private tooLong: number | null = null;

  constructor(from: Position, width: number | null, window: number) {
    this.offset = from.offset;
    this.line = from.line;
    this.width = width;
    this.window = window;
  }

  /** Yields the complete records in `bytes`; returns the remaining bytes, or `null` after an `end`. */
  *read(bytes: Uint8Array, last: boolean): Generator<CsvItem, Uint8Array | null> {
    const start = yield* this.start(bytes);
    if (start === null) return null;
    for (let at = start; ; ) {
      const from = yield* this.endOfTooLong(bytes, at, last);
      if (from === null) return bytes.subarray(this.move(bytes, at, withoutHalfBreak(bytes)));
      const { next, continues } = yield* this.readable(bytes, from, last);
      if (next === bytes.length) return bytes.subarray(next);
      const end = lineEnd(bytes, next, last);
      const mayFit = bytes.length - next <= MAX_RECORD_BYTES;
      if (!last && (continues || end === null) && mayFit) return bytes.subarray(next);
      at = yield* this.skip(bytes, next, end ?? (last ? bytes.length : null));
      if (this.width === null) return null;
    }
  }

  /** Yields the records up to the first that can't be read, and returns where that is and whether more bytes may help. */
  private *readable(bytes: Uint8Array, start: number, last: boolean): Generator<CsvItem, Stop> {
    let from = start;
    for (let span = this.window; ; ) {
      const to = Math.min(bytes.length, from + span);
      const { records, broken } = parseRecords(bytes.subarray(from, to), span > this.window);
      const next = yield* this.complete(records, { bytes, from, to, last });
      const continues = broken === null || broken === 'CSV_QUOTE_NOT_CLOSED';
      const again = continues ? this.nextSpan(span, next > from, to === bytes.length) : null;
      if (next === bytes.length || again === null) return { next, continues };
      from = next;
      span = again;
    }
  }

  /**
   * Returns how many bytes to parse next: more if a record may continue beyond the last ones. Null if that is of no
   * use: `all` bytes were parsed, or the record is too long.
   */
  private nextSpan(span: number, advanced: boolean, all: boolean): number | null {
    if (advanced && (!all || span > this.window)) return this.window;
    return !all && span <= MAX_RECORD_BYTES ? span * 2 : null;
  }

  /**
   * Skips the rest of a line that is too long, if one is being skipped. Returns where the next line begins, or `null`
   * if that is not in `bytes`.
   */
  private *endOfTooLong(bytes: Uint8Array, at: number, last: boolean): Generator<CsvItem, number | null> {
    if (this.tooLong === null) return at;
    const next = lineEnd(bytes, at, last) ?? (last ? bytes.length : null);
    if (next === null) return null;
    this.move(bytes, at, next);
    yield this.unreadable(this.tooLong);
    this.tooLong = null;
    return next;
  }

  /** Skips an unreadable line that ends at `end`; if the end is not known yet, leaves it to {@link #endOfTooLong}. */
  private *skip(bytes: Uint8Array, at: number, end: number | null): Generator<CsvItem, number> {
    const line = this.line;
    if (end === null && this.width !== null) {
      this.tooLong = line;
      return at;
    }
    const next = this.move(bytes, at, end ?? bytes.length);
    yield this.unreadable(line);
    return next;
  }

  /** At the start of the file, skips a byte order mark. Yields an `end` and returns `null` for another format. */
  private *start(bytes: Uint8Array): Generator<CsvItem, number | null> {
    if (this.offset > 0 || bytes.length === 0) return 0;
    const reason = otherFormat(bytes);
    if (reason) {
      yield { kind: 'end', line: 1, message: reason, next: this.position };
      return null;
    }
    return hasByteOrderMark(bytes) ? this.move(bytes, 0, 3) : 0;
  }

  /** Yields the parsed records that are complete, blank ones excepted; returns where the next one begins. */
  private *complete(
    records: readonly ParsedRecord[],
    { bytes, from, to, last }: ParsedWindow,
  ): Generator<CsvItem, number> {
    let at = from;
    for (const { cells, end } of records) {
      at = this.move(bytes, at, afterBlanks(bytes, at, last));
      // A record at the edge of the parsed bytes may continue beyond it.
      const isWhole = from + end < to || (last && to === bytes.length);
      if (!isWhole || from + end - at > MAX_RECORD_BYTES) break;
      const line = this.line;
      const raw = bytes.subarray(at, from + end);
      at = this.move(bytes, at, from + end);
      if (!cells.every(isBlank)) yield this.item(line, cells, raw);
    }
    return this.move(bytes, at, afterBlanks(bytes, at, last));
  }

  private get position(): Position {
    return { offset: this.offset, line: this.line };
  }

  private move(bytes: Uint8Array, from: number, to: number): number {
    this.offset += to - from;
    this.line += countLines(bytes, from, to);
    return to;
  }

  /** Without a readable header nothing can be read, so its error is an `end`. */
  private unreadable(line: number): CsvItem {
    const kind = this.width === null ? 'end' : 'problem';
    return { kind, line, message: UNREADABLE, next: this.position };
  }

  private item(line: number, cells: string[], raw: Uint8Array): CsvItem {
    const next = this.position;
    this.width ??= cells.length;
    const problem = (message: string): CsvItem => ({ kind: 'problem', line, message, next });
    if (cells.some((cell) => cell.includes('\0'))) return problem('The line has a NUL character.');
    if (cells.some(hasManyMarks)) return problem('The line has more than 30 combining marks in a row.');
    // The parser decodes invalid bytes to U+FFFD, which may also occur in the file itself.
    if (cells.some((cell) => cell.includes('\uFFFD')) && !isUtf8(raw)) {
      return problem('The line is not UTF-8. Save the file as "CSV UTF-8".');
    }
    if (cells.length === this.width) {
      const normal = cells.map((cell) => cell.normalize('NFC'));
      return { kind: 'record', line, cells: normal, bytes: raw.length, next };
    }
    return problem(`Number of cells: ${cells.length} on this line, ${this.width} in the header.`);
  }
}

const UNREADABLE =
  'The line is not valid CSV: a quotation mark is missing or out of place, or the record is longer than 1 MiB.';

const isBlank = (cell: string): boolean => cell.trim() === '';
