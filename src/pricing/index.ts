export { type Coupon, type CouponRefusal, type CouponTerms, couponFor, couponRefusal } from './coupon.ts';
export { explainTotals, TotalsExplanation } from './explain.ts';
export { type PricedLine, type PricingSettings, rulesFor } from './rules.ts';
export { LineItem, Totals } from './schemas.ts';
export { type CartTotals, computeTotals, type LineTotals, presentTotals } from './totals.ts';
