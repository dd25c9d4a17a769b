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

/** A list of which the least first is taken next. */
export class Heap<T> {
  private readonly entries: T[] = [];

  constructor(private readonly isBefore: (a: T, b: T) => boolean) {}

  get size(): number {
    return this.entries.length;
  }

  push(entry: T): void {
    let at = this.entries.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  /** Removes and returns the first entry. */
  pop(): T | undefined {
    const [first] = this.entries;
    const last = this.entries.pop();
    if (last === undefined || this.entries.length === 0) return first;
    this.entries[0] = last;
    let at = 0;
    for (;;) {
      const right = 2 * at + 2;
      const least = this.comesBefore(right, right - 1) ? right : right - 1;
      if (!this.swapIfBefore(least, at)) return first;
      at = least;
    }
  }

  private comesBefore(a: number, b: number): boolean {
    const [one, other] = [this.entries[a], this.entries[b]];
    return one !== undefined && other !== undefined && this.isBefore(one, other);
  }

  private swapIfBefore(a: number, b: number): boolean {
    const [one, other] = [this.entries[a], this.entries[b]];
    if (one === undefined || other === undefined || !this.isBefore(one, other)) return false;
    this.entries[a] = other;
    this.entries[b] = one;
    return true;
  }
}
