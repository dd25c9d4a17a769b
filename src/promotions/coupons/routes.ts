import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { couponExamples } from '../examples.ts';
import { promotionHandlers } from '../handlers.ts';
import { presentCoupon } from '../present.ts';
import { COUPONS } from '../store.ts';
import { couponFields } from '../validation/validation.ts';
import {
  CouponAnswer,
  CouponCreate,
  CouponList,
  CouponParams,
  CouponPatch,
  CouponQuery,
  couponPages,
} from './schemas.ts';

const tag = 'Coupons';

const handlers = promotionHandlers({
  view: COUPONS,
  pages: couponPages,
  fieldsOf: couponFields,
  present: presentCoupon,
});

const list = endpoint(
  {
    method: 'get',
    path: '/v1/coupons',
    tag,
    summary: 'List coupons',
    access: 'coupons:write',
    query: CouponQuery,
    answer: CouponList,
    example: couponExamples.list,
  },
  handlers.list,
);

const get = endpoint(
  {
    method: 'get',
    path: '/v1/coupons/{id}',
    tag,
    summary: 'Get a coupon',
    access: 'coupons:write',
    params: CouponParams,
    answer: CouponAnswer,
    errors: ['coupon_not_found'],
    example: couponExamples.get,
  },
  handlers.get,
);

const create = endpoint(
  {
    method: 'post',
    path: '/v1/coupons',
    tag,
    summary: 'Create a coupon',
    description: 'Codes are case- and accent-insensitive. A redemption is counted when an order is placed.',
    access: 'coupons:write',
    body: CouponCreate,
    status: 201,
    answer: CouponAnswer,
    errors: ['code_taken', 'quota_exceeded', 'conflict', 'coupon_not_found'],
    example: couponExamples.create,
  },
  handlers.create,
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/coupons/{id}',
    tag,
    summary: 'Update a coupon',
    description: 'Replaces the given fields. Carts with the coupon are repriced.',
    access: 'coupons:write',
    params: CouponParams,
    body: CouponPatch,
    answer: CouponAnswer,
    errors: ['coupon_not_found', 'code_taken', 'conflict'],
    example: couponExamples.patch,
  },
  handlers.patch,
);

const remove = endpoint(
  {
    method: 'delete',
    path: '/v1/coupons/{id}',
    tag,
    summary: 'Delete a coupon',
    description: 'Carts lose the coupon; orders keep the discount they got from it.',
    access: 'coupons:write',
    params: CouponParams,
    status: 204,
    errors: ['coupon_not_found'],
    example: couponExamples.remove,
  },
  handlers.remove,
);

/** The endpoints of the Coupons API. */
export const couponEndpoints: readonly Endpoint[] = [list, get, create, patch, remove];
