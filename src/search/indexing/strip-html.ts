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
export function stripHtml(html: string): string {
  let text = '';
  let from = 0;
  while (from < html.length) {
    const open = html.indexOf('<', from);
    if (open < 0) break;
    text += `${html.slice(from, open)} `;
    from = endOfTag(html, open);
  }
  return resolveEntities(text + html.slice(from));
}

/** Returns the position after the tag at `open`; a `<` that opens no tag is skipped alone. */
function endOfTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open);
  if (!/[a-z/!?]/i.test(html.charAt(open + 1))) return open + 1;
  const hidden = /^<(script|style)\b/i.exec(html.slice(open, open + 8))?.[1];
  return hidden === undefined ? after(html, '>', open) : afterClosing(html, hidden, open);
}

/** Returns the end of the script or style that opens at `open`, or of the text. */
function afterClosing(html: string, tag: string, open: number): number {
  for (let at = html.indexOf('</', open); at >= 0; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + tag.length).toLowerCase() === tag.toLowerCase())
      return after(html, '>', at);
  }
  return html.length;
}

/** Returns the position after the next `end`, or the end of the text. */
function after(html: string, end: string, from: number): number {
  const at = html.indexOf(end, from);
  return at < 0 ? html.length : at + end.length;
}

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
