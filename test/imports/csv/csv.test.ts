import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CsvItem,
  MAX_RECORD_BYTES,
  type Position,
  type ReadOptions,
  readCsv,
} from '../../../src/imports/csv/csv.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The bytes in pieces, cut at the given places. */
async function* pieces(bytes: Uint8Array, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  let at = 0;
  for (const place of places) {
    yield bytes.subarray(at, place);
    at = place;
  }
}

async function read(file: string | Uint8Array, options: ReadOptions = {}, cuts: readonly number[] = []) {
  const items: CsvItem[] = [];
  const bytes = typeof file === 'string' ? utf8(file) : file;
  for await (const item of readCsv(pieces(bytes, cuts), options)) items.push(item);
  return items;
}

/** What was read, short: `2 a|b` for a record that begins on line 2, `3!` for a problem on line 3. */
const brief = (items: readonly CsvItem[]): string[] =>
  items.map((item) =>
    item.kind === 'record'
      ? `${item.line} ${item.cells.join('|')}`
      : `${item.line}${item.kind === 'end' ? '!!' : '!'}`,
  );

const messages = (items: readonly CsvItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'record' ? [] : [item.message]));

describe('the records of a CSV file', () => {
  it('accepts LF, CRLF and CR, with or without one at the end', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(brief(await read(['a,b', '1,2', '3,4'].join(end)))).toEqual(['1 a|b', '2 1|2', '3 3|4']);
      expect(brief(await read(['a,b', '1,2', ''].join(end)))).toEqual(['1 a|b', '2 1|2']);
    }
  });

  it('keeps quotes, commas and line breaks inside a field, and counts the lines they take', async () => {
    const file = 'a,b\n"x, ""y""","1\r\n2\n3"\nz,\n';
    expect(brief(await read(file))).toEqual(['1 a|b', '2 x, "y"|1\r\n2\n3', '5 z|']);
  });

  it('skips a byte order mark, blank lines and rows of only commas', async () => {
    const items = await read('\uFEFFa,b\r\n\r\n1,2\r\n,\r\n \r\n3,4\r\n\r\n');
    expect(brief(items)).toEqual(['1 a|b', '3 1|2', '6 3|4']);
  });

  it('keeps 4-byte characters and U+FFFD, wherever a chunk ends', async () => {
    const file = 'a,b\n😀🇹🇷,\uFFFD\n';
    for (let cut = 0; cut <= utf8(file).length; cut++) {
      expect(brief(await read(file, { window: 1 }, [cut]))).toEqual(['1 a|b', '2 😀🇹🇷|\uFFFD']);
    }
  });

  it('reads no records from an empty file', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('\uFEFF\r\n\r\n')).toEqual([]);
  });
});

