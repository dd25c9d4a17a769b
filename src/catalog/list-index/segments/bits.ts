/** A set of numbers from 0 to a bound: one bit each, 32 in a word. */
export type Bits = Uint32Array;

/** Returns an empty set of numbers below `size`. */
export const emptyBits = (size: number): Bits => new Uint32Array((size + 31) >>> 5);

/** Returns the set of the numbers below `size` for which `test` holds. */
export function bitsWhere(size: number, test: (n: number) => boolean): Bits {
  const bits = emptyBits(size);
  for (let n = 0; n < size; n++) if (test(n)) addBit(bits, n);
  return bits;
}

// A word beyond the set is 0, so that what is out of its bounds is not in it.
const word = (bits: Bits, at: number): number => bits[at] ?? 0;

export const hasBit = (bits: Bits, n: number): boolean => ((word(bits, n >>> 5) >>> (n & 31)) & 1) === 1;

export function addBit(bits: Bits, n: number): void {
  bits[n >>> 5] = word(bits, n >>> 5) | (1 << (n & 31));
}

export function removeBit(bits: Bits, n: number): void {
  bits[n >>> 5] = word(bits, n >>> 5) & ~(1 << (n & 31));
}

/** Removes the numbers from `bits` that `others` lacks. */
export function intersect(bits: Bits, others: Bits): void {
  for (let at = 0; at < bits.length; at++) bits[at] = word(bits, at) & word(others, at);
}

/** Adds the numbers of `others` to `bits`. */
export function unite(bits: Bits, others: Bits): void {
  for (let at = 0; at < bits.length; at++) bits[at] = word(bits, at) | word(others, at);
}

/** Removes the numbers of `others` from `bits`. */
export function subtract(bits: Bits, others: Bits): void {
  for (let at = 0; at < bits.length; at++) bits[at] = word(bits, at) & ~word(others, at);
}

/** Returns how many numbers are in the set. */
export function countBits(bits: Bits): number {
  let total = 0;
  for (let at = 0; at < bits.length; at++) {
    // The bits of ever wider fields are added up (Warren, Hacker's Delight, 5-1).
    let n = word(bits, at);
    n -= (n >>> 1) & 0x55555555;
    n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
    total += Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return total;
}

/** Calls `visit` with each number of the set, in ascending order. `visit` may remove it. */
export function eachBit(bits: Bits, visit: (n: number) => void): void {
  for (let at = 0; at < bits.length; at++) {
    for (let left = word(bits, at); left !== 0; left &= left - 1) {
      visit((at << 5) + 31 - Math.clz32(left & -left));
    }
  }
}
