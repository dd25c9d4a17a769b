/** Entities that stand for a letter with a mark: folding drops the mark anyway, so the letter will do. */
const MARKED_LETTER = /&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi;

/** Entities whose letters count as a word's; every other entity parts words. */
const LETTERS: Readonly<Record<string, string>> = {
  szlig: 'ß',
  aelig: 'æ',
  oelig: 'œ',
  eth: 'ð',
  thorn: 'þ',
};

/**
 * What a reader sees of untrusted HTML: no tags, comments, scripts or styles, entities resolved as far
 * as words need them. One pass over the text, whatever it holds. It makes words for an index, never safe HTML.
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

/** Where the text goes on after the `<` at `open`: one that opens no tag is passed over alone. */
function endOfTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open);
  if (!/[a-z/!?]/i.test(html.charAt(open + 1))) return open + 1;
  const hidden = /^<(script|style)\b/i.exec(html.slice(open, open + 8))?.[1];
  return hidden === undefined ? after(html, '>', open) : afterClosing(html, hidden, open);
}

/** The end of the script or style that opens at `open`, or of the text. */
function afterClosing(html: string, tag: string, open: number): number {
  for (let at = html.indexOf('</', open); at >= 0; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + tag.length).toLowerCase() === tag.toLowerCase())
      return after(html, '>', at);
  }
  return html.length;
}

/** The position after the next `end`, or the end of the text. */
function after(html: string, end: string, from: number): number {
  const at = html.indexOf(end, from);
  return at < 0 ? html.length : at + end.length;
}

function resolveEntities(text: string): string {
  return text
    .replace(MARKED_LETTER, '$1')
    .replace(
      /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi,
      (_, hex: string | undefined, decimal: string | undefined) => {
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
      },
    )
    .replace(/&([a-z]{2,8});/gi, (_, name: string) => LETTERS[name.toLowerCase()] ?? ' ');
}
