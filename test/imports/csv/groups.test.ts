import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/imports/csv/columns.ts';
import { readCsv } from '../../../src/imports/csv/csv.ts';
import { type Group, groupByHandle, MAX_PRODUCT_ROWS } from '../../../src/imports/csv/groups.ts';

const HEADER = 'Handle,Title,Option1 Value\n';
const START = { offset: HEADER.length, line: 2 };

async function groups(text: string, from = START): Promise<Group[]> {
  const columns = columnsOf(HEADER.trim().split(','));
  if (typeof columns === 'string') throw new Error(columns);
  const bytes = new TextEncoder().encode(text);
  const source = (async function* () {
    yield bytes;
  })();
  const list: Group[] = [];
  for await (const group of groupByHandle(readCsv(source, { from, width: 3 }), columns, from))
    list.push(group);
  return list;
}

/** A group in short: the lines of its rows, and the lines of its errors with "!". */
const brief = (list: readonly Group[]) =>
  list.map(({ rows, errors }) =>
    [...rows.map(({ line }) => `${line}`), ...errors.kept.map(({ line }) => `${line}!`)].join(' '),
  );

describe('the lines of a product', () => {
  it('are consecutive lines with the same Handle, in any case', async () => {
    const list = await groups('a,A,S\nA,,M\nb,B,\n\nc,C,\na,,L\n');
    expect(brief(list)).toEqual(['2 3', '4', '6', '7']);
    expect(list.map(({ lines }) => lines)).toEqual([2, 1, 1, 1]);
  });

  it('include unreadable lines that may belong to the product', async () => {
    const list = await groups('x\na,A,S\na,"M\na,,L\n,,\n,B,\nb,B,\n');
    expect(brief(list)).toEqual(['2!', '3 5 4! 7!', '8']);
    expect(list[1]?.errors.kept[1]?.message).toBe('The Handle is missing.');
  });

  it('can be resumed after any of them', async () => {
    const text = 'a,A,S\na,"M\n",L\nx\nb,B,\nc,C,"\nd,D,\n';
    const list = await groups(text);
    for (const [i, { next }] of list.entries()) {
      expect(await groups(text.slice(next.offset - START.offset), next)).toEqual(list.slice(i + 1));
    }
  });

  it('are not buffered if there are too many', async () => {
    const list = await groups(`a,A,\n${'b,B,\n'.repeat(MAX_PRODUCT_ROWS + 5)}c,C,\n`);
    expect(list.map(({ rows, lines }) => [rows.length, lines])).toEqual([
      [1, 1],
      [0, MAX_PRODUCT_ROWS + 5],
      [1, 1],
    ]);
    expect(list[1]?.errors.kept).toMatchObject([
      { line: 3, message: expect.stringContaining('more than 2500 lines') },
    ]);
    const big = await groups(`a,"${'x'.repeat(900_000)}",\n`.repeat(6));
    expect(big).toHaveLength(1);
    expect(big[0]?.rows).toEqual([]);
  });
});
