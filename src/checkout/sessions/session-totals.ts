import { type CartTotals, computeTotals, couponFor, rulesFor } from '../../pricing/index.ts';
import type { SessionRow } from '../tables.ts';

/**
 * Returns a session's totals for a shipping country, with the tax and shipping rules at the time it was
 * created.
 */
export function totalsFor({ snapshot, pricing }: SessionRow, country: string | null): CartTotals {
  const { lines, currency, coupon } = snapshot;
  const terms = coupon && couponFor(coupon.terms, currency);
  return computeTotals(lines, rulesFor(pricing, currency, country), terms);
}

/** Returns the country that a session's totals currently use. */
export const countryOf = ({ buyer, snapshot }: SessionRow): string | null =>
  buyer.country ?? snapshot.country;
