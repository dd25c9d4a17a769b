import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, slugify, words } from '../../../src/kernel/text/fold.ts';

/** Any text at all: every plane of Unicode, and strings with lone surrogates. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.array(fc.nat(0xffff), { maxLength: 80 }).map((units) => String.fromCharCode(...units)),
);

describe('fold', () => {
  it.each([
    ['Çay', 'cay'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['İYİ', 'iyi'],
    ['ISPARTA ısparta', 'isparta isparta'],
    ['ĳ', 'ij'],
    ['ＦＵＬＬ　ｗｉｄｔｈ１２', 'full width12'],
    ['Ærø Œuvre Łódź Đà Þór Ŧ', 'aero oeuvre lodz da thor t'],
    ['ﬁt ½ ² Ⅷ', 'fit 1⁄2 2 viii'],
    ['Ёлка', 'елка'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδός', 'οδοσ'],
    ['Cafe\u0301', 'cafe'],
    ['Donau\u00addampf', 'donaudampf'],
    ['آب', 'اب'],
    ['שָׁלוֹם', 'שלום'],
  ])('%j → %j', (from, to) => {
    expect(fold(from)).toBe(to);
  });

  it('keeps marks that are part of letters: Devanagari, Thai, kana, Hangul', () => {
    for (const word of ['हिन्दी', 'คีม', 'がく', '한국']) expect(fold(word)).toBe(word);
    expect(fold('ｶﾞ')).toBe('ガ');
    expect(fold('がく')).not.toBe(fold('かく'));
  });

  it.each([
    ['invisible characters', '\u0e48\u200d'],
    ['soft hyphens', '\u0e48\u00ad'],
    ['nothing', '\u0e48'],
  ])('keeps at most 30 marks in a row, with %s between them', (_case, mark) => {
    expect(fold(`ก${mark.repeat(100)} ก${mark}`)).toBe(`ก${'\u0e48'.repeat(30)} ก\u0e48`);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(fold(fold(value))).toBe(fold(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is idempotent for every Unicode character', () => {
    const changed: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const once = fold(String.fromCodePoint(point));
      if (fold(once) !== once) changed.push(`U+${point.toString(16)}`);
    }
    expect(changed).toEqual([]);
  });

  it('folds case and composition', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcçğıİöşüßéèñøæσςΣжЙ'), maxLength: 20 });
    fc.assert(
      fc.property(word, (value) => {
        expect(fold(value.toUpperCase())).toBe(fold(value));
        expect(fold(value.normalize('NFD'))).toBe(fold(value));
      }),
    );
  });
});

describe('words', () => {
  it.each([
    ["L'Oréal Çay-Bardağı 250ml", ['l', 'oreal', 'cay', 'bardagi', '250ml']],
    ['हिन्दी किताब', ['हिन्दी', 'किताब']],
    ['a❤️b 👩‍👩‍👧 1️⃣', ['a', 'b', '1']],
    ['x\ud800y \udc00', ['x', 'y']],
    ['--', []],
    ['', []],
  ])('%j → %j', (from, to) => {
    expect(words(from)).toEqual(to);
  });

  it('are folded, begin with a letter or digit, have at most 64 characters, and contain no further words', () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const word of words(value)) {
          expect(word).toMatch(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,63}$/u);
          expect(words(word)).toEqual([word]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('cut a long word between characters', () => {
    expect(words('𐐨'.repeat(100))).toEqual(['𐐨'.repeat(64)]);
    expect(words(`${'a'.repeat(64)}b c`)).toEqual(['a'.repeat(64), 'c']);
  });
});

describe('slugify', () => {
  it.each([
    ['Çay Bardağı 250 ml', 'cay-bardagi-250-ml'],
    ['  --Straße!  ', 'strasse'],
    ['हिन्दी', 'हिन्दी'],
    ['🎉', ''],
    ['Ὀδός ΟΔΟΣ', 'οδοσ-οδοσ'],
    ['İğne Ở Đà', 'igne-o-da'],
    ['ｶﾞﾗｽ がく', 'ガラス-がく'],
    ['שָׁלוֹם', 'שלום'],
  ])('%j → %j', (from, to) => {
    expect(slugify(from)).toBe(to);
  });

  it.each([
    ['Чорний чай', 'чорний-чай'],
    ['Їжак, ёлка', 'їжак-ёлка'],
    ['за\u0301мок', 'замок'],
    ['شاي أخضر', 'شاي-أخضر'],
    ['كِتَاب', 'كتاب'],
    ['เสื้อยืดสีดำ', 'เสื้อยืดสีดำ'],
    ['ນ້ຳ', 'ນ້ຳ'],
  ])('spells letters that are no accented ones of another as a native does: %j → %j', (from, to) => {
    expect(slugify(from)).toBe(to);
    expect(slugify(from.normalize('NFD'))).toBe(to);
    expect(slugify(to)).toBe(to);
  });

  it('is short, its own slug, and safe in a URL', () => {
    const long = fc.array(fc.oneof(text, fc.constantFrom('𐐨', 'ﷺ', ' ', 'aé')), { maxLength: 300 });
    fc.assert(
      fc.property(long, (parts) => {
        const slug = slugify(parts.join(''));
        expect(slug.length).toBeLessThanOrEqual(255);
        expect(slugify(slug)).toBe(slug);
        expect(decodeURIComponent(encodeURIComponent(slug))).toBe(slug);
      }),
    );
  });

  it('keeps long words, as whole sentences are in scripts without spaces', () => {
    expect(slugify(`${'サ'.repeat(100)} b`)).toBe(`${'サ'.repeat(100)}-b`);
  });

  it('cuts at 255 characters, between characters', () => {
    const name = Array.from({ length: 10 }, () => '𐐨'.repeat(30)).join(' ');
    expect(slugify(name).isWellFormed()).toBe(true);
    expect(slugify(`${'a'.repeat(60)} `.repeat(4).concat('b'.repeat(10), ' ccc'))).toHaveLength(254);
  });
});
