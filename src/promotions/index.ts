export {
  automaticPromotions,
  type CartPromotion,
  cartPromotionOf,
  spentPromotions,
} from './cart-promotion.ts';
export { forgetGuesses } from './code-throttle.ts';
export { CouponAnswer, CouponList } from './coupon-schemas.ts';
export { cachedPromotion, type EnteredCode, findCode, promotionNow } from './find-code.ts';
export {
  promotionSpent,
  redeemPromotions,
  releaseRedemptions,
  type Shopper,
  shopperKeys,
} from './redemptions.ts';
export { redemptionsOfPerson } from './redemptions-of-person.ts';
export { forgetPromotions } from './store.ts';
