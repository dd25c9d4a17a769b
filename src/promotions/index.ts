export { couponUsedUp, releaseCoupon, type Shopper, shopperKeys, useCoupon } from './uses.ts';
