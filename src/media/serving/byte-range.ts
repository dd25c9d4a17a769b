/** A part of a file in bytes: where it begins, and how long it is. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Returns the part of a file of `size` bytes that a `Range` header asks for (RFC 9110, 14.1.2). `null` stands
 * for the whole file: no header, another unit, an invalid range, or several, which need not be supported.
 * `unsatisfiable` if the range begins behind the end.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [first, last] = [match[1], match[2]].map((digits) => (digits ? Number(digits) : null));
  if (first === null || first === undefined) {
    if (last === null || last === undefined) return null;
    const length = Math.min(last, size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  const end = Math.min(last ?? size - 1, size - 1);
  if (last !== null && last !== undefined && last < first) return null;
  return first >= size ? 'unsatisfiable' : { offset: first, length: end - first + 1 };
}
