export { type Guesser, guesserAt } from './guesses.ts';
export { cachedCoupon, couponById, findCoupon, type HeldCoupon } from './held.ts';
export { CouponAnswer, CouponList } from './schemas.ts';
export { couponUsedUp, releaseCoupon, type Shopper, shopperKeys, useCoupon } from './uses.ts';
