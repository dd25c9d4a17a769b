import { pageMeta } from '../kernel/core/pagination.ts';
import { ok, type Result } from '../kernel/core/result.ts';
import { database } from '../kernel/data/database.ts';
import type { Call } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { setHeaders } from '../kernel/http/response.ts';
import { notifyCatalogMoved } from '../tenants/index.ts';
import { couponExamples } from './examples.ts';
import { CouponAnswer, CouponCreate, CouponList, CouponParams, CouponPatch, CouponQuery } from './schemas.ts';
import {
  changeCoupon,
  couponById,
  createCoupon,
  deleteCoupon,
  listCoupons,
  presentCoupon,
  type Written,
} from './store.ts';
import { couponFields } from './validation.ts';

const tag = 'Coupons';

/** Announces the new catalogue version, so that carts see the write, and returns the coupon. */
async function announce({ c, env, caller }: Call, written: Result<Written>): Promise<Result<CouponAnswer>> {
  if (!written.ok) return written;
  const { row, version } = written.value;
  await notifyCatalogMoved(env, caller.tenantId, version);
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
  async ({ env, caller, query }) => {
    const { rows, total } = await listCoupons(database(env), caller.tenantId, query);
    return ok({ data: rows.map(presentCoupon), meta: pageMeta(query, total) });
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
  async ({ env, caller, params }) => {
    const found = await couponById(database(env), caller.tenantId, params.id);
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
    const { env, caller, body, once } = call;
    const fields = couponFields(null, body, caller);
    if (!fields.ok) return fields;
    return announce(call, await createCoupon(database(env), caller.tenantId, fields.value, once));
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
    const { env, caller, body, params } = call;
    const db = database(env);
    const before = await couponById(db, caller.tenantId, params.id);
    if (!before.ok) return before;
    const fields = couponFields(before.value, body, caller);
    if (!fields.ok) return fields;
    return announce(call, await changeCoupon(db, before.value, fields.value));
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
  async ({ c, env, caller, params }) => {
    const deleted = await deleteCoupon(database(env), caller.tenantId, params.id);
    if (!deleted.ok) return deleted;
    await notifyCatalogMoved(env, caller.tenantId, deleted.value);
    setHeaders(c, { 'X-Catalog-Version': String(deleted.value) });
    return ok(undefined);
  },
);

/** The endpoints of the Coupons API. */
export const couponEndpoints: readonly Endpoint[] = [list, get, create, patch, remove];
