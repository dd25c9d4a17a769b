import { withoutTags } from './html-text.ts';

/** Entities for a letter with a diacritic: folding drops the diacritic, so the base letter suffices. */
const DIACRITIC_ENTITY = /&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi;

/** Entities that are letters of a word; every other entity separates words. */
const LETTERS: Readonly<Record<string, string>> = {
  szlig: 'ß',
  aelig: 'æ',
  oelig: 'œ',
  eth: 'ð',
  thorn: 'þ',
};

/**
 * Returns the visible text of untrusted HTML: without tags, comments, scripts and styles, with the entities
 * that words need resolved. Linear in the input. The result is for indexing only; it is not safe HTML.
 */
export const stripHtml = (html: string): string => resolveEntities(withoutTags(html));

function resolveEntities(text: string): string {
  return text
    .replace(DIACRITIC_ENTITY, '$1')
    .replace(
      /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi,
      (_, hex: string | undefined, decimal: string | undefined) => {
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
      },
    )
    .replace(/&([a-z]{2,8});/gi, (_, name: string) => LETTERS[name.toLowerCase()] ?? ' ');
}
