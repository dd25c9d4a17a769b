/** Letters that Unicode decomposition leaves alone, and what a keyboard without them types instead. */
const FOLDS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
};

/**
 * The accents: marks of Latin, Greek, Cyrillic, Hebrew and Arabic, which people leave out when they type.
 * In other scripts a mark is a vowel or makes another letter (Devanagari, Thai, が): it stays.
 */
const ACCENTS = /[[\p{M}&&[\p{sc=Zinh}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}]]--[\u3099\u309a]]+/gv;

/** Soft hyphens, joiners, variation selectors: what nobody sees and nobody types (Unicode's NFKC_Casefold). */
const INVISIBLE = /\p{DI}+/gu;

const strip = (text: string): string => text.normalize('NFKD').replace(ACCENTS, '');

/**
 * Lower case, without accents: "Çay" → "cay", "Straße" → "strasse", "İYİ" → "iyi".
 * Folding what is folded changes nothing.
 */
export function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return strip(strip(text.replace(INVISIBLE, '')).toLowerCase())
    .replace(/[ßæœøđðþłıħŋŧς]/g, (letter) => FOLDS[letter] ?? letter)
    .normalize('NFC');
}

/** The folded words of a text, in order: runs of letters, marks and digits, each at most 64 characters. */
export function words(text: string): string[] {
  const runs = fold(text).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return runs.map((word) => (word.length > 64 ? [...word].slice(0, 64).join('') : word));
}

/** A URL slug: folded words joined by hyphens, at most 255 UTF-16 units; "" when nothing is left. */
export const slugify = (text: string): string =>
  words(text)
    .join('-')
    .slice(0, 255)
    .replace(/[\ud800-\udbff]$/, '') // half of a character that the cut went through
    .replace(/-+$/, '');
