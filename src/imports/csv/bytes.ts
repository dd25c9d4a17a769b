/** Bytes that are inspected to detect the format. */
export const HEAD_BYTES = 1024;

/** The most bytes of a byte order mark. */
export const BOM_BYTES = 3;

/** Returns whether the bytes begin with the UTF-8 byte order mark (Unicode 23.8) of spreadsheet programs. */
export const hasByteOrderMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** Returns the message about a file whose cells are not separated by commas. */
export const separatedBy = (separator: string): string =>
  `The cells are separated by ${separator === '\t' ? 'tabs' : `"${separator}"`}. Save the file with commas, as UTF-8.`;

/** Matches another separator than a comma behind the first cell, if that or the next one is quoted: no such CSV is valid. */
const OTHER_SEPARATOR = /^(?:"(?:[^"]|"")*"(?=[;\t|])|[^",\r\n]*(?=[;\t|]"))(.)/s;

/** Detects other formats by the file's first bytes; returns an error message, or `null` if it may be CSV. */
export function otherFormat(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(hasByteOrderMark(bytes) ? 3 : 0, HEAD_BYTES)).toString('latin1');
  if (head.startsWith('\xFF\xFE') || head.startsWith('\xFE\xFF')) {
    return 'The file is UTF-16. Save it as "CSV UTF-8".';
  }
  if (head.startsWith('PK\x03\x04'))
    return 'The file is a spreadsheet or an archive. Save it as "CSV UTF-8".';
  if (head.includes('\0')) return 'The file is binary, not CSV.';
  const [first = ''] = head.trimStart();
  if (first === '{' || first === '[') return 'The file is JSON, not CSV.';
  if (first === '<') return 'The file is HTML or XML, not CSV.';
  const separator = OTHER_SEPARATOR.exec(head)?.[1];
  return separator ? separatedBy(separator) : null;
}

const [LF, CR] = [10, 13];

/** Returns whether a line break ends at `at`: CRLF counts once, at its LF. */
const breaksAt = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF);

/** Returns the number of lines that end between two positions. */
export function countLines(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) if (breaksAt(bytes, at)) lines++;
  return lines;
}

/** Returns the end of the blank lines at `at`. A CR at the window's edge may be half of a CRLF. */
export function afterBlanks(bytes: Uint8Array, at: number, last: boolean): number {
  let end = at;
  while (bytes[end] === LF || bytes[end] === CR) end++;
  return !last && end === bytes.length && bytes[end - 1] === CR && end > at ? end - 1 : end;
}

/** Returns the end of the bytes, without a final CR, which may be half of a CRLF. */
export const withoutHalfBreak = (bytes: Uint8Array): number => bytes.length - (bytes.at(-1) === CR ? 1 : 0);

/** Returns where the line after the one at `at` begins, or `null` when more bytes are needed to know. */
export function lineEnd(bytes: Uint8Array, at: number, last: boolean): number | null {
  for (let end = at; end < bytes.length; end++) {
    if (breaksAt(bytes, end)) return !last && end === bytes.length - 1 && bytes[end] === CR ? null : end + 1;
  }
  return null;
}
