import type { Prices } from '../tables.ts';

/** Returns whether a file of a downloadable product costs nothing: it is then included in every currency. */
export const isFreeLink = ({ prices }: { readonly prices: Prices }): boolean =>
  Object.values(prices).every((amount) => amount === 0);
