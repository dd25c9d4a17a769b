import type { Example } from '../kernel/openapi/example.ts';
import type { CouponAnswer, CouponCreate, CouponList, CouponParams, CouponPatch } from './coupons/schemas.ts';

const params = { id: 1 } as const;
const terms = () => ({
  code: 'WELCOME10',
  kind: 'percent' as const,
  value: 10,
  minimum_subtotal: 15,
  max_uses_per_customer: 1,
});
const coupon = (): CouponAnswer => ({
  id: 1,
  ...terms(),
  starts_at: null,
  ends_at: '2030-12-31T22:59:59.000Z',
  max_uses: null,
  product_ids: [],
  category_ids: [],
  uses: 0,
  created_at: '2026-11-23T11:05:30.276Z',
  updated_at: '2026-11-23T11:05:30.276Z',
});

/** Examples of the endpoints for coupons. */
export const couponExamples = {
  list: (): Example<{ answer: typeof CouponList }> => ({
    answer: { data: [coupon()], meta: { page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null } },
  }),
  get: (): Example<{ params: typeof CouponParams; answer: typeof CouponAnswer }> => ({
    params,
    answer: coupon(),
  }),
  create: (): Example<{ body: typeof CouponCreate; answer: typeof CouponAnswer }> => ({
    body: { ...terms(), ends_at: '2030-12-31T23:59:59+01:00' },
    answer: coupon(),
  }),
  patch: (): Example<{
    params: typeof CouponParams;
    body: typeof CouponPatch;
    answer: typeof CouponAnswer;
  }> => ({
    params,
    body: { max_uses: 500 },
    answer: { ...coupon(), max_uses: 500, updated_at: '2026-11-23T11:08:12.903Z' },
  }),
  remove: (): Example<{ params: typeof CouponParams }> => ({ params }),
};
