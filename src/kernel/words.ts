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
};

/** Lower case, without accents: "Çay" → "cay", "Straße" → "strasse", "İYİ" → "iyi". */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøđðþłıħŋ]/g, (letter) => FOLDS[letter] ?? letter);
}

/** The folded words of a text, in order: runs of letters and digits, each at most 64 characters. */
export function words(text: string): string[] {
  return (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word].slice(0, 64).join(''));
}

/** A URL slug: folded words joined by hyphens, at most 255 characters; "" when nothing is left. */
export const slugify = (text: string): string => words(text).join('-').slice(0, 255).replace(/-+$/, '');
