import { groupDigits } from '../kernel/text/text.ts';

/** Returns a number with its noun: "1 product", "3,000 products", "2 categories". */
export function countOf(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${groupDigits(count)} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
