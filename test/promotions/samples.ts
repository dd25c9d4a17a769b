import type { Samples } from '../support/contract/sample.ts';
import type { World } from '../support/world.ts';

const newCoupon = () => ({ code: crypto.randomUUID(), kind: 'percent', value: 10 });
const coupon = async (shop: World) => ({ id: (await shop.post('/coupons', newCoupon())).body.id });
const foreign = 'coupon_not_found';
const newPromotion = () => ({
  name: 'Sale',
  trigger: 'code',
  code: crypto.randomUUID(),
  effect: { kind: 'percent', value: 10 },
});
const promotion = async (shop: World) => ({ id: (await shop.post('/promotions', newPromotion())).body.id });
const unknown = 'promotion_not_found';

export const samples: Samples = {
  'GET /v1/coupons': {},
  'GET /v1/coupons/{id}': { params: coupon, foreign },
  'POST /v1/coupons': { body: newCoupon },
  'PATCH /v1/coupons/{id}': { params: coupon, body: { value: 20 }, foreign },
  'DELETE /v1/coupons/{id}': { params: coupon, foreign },
  'GET /v1/promotions': {},
  'GET /v1/promotions/{id}': { params: promotion, foreign: unknown },
  'GET /v1/promotions/{id}/products': { params: promotion, foreign: unknown },
  'POST /v1/promotions': { body: newPromotion },
  'PATCH /v1/promotions/{id}': { params: promotion, body: { priority: 1 }, foreign: unknown },
  'DELETE /v1/promotions/{id}': { params: promotion, foreign: unknown },
};
