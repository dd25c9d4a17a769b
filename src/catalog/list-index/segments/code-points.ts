/** Compares texts by code point, as SQLite does. JavaScript's own order has surrogates before U+E000. */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let n = 0; n < length; n++) {
    const [one, other] = [a.charCodeAt(n), b.charCodeAt(n)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Returns a code unit's place: surrogates stand for the code points above all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
