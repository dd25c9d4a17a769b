export { forgetCoupons, forgetGuesses } from './forget.ts';
export { guesserAt } from './guesses.ts';
export { cachedCoupon, findCoupon, type HeldCoupon, heldCouponById } from './held.ts';
export { CouponAnswer, CouponList } from './schemas.ts';
export { couponUsedUp, releaseCoupon, type Shopper, shopperKeys, useCoupon } from './uses.ts';
