export { type CartCoupon, cachedCoupon, cartCouponById, findCoupon } from './cart-coupon.ts';
export { codeSourceAt } from './code-throttle.ts';
export { forgetCoupons, forgetGuesses } from './forget.ts';
export { couponUsedUp, redeemCoupon, releaseRedemption, type Shopper, shopperKeys } from './redemptions.ts';
export { CouponAnswer, CouponList } from './schemas.ts';
