import { words } from './fold.ts';

/** Letters that keyboards and habits have for one another, and what stands for them. */
const LETTERS: Readonly<Record<string, string>> = {
  '\u0649': '\u064a', // ى alef maksura: ي yeh
  '\u06cc': '\u064a', // ی Farsi yeh: ي yeh
  '\u06a9': '\u0643', // ک keheh: ك kaf
  '\u0629': '\u0647', // ة teh marbuta: ه heh
  '\u0640': '', // tatweel, which stretches a word
  '\u02bc': ' ', // ʼ and ʻ, letters to Unicode, for an apostrophe
  '\u02bb': ' ',
  '\u0491': '\u0433', // ґ ghe with upturn: г ghe
  '\u093c': '', // the nukta of Devanagari, which ज़ has and ज has not
  '\u0901': '\u0902', // ँ candrabindu: ं anusvara
  // The final form of a Hebrew letter: the one that it has where an ending follows.
  '\u05da': '\u05db',
  '\u05dd': '\u05de',
  '\u05df': '\u05e0',
  '\u05e3': '\u05e4',
  '\u05e5': '\u05e6',
};

const SPELLED = new RegExp(`[${Object.keys(LETTERS).join('')}]|(?![0-9])\\p{Nd}`, 'gu');

/** The Arabic article, which is written together with its word, as is a preposition or "and" before it. */
const ARTICLE = /^[\u0648\u0641\u0628\u0643]?\u0627\u0644(?=\p{L}{3})/u;

/** Returns the value of a decimal digit of any script: Unicode has each script's ten in a row. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value % 10);
}

/**
 * Returns a telephone number or a postal code in ASCII: digits and signs of keyboards for other scripts, dashes of any kind
 * (a Japanese one has "ー"), and without the invisible marks of direction that lists of contacts add.
 */
export const asciiNumber = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(/\p{DI}/gu, '')
    .replace(/[\p{Pd}\u2212\u30fc]/gu, '-')
    .trim();

/**
 * Returns a folded word in a spelling that is the same for all that people type for it: with ASCII digits, with one
 * letter for those that are taken for one another, without the Arabic article, and parted at ʼ as at other apostrophes ("м",
 * "яч"). Empty if it has that spelling already.
 */
export function plainSpelling(word: string): readonly string[] {
  const plain = word.replace(SPELLED, (letter) => LETTERS[letter] ?? digitOf(letter)).replace(ARTICLE, '');
  return plain === word ? [] : words(plain);
}
