import type { Child } from 'hono/jsx';

/** Returns what a list shows, with commas between its entries. */
export const commaSeparated = (entries: readonly Child[]): Child[] =>
  entries.flatMap((entry, n) => (n === 0 ? [entry] : [', ', entry]));
