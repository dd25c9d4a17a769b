/** A part of a file in bytes: where it begins, and how long it is. */
interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Returns the part of a file of `size` bytes that a `Range` header asks for (RFC 9110, 14.1.2). `null` stands
 * for the whole file: no header, another unit, an invalid range, or several, which need not be supported.
 * `unsatisfiable` if the range begins behind the end.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < offset) return null;
  return offset >= size ? 'unsatisfiable' : { offset, length: end - offset + 1 };
}
