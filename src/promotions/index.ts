export { type CartCoupon, cachedCoupon, cartCouponById, findCoupon } from './cart-coupon.ts';
export { forgetGuesses } from './code-throttle.ts';
export { couponUsedUp, redeemCoupon, releaseRedemption, type Shopper, shopperKeys } from './redemptions.ts';
export { redemptionsOfPerson } from './redemptions-of-person.ts';
export { CouponAnswer, CouponList } from './schemas.ts';
export { forgetCoupons } from './store.ts';
