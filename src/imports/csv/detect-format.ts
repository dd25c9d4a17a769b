/** This many bytes tell what kind of file it is. */
export const HEAD = 1024;

/** The UTF-8 byte order mark that spreadsheet programs write before the text (Unicode 23.8). */
export const hasMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** What a file evidently is instead of a CSV, told by its first bytes; `null` when it may be one. */
export function notCsv(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(hasMark(bytes) ? 3 : 0, HEAD)).toString('latin1');
  if (head.startsWith('\xFF\xFE') || head.startsWith('\xFE\xFF')) {
    return 'The file is UTF-16. Save it as "CSV UTF-8".';
  }
  if (head.startsWith('PK\x03\x04'))
    return 'The file is a spreadsheet or an archive. Save it as "CSV UTF-8".';
  if (head.includes('\0')) return 'The file is binary, no CSV.';
  const [first = ''] = head.trimStart();
  if (first === '{' || first === '[') return 'The file is JSON, no CSV.';
  if (first === '<') return 'The file is HTML or XML, no CSV.';
  return null;
}
