import { describe, expect, it } from 'vitest';
import { columnsOf, MAX_COLUMNS } from '../../src/imports/csv/columns.ts';
import { MAX_RECORD_BYTES, readCsv } from '../../src/imports/csv/csv.ts';
import {
  groupByHandle,
  inRounds,
  MAX_PRODUCT_BYTES,
  MAX_ROUND_BYTES,
  MAX_UNREADABLE_LINES,
} from '../../src/imports/csv/groups.ts';
import { MAX_MESSAGE_LENGTH } from '../../src/imports/csv/line-errors.ts';
import { MAX_LISTED_ERRORS } from '../../src/imports/schemas.ts';
import { countImportRows, importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { world } from '../support/world.ts';

const HEADER = 'Handle,Title,Price';
const FROM = { offset: HEADER.length + 1, line: 2 };
const MIB = 1024 * 1024;

/** At least so many bytes of the same text again and again, after `first`, as an upload brings them. */
async function* bytes(text: string, size: number, first = ''): AsyncGenerator<Uint8Array> {
  const piece = new TextEncoder().encode(text.repeat(Math.ceil((64 * 1024) / text.length)));
  yield new TextEncoder().encode(first);
  for (let sent = 0; sent < size; sent += piece.length) yield piece;
}

/** What reading a file holds at most between two writes, and what it comes to. */
async function read(source: AsyncIterable<Uint8Array>) {
  const columns = columnsOf(HEADER.split(','));
  if (typeof columns === 'string') throw new Error(columns);
  const items = readCsv(source, { from: FROM, width: 3 });
  const found = { characters: 0, errors: 0, lines: 0, failed: 0 };
  for await (const round of inRounds(groupByHandle(items, columns, FROM))) {
    const cells = round.flatMap(({ rows }) => rows.map((row) => row.cells.join('').length));
    const characters = cells.reduce((sum, length) => sum + length, 0);
    found.characters = Math.max(found.characters, characters);
    found.errors = Math.max(found.errors, ...round.map(({ errors }) => errors.kept.length));
    found.lines += round.reduce((sum, { lines }) => sum + lines, 0);
    found.failed += round.reduce((sum, { errors }) => sum + errors.count, 0);
  }
  return found;
}

describe('a hostile file', () => {
  it.each([
    ['short lines', 'x\n', ''],
    ['quotes out of place', `a"b${' '.repeat(60)}\n`, ''],
    ['lines without a Handle', ',t,1\n', ''],
    ['a quote that is never closed, over many lines', 'aaaaaaaaaaaaaaa\n', 'h,"'],
    ['a quote that is never closed, on one line', 'a', 'h,"'],
    ['empty lines', '\n', ''],
    ['blank cells', ' , ,\n', ''],
    ['lines of one Handle', 'h,title,1\n', ''],
    ['lines of one Handle, a bad one between', 'h,title,1\nx\n', ''],
    ['10,000 cells on a line', `${'a,'.repeat(9_999)}\n`, ''],
    [
      'one product after the other, each as large as may be',
      `${'t'.repeat(9)},"${'x'.repeat(MIB - 99)}",1\n`,
      '',
    ],
    [
      'large products',
      Array.from({ length: 9 }, (_, n) => `h${n},"${'x'.repeat(MIB / 3)}",1\n`).join(''),
      '',
    ],
  ])('is read in bounded chunks: %s', async (_, text, first) => {
    const { characters, errors } = await read(bytes(text, text.length > 99 ? 6 * MIB : MIB, first));
    expect(characters).toBeLessThanOrEqual(MAX_ROUND_BYTES + MAX_PRODUCT_BYTES);
    expect(errors).toBeLessThanOrEqual(MAX_UNREADABLE_LINES + 1);
  });

  it('skips a line that is too long and continues after it', async () => {
    const long = `a,"${'x'.repeat(3 * MIB)}",1\n`;
    for (const piece of [1_000, 128 * 1024, 9 * MIB]) {
      const text = new TextEncoder().encode(
        `${long}b,B,1\n${'y'.repeat(MAX_RECORD_BYTES + 1)}\nc,C,1\n${long.trim()}`,
      );
      const pieces = (async function* () {
        for (let at = 0; at < text.length; at += piece) yield text.subarray(at, at + piece);
      })();
      const items: string[] = [];
      for await (const item of readCsv(pieces, { from: FROM, width: 3 })) {
        items.push(`${item.line} ${item.kind === 'record' ? item.cells.join() : item.kind}`);
      }
      expect(items).toEqual(['2 problem', '3 b,B,1', '4 problem', '5 c,C,1', '6 problem']);
    }
  });
});

describe('an import', () => {
  it('counts 200,000 invalid lines, reports the first hundred, and continues', async () => {
    const shop = await world();
    const result = await importFile(shop, `${HEADER}\n${'x\n'.repeat(200_000)}mug,Mug,12\n`);
    expect(result).toMatchObject({
      status: 'done',
      rows: 200_001,
      processed: 200_001,
      failed: 200_000,
      created: 1,
    });
    expect(result.errors.map(({ line }: { line: number }) => line)).toEqual(
      Array.from({ length: MAX_LISTED_ERRORS }, (_, n) => n + 2),
    );
  });

  it('rejects a product of 100,000 lines with one error, wherever a chunk ends', async () => {
    const shop = await world();
    const lines = (count: number) => 'mug,Mug,12\n'.repeat(count);
    const result = await importFile(shop, `${HEADER}\n${lines(100_000)}cup,Cup,8\n${lines(1)}`);
    expect(result).toMatchObject({ status: 'done', processed: 100_002, created: 1, failed: 2 });
    expect(result.errors).toMatchObject([
      { line: 2, message: 'The product has more than 2500 lines or 1.5 MiB.' },
      {
        line: 100_003,
        message: 'Lines of "mug" also begin on line 2: the lines of one product must be contiguous.',
      },
    ]);
    expect(Object.keys(await productsBySlug(shop))).toEqual(['cup']);
  });

  it('ignores a million empty lines', async () => {
    const shop = await world();
    const result = await importFile(shop, `${HEADER}\n${'\n'.repeat(1_000_000)}mug,Mug,12\n`);
    expect(result).toMatchObject({ status: 'done', rows: 1, processed: 1, created: 1, errors: [] });
  });

  it('rejects a header with too many or too long columns', async () => {
    const shop = await world();
    const many = await importFile(shop, `${HEADER}${',x'.repeat(9_997)}\nmug,Mug,12\n`);
    const message = `The file has 10000 columns, at most ${MAX_COLUMNS} are allowed.`;
    expect(many).toMatchObject({ status: 'failed', errors: [{ line: 1, message }] });
    const long = await importFile(shop, `${HEADER},${'x'.repeat(100_000)}\nmug,Mug,12\n`);
    expect(long).toMatchObject({ status: 'failed', errors: [{ line: 1 }] });
    expect(await countImportRows(shop)).toBe(0);
  });

  it.each([
    ['Handle', 'Tée'],
    ['Image Src', 'med_'],
    ['Variant Image', 'med_'],
  ])('reports cells of 700,000 characters, and continues: %s', async (column, text) => {
    const shop = await world();
    const columns = ['Handle', 'Title', 'Price', 'Image Src', 'Variant Image'];
    const lines = Array.from({ length: 4 }, (_, n) =>
      columns.map((name) => {
        if (name === column) return text.repeat(700_000 / text.length) + n;
        return { Handle: `tee-${n}`, Title: 'Tee', Price: '5' }[name] ?? '';
      }),
    );
    const file = [columns, ...lines, ['mug', 'Mug', '12', '', '']].map((cells) => cells.join()).join('\n');
    const result = await importFile(shop, file);
    expect(result).toMatchObject({ status: 'done', processed: 5, failed: 4 });
    const reported = result.errors.map(({ line, field }: { line: number; field: string }) => [line, field]);
    expect(reported).toEqual([2, 3, 4, 5].map((line) => [line, column]));
    expect(Object.keys(await productsBySlug(shop))).toContain('mug');
  });

  it('truncates long errors', async () => {
    const shop = await world();
    const columns =
      'Handle,Title,Price,Type,Vendor,SEO Title,Status,Published,Variant SKU,Variant Barcode,Variant Inventory Qty';
    const result = await importFile(shop, `${columns}\nmug,Mug${',🙂🙂🙂'.repeat(9)}\n${'x'.repeat(300)}\n`);
    for (const { message } of result.errors) expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
  });
});
