/** Returns a number with its noun: "1 product", "3 products", "2 categories". */
export function countOf(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return noun.endsWith('y') ? `${count} ${noun.slice(0, -1)}ies` : `${count} ${noun}s`;
}
