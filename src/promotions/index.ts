export {
  automaticPromotions,
  type CartPromotion,
  cartPromotionOf,
  type SpentPromotion,
  spentPromotions,
} from './cart-promotion.ts';
export { forgetGuesses } from './codes/code-throttle.ts';
export { cachedPromotion, type EnteredCode, findCode, promotionNow } from './codes/find-code.ts';
export {
  forgetRedeemers,
  promotionSpent,
  redeemedBy,
  redeemPromotions,
  redemptionsOfPerson,
  releaseRedemptions,
  type Shopper,
  shopperKeys,
} from './redemptions/redemptions.ts';
export { PromotionAnswer, PromotionList, PromotionProducts } from './schemas.ts';
export { forgetPromotions } from './store.ts';
