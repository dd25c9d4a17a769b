import { cartWith, sessionOf } from '../../../support/fixtures/selling/checkout.ts';
import type { Copy, MakeCopy } from '../run-pair.ts';
import { bodyOf, cupsAndMugs } from './shop.ts';

/** A promotion that may be used once, in two open checkouts, and a coupon. */
export const promotions: MakeCopy = async () => {
  const { shop, cup, item } = await cupsAndMugs();
  const category = (await shop.post('/categories', { name: 'C' })).body.id;
  const p = bodyOf(
    await shop.post('/promotions', {
      name: 'P',
      trigger: 'code',
      code: 'PPP',
      effect: { kind: 'percent', value: 10 },
      conditions: { product_ids: [item] },
      max_uses: 1,
    }),
  ).id;
  const k = bodyOf(await shop.post('/coupons', { code: 'KKK', kind: 'percent', value: 10 })).id;
  const sessions: string[] = [];
  for (const _ of [1, 2]) {
    const cart = await cartWith(shop, cup, 1);
    bodyOf(await shop.post(`/cart/${cart}/coupon`, { code: 'PPP' }));
    sessions.push(await sessionOf(shop, cart));
  }
  const cart = await cartWith(shop, cup, 1);
  const reads = [`/promotions/${p}`, `/coupons/${k}`, '/promotions', '/coupons', `/cart/${cart}`, '/orders'];
  const writes: Copy['writes'] = {
    create: {
      method: 'POST',
      path: '/promotions',
      body: { name: 'N', trigger: 'code', code: 'NEW', effect: { kind: 'percent', value: 10 } },
    },
    createCoupon: { method: 'POST', path: '/coupons', body: { code: 'new', kind: 'fixed', value: 1 } },
    code: { method: 'PATCH', path: `/promotions/${p}`, body: { code: 'NEW' } },
    couponCode: { method: 'PATCH', path: `/coupons/${k}`, body: { code: 'NEW' } },
    value: { method: 'PATCH', path: `/promotions/${p}`, body: { effect: { kind: 'percent', value: 20 } } },
    automatic: { method: 'PATCH', path: `/promotions/${p}`, body: { trigger: 'automatic' } },
    uses: { method: 'PATCH', path: `/promotions/${p}`, body: { max_uses: 2 } },
    categories: {
      method: 'PATCH',
      path: `/promotions/${p}`,
      body: { conditions: { category_ids: [category] } },
    },
    starts: { method: 'PATCH', path: `/promotions/${p}`, body: { starts_at: '2026-06-01T00:00:00Z' } },
    ends: { method: 'PATCH', path: `/promotions/${p}`, body: { ends_at: '2026-05-01T00:00:00Z' } },
    off: { method: 'PATCH', path: `/promotions/${p}`, body: { active: false } },
    remove: { method: 'DELETE', path: `/promotions/${p}` },
    removeCoupon: { method: 'DELETE', path: `/coupons/${k}` },
    couponValue: { method: 'PATCH', path: `/coupons/${k}`, body: { value: 15 } },
    couponAsPromotion: {
      method: 'PATCH',
      path: `/promotions/${k}`,
      body: { effect: { kind: 'fixed', value: 2 } },
    },
    place: { method: 'POST', path: '/orders', body: { session: sessions[0] } },
    place2: { method: 'POST', path: '/orders', body: { session: sessions[1] } },
    redeem: { method: 'POST', path: `/cart/${cart}/coupon`, body: { code: 'PPP' } },
    deleteCup: { method: 'DELETE', path: `/products/${item}` },
    deleteCategory: { method: 'DELETE', path: `/categories/${category}` },
  };
  return { shop, reads, writes };
};
