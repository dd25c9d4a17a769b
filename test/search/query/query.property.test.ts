import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, words } from '../../../src/kernel/text/fold.ts';
import { Shop } from '../indexed-tenant.ts';

const HOSTILE = [
  '"',
  '""',
  '"shirt',
  "'",
  "'; DROP TABLE search_documents; --",
  '*',
  'shirt*',
  '* shirt',
  '^shirt',
  'name:shirt',
  'terms : shirt',
  '-shirt',
  'shirt -jacket',
  '(',
  ')',
  '(shirt',
  'shirt)',
  '(((((((((((((((((((((((((((((((((',
  'AND',
  'OR',
  'NOT',
  'NOT shirt',
  'shirt AND',
  'NEAR(',
  'NEAR(shirt jacket, 5)',
  'shirt NEAR/2 jacket',
  '{terms}: shirt',
  '\0',
  'shi\0rt',
  '\\',
  '%',
  '_',
  '?1',
  '🛒',
  'shirt 🛒',
  '👨‍👩‍👧‍👦'.repeat(4),
  '\ud800',
  'shirt\udc00',
  '\udc00\ud800',
  '\ue022\ue022',
  '\u{10ffff}',
  '   ',
  '\u00a0\u200b\ufeff',
  'a'.repeat(100),
  'ab '.repeat(33),
  Array.from({ length: 25 }, (_, n) => `${n} ${String.fromCodePoint(0x61 + n)}`).join(' '),
  'abcd '.repeat(20),
  Array.from({ length: 50 }, (_, index) => String.fromCodePoint(0x61 + (index % 26))).join(' '),
  '\u0301'.repeat(100),
  '漢'.repeat(100),
  'ﷺ'.repeat(100),
];

describe('a search for anything', () => {
  it.each(HOSTILE)('answers %j', async (q) => {
    const shop = new Shop();
    await shop.sell('Shirt', 'Jacket and shirt', { name: q, sku: q, tags: [q], description: q });
    const { items, total } = await shop.find(q);
    expect(items).toHaveLength(total);
  });

  it('accepts every text of up to 100 characters, and finds the product of that name', async () => {
    const shop = new Shop();
    await shop.sell('Shirt', 'Jacket');
    const syntax = fc.constantFrom(
      '"',
      '*',
      'NEAR(',
      ' AND ',
      ' NOT ',
      '(',
      ')',
      '^',
      ':',
      '-',
      'shirt',
      'shrit',
      ' ',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.string({ unit: 'grapheme', maxLength: 25 }),
      fc.array(syntax, { maxLength: 20 }).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (q) => {
        const other = new Shop();
        const [named] = await other.sell({ name: q, sku: 'none' });
        expect((await shop.find(q)).total).toBeLessThanOrEqual(2);
        const found = await other.find(q);
        expect(found.items).toEqual(words(q).length > 0 ? [named?.item] : []);
      }),
      { numRuns: 200 },
    );
  }, 300_000);

  it('finds any SKU, as the first hit', async () => {
    const shop = new Shop();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), async (sku) => {
        fc.pre(fold(sku.trim()) !== '');
        const other = new Shop();
        const [, found] = await other.sell({ name: sku, sku: 'none' }, { name: 'Shirt', variantSkus: [sku] });
        expect((await other.find(sku)).items[0]).toBe(found?.item);
        expect((await shop.find(sku)).total).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});

describe('against a model', () => {
  /** Whether `a` becomes `b` by at most one insertion, deletion, substitution or swap of neighbours. */
  function withinOneTypo(a: string, b: string): boolean {
    if (a === b) return true;
    let start = 0;
    while (start < a.length && a[start] === b[start]) start++;
    const [restA, restB] = [a.slice(start), b.slice(start)];
    return (
      restA.slice(1) === restB ||
      restA === restB.slice(1) ||
      restA.slice(1) === restB.slice(1) ||
      (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
    );
  }

  /** Whether a typed word means a word of the catalogue: as its beginning, or one typo away from that. */
  function means(typed: string, word: string, typos: boolean): boolean {
    if (word.startsWith(typed)) return true;
    if (!typos || typed.length < 4) return false;
    const beginnings = Array.from(word, (_, index) => word.slice(0, index + 1));
    return beginnings.some(
      (beginning) =>
        withinOneTypo(typed, beginning) &&
        (beginning.length >= 4 || (beginning === word && word.length === 3)),
    );
  }

  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
  const text = fc.array(word, { minLength: 1, maxLength: 3 });

  it('finds exactly the products with every word', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.array(text, { maxLength: 8 }),
        async (names, queries) => {
          const shop = new Shop();
          await shop.sell(...names.map((name) => ({ name: name.join(' '), sku: '-' })));
          for (const query of queries) {
            const found = (typos: boolean) =>
              names.filter((name) => query.every((typed) => name.some((one) => means(typed, one, typos))));
            const expected = found(false).length < 5 ? found(true) : found(false);
            const hits = await shop.find(query.join(' '), 1, 100);
            const sorted = hits.items.map((item) => JSON.parse(item).name).sort();
            expect({ query, sorted }).toEqual({
              query,
              sorted: expected.map((name) => name.join(' ')).sort(),
            });
            expect(hits.total).toBe(expected.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
