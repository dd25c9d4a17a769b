/** A binary heap: `pop` returns the entry that comes before all others. */
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
