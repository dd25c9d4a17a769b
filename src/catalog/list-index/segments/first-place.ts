/**
 * Returns the first of `size` places in ascending order that is not before what is sought, or `size` if all are.
 * Halves the places: `isBefore` is asked about few of them.
 */
export function firstPlace(size: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
