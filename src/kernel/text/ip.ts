/** Parses a dotted-decimal IPv4 address to a number. Returns `null` for anything else. */
export function parseV4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null;
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

/**
 * Parses an IPv6 address (RFC 4291, 2.2) to a number; its last 32 bits may be dotted-decimal IPv4.
 * Returns `null` for anything else.
 */
export function parseV6(text: string): bigint | null {
  const tail = /(?<=:)\d+\.\d+\.\d+\.\d+$/.exec(text)?.[0];
  const v4 = tail === undefined ? null : parseV4(tail);
  if (tail !== undefined && v4 === null) return null;
  const hex =
    v4 === null || tail === undefined
      ? text
      : `${text.slice(0, -tail.length)}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`;
  const [left = '', right, more] = hex.split('::');
  if (more !== undefined) return null;
  const head = left === '' ? [] : left.split(':');
  const end = right === undefined || right === '' ? [] : right.split(':');
  const missing = 8 - head.length - end.length;
  if (right === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...end];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}
