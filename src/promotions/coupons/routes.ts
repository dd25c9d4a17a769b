import { ok, type Result } from '../../kernel/core/result.ts';
import type { Call } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { couponExamples } from '../examples.ts';
import { presentCoupon } from '../present.ts';
import {
  COUPONS,
  changePromotion,
  createPromotion,
  deletePromotion,
  listPromotions,
  promotionById,
  type Written,
} from '../store.ts';
import { couponFields } from '../validation.ts';
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

/** Returns the coupon after a write, with the new catalogue version in the headers. */
function respondWith({ c }: Call, written: Result<Written>): Result<CouponAnswer> {
  if (!written.ok) return written;
  const { row, version } = written.value;
  setHeaders(c, { 'X-Catalog-Version': String(version) });
  return ok(presentCoupon(row));
}

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
  async (call) => {
    const page = couponPages.pageOf(call.query);
    const { rows, total } = await listPromotions(call, COUPONS, page);
    const shown = couponPages.cut(rows, page, { total, key: ({ id }) => id });
    return ok({ data: shown.rows.map(presentCoupon), meta: shown.meta });
  },
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
  async (call) => {
    const { params } = call;
    const found = await promotionById(call, COUPONS, params.id);
    return found.ok ? ok(presentCoupon(found.value)) : found;
  },
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
  async (call) => {
    const { caller, body, once } = call;
    const fields = couponFields(null, body, caller);
    if (!fields.ok) return fields;
    return respondWith(call, await createPromotion(call, COUPONS, { fields: fields.value, once }));
  },
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
  async (call) => {
    const { caller, body, params } = call;
    const before = await promotionById(call, COUPONS, params.id);
    if (!before.ok) return before;
    const fields = couponFields(before.value, body, caller);
    if (!fields.ok) return fields;
    const change = { before: before.value, fields: fields.value };
    return respondWith(call, await changePromotion(call, COUPONS, change));
  },
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
  async (call) => {
    const { c, params } = call;
    const deleted = await deletePromotion(call, COUPONS, params.id);
    if (!deleted.ok) return deleted;
    setHeaders(c, { 'X-Catalog-Version': String(deleted.value) });
    return ok(undefined);
  },
);

/** The endpoints of the Coupons API. */
export const couponEndpoints: readonly Endpoint[] = [list, get, create, patch, remove];
