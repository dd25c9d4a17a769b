export { type ExplainedCandidate, explainTotals } from './explain.ts';
export { TotalsExplanation } from './explanation.ts';
export {
  type Promotion,
  type PromotionRefusal,
  type PromotionSource,
  type PromotionTerms,
  promotionFor,
  promotionRefusal,
  requiredQuantity,
  type UnappliedReason,
} from './promotion.ts';
export {
  type PricedLine,
  type PricingRules,
  type PricingSettings,
  percentOf,
  rulesFor,
} from './rules.ts';
export {
  ChosenShipping,
  LineItem,
  LineTax,
  Selected,
  type Selection,
  ShippingMethodOption,
  ShownCode,
  ShownPromotion,
  TaxLine,
  Totals,
} from './schemas.ts';
export {
  type LineShare,
  lineShares,
  type PromotionShare,
  presentLineShares,
  presentPromotions,
  promotionShares,
} from './shares.ts';
export {
  isDeliverable,
  type PricedShipping,
  presentShippingMethod,
  presentShippingMethods,
  waivedShipping,
} from './shipping.ts';
export { taxLines } from './tax-lines.ts';
export {
  type CartTotals,
  choosePromotions,
  type LineTotals,
  presentTotals,
  type ShownTotals,
  shownTotals,
  type TracedTotals,
  traceTotals,
} from './totals.ts';