describe('lines that cannot be read', () => {
  it('reports a line with too few or too many cells and continues', async () => {
    const items = await read('a,b\n1\n1,2,3\n5,6\n');
    expect(brief(items)).toEqual(['1 a|b', '2!', '3!', '4 5|6']);
    expect(messages(items)).toEqual([
      'Number of cells: 1 on this line, 2 in the header.',
      'Number of cells: 3 on this line, 2 in the header.',
    ]);
  });

  it('reports a misplaced quote and continues with the next line', async () => {
    expect(brief(await read('a,b\n5" pipe,1\n2,"x"y\n3,4\n'))).toEqual(['1 a|b', '2!', '3!', '4 3|4']);
  });

  it('does not let an unclosed quote swallow the rest', async () => {
    expect(brief(await read('a,b\n1,"2\n3,4\n5,6\n'))).toEqual(['1 a|b', '2!', '3 3|4', '4 5|6']);
    const long = `a,b\n1,"2\n${'3,4\n'.repeat(MAX_RECORD_BYTES / 2)}`;
    const items = await read(long);
    expect(items).toHaveLength(2 + MAX_RECORD_BYTES / 2);
    expect(brief(items.slice(0, 3))).toEqual(['1 a|b', '2!', '3 3|4']);
  });

  it('reports bytes that are not UTF-8, and NUL characters', async () => {
    const latin1 = Uint8Array.from(Buffer.from('a,b\nTürk,1\nx,y\n', 'latin1'));
    const items = await read(latin1);
    expect(brief(items)).toEqual(['1 a|b', '2!', '3 x|y']);
    expect(messages(items)).toEqual(['The line is not UTF-8. Save the file as "CSV UTF-8".']);
    expect(brief(await read(`a,b\n${' '.repeat(2000)},\0\n1,2\n`))).toEqual(['1 a|b', '2!', '3 1|2']);
  });

  it.each([
    ['JSON', '  {"products": []}'],
    ['JSON', '[1, 2]'],
    ['HTML or XML', '<!doctype html><html>'],
    ['spreadsheet', 'PK\x03\x04\x14\x00'],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x48, 0)],
    ['binary', Uint8Array.of(1, 2, 3, 0, 4)],
    ['not valid CSV', '"Handle,Title\na,b\n'],
    ['not valid CSV', 'x'.repeat(MAX_RECORD_BYTES + 1)],
  ])('stops immediately when the file is %s', async (what, file) => {
    const items = await read(file);
    expect(brief(items)).toEqual(['1!!']);
    expect(messages(items)).toEqual([expect.stringContaining(what)]);
  });
});

/** Text with what CSV trips over: quotes, commas, line breaks, accents, 4-byte characters. */
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', ' ', 'ö', '😀', '\uFFFD'), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
);

/** A table of at least one row, in which no row is blank. */
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
  )
  .filter((rows) => rows.every((row) => row.some((text) => text.trim() !== '')));

const write = (text: string, quote: boolean): string =>
  quote || /[",\r\n\uFEFF]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const cuts = fc.array(fc.nat(), { maxLength: 6 });
/** A place behind the file's beginning, so that nothing is guessed from the first bytes. */
const inside = (width: number): ReadOptions => ({ from: { offset: 100, line: 7 }, width });

/** What is left of a file at a place that reading gave. */
const rest = (bytes: Uint8Array, next: Position): Uint8Array => bytes.subarray(next.offset - 100);

describe('any file', () => {
  it('reads back what was written, in any chunks and from any record', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        cuts,
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        async (rows, end, quote, places, window, pick) => {
          const bytes = utf8(rows.map((row) => row.map((text) => write(text, quote)).join(',')).join(end));
          const options = { ...inside(rows[0]?.length ?? 0), window };
          const items = await read(bytes, options, places);
          const kept = rows.map((row) => row.map((text) => text.normalize('NFC')));
          expect(items.map((item) => item.kind === 'record' && item.cells)).toEqual(kept);
          const at = pick % items.length;
          const next = items[at]?.next ?? { offset: 0, line: 0 };
          expect(await read(rest(bytes, next), { ...options, from: next }, places)).toEqual(
            items.slice(at + 1),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('returns the same items for the same bytes, in any chunks', async () => {
    const unit = fc.constantFrom('"', 'a"', ',', '\n', '\r', '\r\n', 'a', 'ö', '\0', '\uFEFF');
    const noise = fc.array(unit, { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        noise,
        cuts,
        fc.integer({ min: 1, max: 30 }),
        fc.nat(),
        async (text, places, window, pick) => {
          const bytes = utf8(text.join(''));
          const whole = await read(bytes, inside(2));
          expect(await read(bytes, { ...inside(2), window }, places)).toEqual(whole);
          expect(whole.every((item, i) => i === 0 || item.line > (whole[i - 1]?.line ?? 0))).toBe(true);
          const at = pick % Math.max(1, whole.length);
          const next = whole[at]?.next ?? { offset: 100, line: 7 };
          const options = { ...inside(2), from: next, window };
          expect(await read(rest(bytes, next), options, places)).toEqual(whole.slice(at + 1));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
