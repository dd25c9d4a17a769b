import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { HEAD_BYTES, hasByteOrderMark, otherFormat } from './detect-format.ts';

/** A position between two records: the byte offset, and the 1-based number of the line that begins there. */
export interface Position {
  readonly offset: number;
  readonly line: number;
}

/** A record: its first line, its cells, its size, and where the next record begins. */
export interface CsvRecord {
  readonly kind: 'record';
  readonly line: number;
  readonly cells: readonly string[];
  readonly bytes: number;
  readonly next: Position;
}

/** An unreadable line: a `problem` is skipped; after an `end` nothing more is read. */
export interface CsvProblem {
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

/** Parses the file window by window, and tracks the position. */
class Reader {
  #offset: number;
  #line: number;
  #width: number | null;
  readonly #window: number;
  /** The line that is skipped to its end because it is too long. */
  #tooLong: number | null = null;

  constructor(from: Position, width: number | null, window: number) {
    this.#offset = from.offset;
    this.#line = from.line;
    this.#width = width;
    this.#window = window;
  }

  /** Yields the complete records in `bytes`; returns the remaining bytes, or `null` after an `end`. */
  *read(bytes: Uint8Array, last: boolean): Generator<CsvItem, Uint8Array | null> {
    let at = 0;
    if (this.#offset === 0 && bytes.length > 0) {
      const reason = otherFormat(bytes);
      if (reason) {
        yield { kind: 'end', line: 1, message: reason, next: this.#position };
        return null;
      }
      if (hasByteOrderMark(bytes)) at = this.#move(bytes, 0, 3);
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
        // A record at the edge of the parsed bytes may continue beyond it.
        const whole = begin + end < to || (last && to === bytes.length);
        if (!whole || begin + end - at > MAX_RECORD_BYTES) break;
        const line = this.#line;
        const raw = bytes.subarray(at, begin + end);
        at = this.#move(bytes, at, begin + end);
        if (!cells.every(isBlank)) yield this.#item(line, cells, raw);
      }
      at = this.#move(bytes, at, afterBlanks(bytes, at, last));
      const left = bytes.length - at;
      if (left === 0) return bytes.subarray(at);
      const continues = broken === null || broken === 'CSV_QUOTE_NOT_CLOSED';
      if (continues && at > begin && (to < bytes.length || span > this.#window)) {
        span = this.#window;
        continue;
      }
      if (continues && to < bytes.length && span <= MAX_RECORD_BYTES) {
        span *= 2;
        continue;
      }
      const next = lineEnd(bytes, at, last);
      if (!last && (continues || next === null) && left <= MAX_RECORD_BYTES) return bytes.subarray(at);
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

  /** Without a readable header nothing can be read, so its error is an `end`. */
  #unreadable(line: number): CsvItem {
    const kind = this.#width === null ? 'end' : 'problem';
    return { kind, line, message: UNREADABLE, next: this.#position };
  }

  #item(line: number, cells: string[], raw: Uint8Array): CsvItem {
    const next = this.#position;
    this.#width ??= cells.length;
    const problem = (message: string): CsvItem => ({ kind: 'problem', line, message, next });
    if (cells.some((cell) => cell.includes('\0'))) return problem('The line has a NUL character.');
    // The parser decodes invalid bytes to U+FFFD, which may also occur in the file itself.
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
  'The line is not valid CSV: a quotation mark is missing or out of place, or the record is longer than 1 MiB.';

const isBlank = (cell: string): boolean => cell.trim() === '';

/** Parses up to the first error, or only the first record; `end` is the byte offset in `bytes`. */
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

/** Returns whether a line break ends at `at`: CRLF counts once, at its LF. */
const breaksAt = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF);

function countLines(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) if (breaksAt(bytes, at)) lines++;
  return lines;
}

/** Returns the end of the blank lines at `at`. A CR at the window's edge may be half of a CRLF. */
function afterBlanks(bytes: Uint8Array, at: number, last: boolean): number {
  let end = at;
  while (bytes[end] === LF || bytes[end] === CR) end++;
  return !last && end === bytes.length && bytes[end - 1] === CR && end > at ? end - 1 : end;
}

/** Returns the end of the bytes, without a final CR, which may be half of a CRLF. */
const withoutHalfBreak = (bytes: Uint8Array): number => bytes.length - (bytes.at(-1) === CR ? 1 : 0);

/** Returns where the line after the one at `at` begins, or `null` when more bytes are needed to know. */
function lineEnd(bytes: Uint8Array, at: number, last: boolean): number | null {
  for (let end = at; end < bytes.length; end++) {
    if (breaksAt(bytes, end)) return !last && end === bytes.length - 1 && bytes[end] === CR ? null : end + 1;
  }
  return null;
}
