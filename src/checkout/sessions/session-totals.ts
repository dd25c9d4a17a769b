import { type CartTotals, computeTotals, couponFor, rulesFor } from '../../pricing/index.ts';
import type { SessionRow } from '../tables.ts';

/** What a session's cart comes to when it goes to this country, by the rules of when it was frozen. */
export function totalsFor({ snapshot, pricing }: SessionRow, country: string | null): CartTotals {
  const { lines, currency, coupon } = snapshot;
  const terms = coupon && couponFor(coupon.terms, currency);
  return computeTotals(lines, rulesFor(pricing, currency, country), terms);
}

/** The country that a session's totals are for at the moment. */
export const countryOf = ({ buyer, snapshot }: SessionRow): string | null =>
  buyer.country ?? snapshot.country;
