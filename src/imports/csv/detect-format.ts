/** Bytes that are inspected to detect the format. */
export const HEAD_BYTES = 1024;

/** Returns whether the bytes begin with the UTF-8 byte order mark (Unicode 23.8) of spreadsheet programs. */
export const hasByteOrderMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

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
  return null;
}
