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
};

const SPELLED = /[\u0649\u06cc\u06a9\u0629\u0640\u02bc\u02bb]|(?![0-9])\p{Nd}/gu;

/** Returns the value of a decimal digit of any script: Unicode has each script's ten in a row. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value % 10);
}

/** Returns a text with ASCII digits in place of those of other scripts. */
export const asciiDigits = (text: string): string => text.replace(/(?![0-9])\p{Nd}/gu, digitOf);

/**
 * Returns a folded word in a spelling that is the same for all that people type for it: with ASCII digits, with one
 * letter for those that are taken for one another, and parted at ʼ as at other apostrophes ("м", "яч"). Empty if it has
 * that spelling already.
 */
export function plainSpelling(word: string): readonly string[] {
  const plain = word.replace(SPELLED, (letter) => LETTERS[letter] ?? digitOf(letter));
  return plain === word ? [] : words(plain);
}
