import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { HEAD, hasMark, notCsv } from './detect-format.ts';

/** A place between two records: bytes from the file's beginning, and the 1-based line that begins there. */
export interface Position {
  readonly offset: number;
  readonly line: number;
}

/** A record: its cells, the line that it begins on, its length, and where the next one begins. */
export interface CsvRecord {
  readonly kind: 'record';
  readonly line: number;
  readonly cells: readonly string[];
  readonly bytes: number;
  readonly next: Position;
}

/** A line that can't be read: a `problem` is left out, at an `end` nothing more can be read. */
export interface CsvProblem {
  readonly kind: 'problem' | 'end';
  readonly line: number;
  readonly message: string;
  readonly next: Position;
}

/** What a file holds, in order. */
export type CsvItem = CsvRecord | CsvProblem;

/** The longest legal record, in bytes: more is taken for a quote that was never closed. */
export const MAX_RECORD = 1024 * 1024;
/** This many bytes are parsed at a time; more only while the first record in them goes on behind them. */
const WINDOW = 64 * 1024;

/** Where to begin, how many cells a record has (else: as many as the first), bytes parsed at a time. */
export interface ReadOptions {
  readonly from?: Position;
  readonly width?: number;
  readonly window?: number;
}

/**
 * The records of a CSV file (RFC 4180 in UTF-8; lines end in CRLF, LF or CR), read as its bytes arrive.
 * `source` gives the bytes from `from.offset` on. Blank lines are left out; after a line that can't be
 * read, or is longer than {@link MAX_RECORD}, reading goes on at the next one. What is yielded depends on the
 * bytes, not on how they are cut, and the `next` of any item is a place to go on from. Holds at most twice
 * {@link MAX_RECORD} and one piece of the source.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  { from = { offset: 0, line: 1 }, width, window = WINDOW }: ReadOptions = {},
): AsyncGenerator<CsvItem, void> {
  const reader = new Reader(from, width ?? null, window);
  let parts: Uint8Array[] = [];
  let size = 0;
  let enough = from.offset === 0 ? Math.max(window, HEAD) : window;
  for await (const chunk of source) {
    parts.push(chunk);
    size += chunk.byteLength;
    if (size < enough) continue;
    const rest = yield* reader.read(Buffer.concat(parts), false);
    if (rest === null) return;
    parts = [rest];
    size = rest.byteLength;
    // What is longer than a window is parsed again only when its bytes have doubled.
    enough = Math.max(window, 2 * size);
  }
  yield* reader.read(Buffer.concat(parts), true);
}

/** Takes one window of bytes after the other, and knows where in the file it is. */
class Reader {
  #offset: number;
  #line: number;
  #width: number | null;
  readonly #window: number;
  /** The line that is left out up to its end, because it is too long. */
  #tooLong: number | null = null;

  constructor(from: Position, width: number | null, window: number) {
    this.#offset = from.offset;
    this.#line = from.line;
    this.#width = width;
    this.#window = window;
  }

