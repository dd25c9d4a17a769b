export { type Coupon, type CouponRefusal, type CouponTerms, couponFor, couponRefusal } from './coupon.ts';
export { explainTotals, TotalsExplanation } from './explain.ts';
export { type PricedLine, type PricingRules, type PricingSettings, rulesFor } from './rules.ts';
export { ChosenShipping, LineItem, ShippingMethodOption, Totals } from './schemas.ts';
export {
  isDeliverable,
  type PricedShipping,
  presentShippingMethod,
  presentShippingMethods,
} from './shipping.ts';
export {
  type CartTotals,
  computeTotals,
  type LineTotals,
  presentTotals,
  type TracedTotals,
  traceTotals,
} from './totals.ts';
