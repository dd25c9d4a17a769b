/**
 * Scripts that put no spaces between words, or not always (Korean), how many neighbouring letters are looked for together,
 * and the least letters that are looked for within text. Thai, Lao, Khmer and Burmese have far fewer letters. A Korean
 * syllable alone is seldom a word.
 */
const UNSPACED = [
  { letters: /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/u, length: 2, least: 1 },
  { letters: /\p{sc=Hang}+/u, length: 2, least: 2 },
  { letters: /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+/u, length: 3, least: 1 },
] as const;

/** Returns those of {@link UNSPACED} that a word has letters of. */
const unspacedIn = (word: string) => UNSPACED.filter(({ letters }) => letters.test(word));

/** Begins each gram. No word has private-use characters, so that no word or beginning of one is a gram. */
const MARK = '\u{e080}';

/** Returns a text with katakana in place of hiragana: people write many words in either. */
const inKatakana = (text: string): string =>
  text.replace(/[\u3041-\u3096\u309d\u309e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60));

/**
 * Returns the neighbouring letters from each letter of a word on: fewer at its end, so that each letter begins a gram.
 */
function gramsOf(word: string, length: number): string[] {
  const letters = [...inKatakana(word)];
  return letters.map((_, n) => MARK + letters.slice(n, n + length).join(''));
}

/**
 * Returns the grams of words that have letters of scripts without spaces, by which a word is found within such text. Also
 * those of other scripts between them ("Tシャツ"), where nothing shows which of them are a word.
 */
export const letterGrams = (words: readonly string[]): string[] =>
  words.flatMap((word) =>
    [...new Set(unspacedIn(word).map(({ length }) => length))].flatMap((length) => gramsOf(word, length)),
  );

/** Returns the words of other scripts within those of scripts without spaces: "usb" of "高速usb充電器". */
export const spacedWithin = (words: readonly string[]): string[] =>
  words.flatMap((word) =>
    unspacedIn(word)
      .reduce((parts, { letters }) => parts.flatMap((part) => part.split(letters)), [word])
      .filter((part) => part !== '' && part !== word),
  );

/**
 * Returns the test whether a word of a text has this one within it, if this one has letters of a script without spaces; else
 * null. The exact test of what {@link gramsWithin} looks for.
 */
export function withinMatcher(word: string): ((ofText: string) => boolean) | null {
  const [script] = unspacedIn(word);
  if (!script || [...word].length < script.least) return null;
  const wanted = inKatakana(word);
  return (ofText) => inKatakana(ofText).includes(wanted);
}

/** The grams that text must have for a word. */
interface WordGrams {
  readonly grams: readonly string[];
  /** Whether text may have a gram that begins like this one: for a word that is shorter than a gram. */
  readonly prefix: boolean;
}

/** The most grams of a word that are looked for. */
const MAX_GRAMS = 32;

/** Returns the grams that text with a word has, if the word has letters of a script without spaces; else null. */
export function gramsWithin(word: string): WordGrams | null {
  const [script] = unspacedIn(word);
  const letters = [...word].length;
  if (!script || letters < script.least) return null;
  const grams = [...new Set(gramsOf(word, script.length))];
  if (letters < script.length) return { grams: grams.slice(0, 1), prefix: true };
  // The shorter ones at the end of the word needn't be at an end in the text.
  const whole = grams.filter((gram) => [...gram].length === script.length + 1);
  return { grams: whole.slice(0, MAX_GRAMS), prefix: false };
}