  /** Yields what is whole in `bytes`; returns the bytes that are left, or `null` at an `end`. */
  *read(bytes: Uint8Array, last: boolean): Generator<CsvItem, Uint8Array | null> {
    let at = 0;
    if (this.#offset === 0 && bytes.length > 0) {
      const reason = notCsv(bytes);
      if (reason) {
        yield { kind: 'end', line: 1, message: reason, next: this.#position };
        return null;
      }
      if (hasMark(bytes)) at = this.#move(bytes, 0, 3);
    }
    for (let span = this.#window; ; ) {
      if (this.#tooLong !== null) {
        const next = lineEnd(bytes, at, last) ?? (last ? bytes.length : null);
        if (next === null) return bytes.subarray(this.#move(bytes, at, withoutHalfBreak(bytes)));
        at = this.#move(bytes, at, next);
        yield this.#unreadable(this.#tooLong);
        this.#tooLong = null;
      }
      const begin = at;
      const to = Math.min(bytes.length, at + span);
      const { records, broken } = parseAll(bytes.subarray(at, to), span > this.#window);
      for (const { cells, end } of records) {
        at = this.#move(bytes, at, afterBlanks(bytes, at, last));
        // What touches the edge of what was parsed may go on behind it.
        const whole = begin + end < to || (last && to === bytes.length);
        if (!whole || begin + end - at > MAX_RECORD) break;
        const line = this.#line;
        const raw = bytes.subarray(at, begin + end);
        at = this.#move(bytes, at, begin + end);
        if (!cells.every(isBlank)) yield this.#item(line, cells, raw);
      }
      at = this.#move(bytes, at, afterBlanks(bytes, at, last));
      const left = bytes.length - at;
      if (left === 0) return bytes.subarray(at);
      const goesOn = broken === null || broken === 'CSV_QUOTE_NOT_CLOSED';
      if (goesOn && at > begin && (to < bytes.length || span > this.#window)) {
        span = this.#window;
        continue;
      }
      if (goesOn && to < bytes.length && span <= MAX_RECORD) {
        span *= 2;
        continue;
      }
      const next = lineEnd(bytes, at, last);
      if (!last && (goesOn || next === null) && left <= MAX_RECORD) return bytes.subarray(at);
      span = this.#window;
      const line = this.#line;
      if (next === null && !last && this.#width !== null) {
        this.#tooLong = line;
        continue;
      }
      at = this.#move(bytes, at, next ?? bytes.length);
      yield this.#unreadable(line);
      if (this.#width === null) return null;
    }
  }

  get #position(): Position {
    return { offset: this.#offset, line: this.#line };
  }

  #move(bytes: Uint8Array, from: number, to: number): number {
    this.#offset += to - from;
    this.#line += countLines(bytes, from, to);
    return to;
  }

  /** The first line says what the others are: without it nothing can be read. */
  #unreadable(line: number): CsvItem {
    const kind = this.#width === null ? 'end' : 'problem';
    return { kind, line, message: UNREADABLE, next: this.#position };
  }

  #item(line: number, cells: string[], raw: Uint8Array): CsvItem {
    const next = this.#position;
    this.#width ??= cells.length;
    const problem = (message: string): CsvItem => ({ kind: 'problem', line, message, next });
    if (cells.some((cell) => cell.includes('\0'))) return problem('The line has a NUL character.');
    // The parser puts U+FFFD for what it can't decode; a file may also hold that character itself.
    if (cells.some((cell) => cell.includes('\uFFFD')) && !isUtf8(raw)) {
      return problem('The line is not UTF-8. Save the file as "CSV UTF-8".');
    }
    if (cells.length === this.#width) {
      const normal = cells.map((cell) => cell.normalize('NFC'));
      return { kind: 'record', line, cells: normal, bytes: raw.length, next };
    }
    return problem(`Number of cells: ${cells.length} on this line, ${this.#width} in the header.`);
  }
}

const UNREADABLE =
  'The line is no CSV: a quotation mark is missing or out of place, or the record is longer than 1 MiB.';

const isBlank = (cell: string): boolean => cell.trim() === '';

/**
 * Parses until the first error, or the first record alone; `end` counts bytes from the beginning of `bytes`.
 */
function parseAll(
  bytes: Uint8Array,
  first: boolean,
): {
  records: { cells: string[]; end: number }[];
  broken: CsvError['code'] | null;
} {
  const records: { cells: string[]; end: number }[] = [];
  try {
    parse(bytes, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      ...(first ? { to: 1 } : {}),
      on_record: (cells, { bytes: end }) => {
        records.push({ cells, end });
        return null;
      },
    });
    return { records, broken: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records, broken: error.code };
  }
}

const [LF, CR] = [10, 13];

/** Whether a line break ends at `at`: CRLF counts once, at its LF. */
const breaksAt = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF);

function countLines(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) if (breaksAt(bytes, at)) lines++;
  return lines;
}

/** Where the blank lines that begin at `at` are over. A CR on the window's edge may be half of a CRLF. */
function afterBlanks(bytes: Uint8Array, at: number, last: boolean): number {
  let end = at;
  while (bytes[end] === LF || bytes[end] === CR) end++;
  return !last && end === bytes.length && bytes[end - 1] === CR && end > at ? end - 1 : end;
}

/** The end of the bytes, or the place before a CR there, which may be half of a CRLF. */
const withoutHalfBreak = (bytes: Uint8Array): number => bytes.length - (bytes.at(-1) === CR ? 1 : 0);

/** Where the line after the one at `at` begins, or `null` when that can't be told yet. */
function lineEnd(bytes: Uint8Array, at: number, last: boolean): number | null {
  for (let end = at; end < bytes.length; end++) {
    if (breaksAt(bytes, end)) return !last && end === bytes.length - 1 && bytes[end] === CR ? null : end + 1;
  }
  return null;
}
