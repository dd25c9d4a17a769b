/** Returns whether no two elements of a list are the same. */
export const isDistinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length;

/**
 * Splits a list, in order, into slices whose sizes add up to at most `most`. An element that is larger has a slice of its
 * own.
 */
export function slicesBySize<T>(list: readonly T[], most: number, sizeOf: (one: T) => number): T[][] {
  const slices: T[][] = [];
  let left = 0;
  for (const one of list) {
    const size = sizeOf(one);
    if (slices.length === 0 || size > left) {
      slices.push([]);
      left = most;
    }
    slices.at(-1)?.push(one);
    left -= size;
  }
  return slices;
}
