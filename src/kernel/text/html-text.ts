/**
 * Returns untrusted HTML without tags, comments, scripts and styles; entities stay as they are. A space takes the
 * place of a tag. Linear in the input. The result is not safe HTML.
 */
function withoutTags(html: string): string {
  let text = '';
  let from = 0;
  while (from < html.length) {
    const open = html.indexOf('<', from);
    if (open < 0) break;
    text += `${html.slice(from, open)} `;
    from = endOfTag(html, open);
  }
  return text + html.slice(from);
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

/** The names of U+00A0 to U+00BF in HTML, in their order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest'.split(
    ' ',
  );

/** Characters by their names in HTML: markup, Latin-1, common punctuation and joiners. Case matters. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.map((name, n) => [name, String.fromCharCode(0xa0 + n)] as const),
  ...Object.entries({
    AElig: 'Æ',
    ETH: 'Ð',
    times: '×',
    Oslash: 'Ø',
    THORN: 'Þ',
    szlig: 'ß',
    aelig: 'æ',
    eth: 'ð',
    divide: '÷',
    oslash: 'ø',
    thorn: 'þ',
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    euro: '€',
    trade: '™',
    hellip: '…',
    bull: '•',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    OElig: 'Œ',
    oelig: 'œ',
    zwnj: '\u200c',
    zwj: '\u200d',
  }),
]);

const WINDOWS_1252 = new TextDecoder('windows-1252');

/** Combining marks by the names that follow a letter's in HTML, as in ccaron. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['caron', '\u030c'],
  ['cedil', '\u0327'],
]);

/** Returns the character, or the letter with a mark, of a name. */
function named(name: string): string | undefined {
  const mark = MARKS.get(name.slice(1));
  return ENTITIES.get(name) ?? (mark && `${name.charAt(0)}${mark}`.normalize('NFC'));
}

/**
 * Returns the plain text of untrusted HTML on one line: without tags and control characters, with character references
 * resolved (unknown names stay as they are). Linear in the input. The result is not safe HTML.
 */
export const htmlToText = (html: string): string =>
  withoutTags(html)
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,8}));/gi, resolveReference)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Resolves a reference by its groups: a hexadecimal or decimal code point, or a name. */
function resolveReference(reference: string, ...groups: (string | undefined)[]): string {
  const [hex, decimal, name] = groups;
  if (name !== undefined) return named(name) ?? reference;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  // HTML reads the control characters from U+0080 on as Windows-1252 has them.
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.decode(Uint8Array.of(code));
  return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ' ';
}

/**
 * Returns the text of untrusted HTML for an index of its words: like {@link htmlToText}, but an unknown name separates
 * words.
 */
export const stripHtml = (html: string): string => htmlToText(html).replace(/&[a-z][a-z0-9]+;/gi, ' ');
