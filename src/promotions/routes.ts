import { ok, type Result } from '../kernel/core/result.ts';
import type { Call } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { setHeaders } from '../kernel/http/response.ts';
import { presentPromotion } from './present.ts';
import { promotionExamples } from './promotion-examples.ts';
import {
  PromotionAnswer,
  PromotionCreate,
  PromotionList,
  PromotionParams,
  PromotionPatch,
  PromotionQuery,
  promotionPages,
} from './schemas.ts';
import {
  ALL_PROMOTIONS,
  changePromotion,
  createPromotion,
  deletePromotion,
  listPromotions,
  promotionById,
  type Written,
} from './store.ts';
import { promotionFields } from './validation.ts';

const tag = 'Promotions';

const WHAT_APPLIES =
  'All promotions of a cart that are `combinable` apply together, the lowest `priority` first (ties by id), each to what the ones before it left of the prices; or one that is not combinable, if the grand total is lower with it.';

/** Returns the promotion after a write, with the new catalogue version in the headers. */
function respondWith({ c }: Call, written: Result<Written>): Result<PromotionAnswer> {
  if (!written.ok) return written;
  const { row, version } = written.value;
  setHeaders(c, { 'X-Catalog-Version': String(version) });
  return ok(presentPromotion(row));
}

const list = endpoint(
  {
    method: 'get',
    path: '/v1/promotions',
    tag,
    summary: 'List promotions',
    description: 'Automatic promotions and those with a code, coupons included.',
    access: 'coupons:write',
    query: PromotionQuery,
    answer: PromotionList,
    example: promotionExamples.list,
  },
  async (call) => {
    const page = promotionPages.pageOf(call.query);
    const { rows, total } = await listPromotions(call, ALL_PROMOTIONS, page);
    const shown = promotionPages.cut(rows, page, { total, key: ({ id }) => id });
    return ok({ data: shown.rows.map(presentPromotion), meta: shown.meta });
  },
);

const get = endpoint(
  {
    method: 'get',
    path: '/v1/promotions/{id}',
    tag,
    summary: 'Get a promotion',
    access: 'coupons:write',
    params: PromotionParams,
    answer: PromotionAnswer,
    errors: ['promotion_not_found'],
    example: promotionExamples.get,
  },
  async (call) => {
    const found = await promotionById(call, ALL_PROMOTIONS, call.params.id);
    return found.ok ? ok(presentPromotion(found.value)) : found;
  },
);

const create = endpoint(
  {
    method: 'post',
    path: '/v1/promotions',
    tag,
    summary: 'Create a promotion',
    description: `${WHAT_APPLIES} At most 20 automatic promotions can be active and not over at a time. A redemption is counted when an order is placed.`,
    access: 'coupons:write',
    body: PromotionCreate,
    status: 201,
    answer: PromotionAnswer,
    errors: ['code_taken', 'quota_exceeded', 'conflict', 'promotion_not_found'],
    examples: promotionExamples.create,
  },
  async (call) => {
    const { caller, body, once } = call;
    const fields = promotionFields(null, body, caller);
    if (!fields.ok) return fields;
    return respondWith(call, await createPromotion(call, ALL_PROMOTIONS, { fields: fields.value, once }));
  },
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/promotions/{id}',
    tag,
    summary: 'Update a promotion',
    description:
      'Replaces the given fields and conditions; `effect` is replaced as a whole. Carts are repriced within two seconds. `active: false` ends it; a cart that is being paid keeps it.',
    access: 'coupons:write',
    params: PromotionParams,
    body: PromotionPatch,
    answer: PromotionAnswer,
    errors: ['promotion_not_found', 'code_taken', 'quota_exceeded', 'conflict'],
    example: promotionExamples.patch,
  },
  async (call) => {
    const { caller, body, params } = call;
    const before = await promotionById(call, ALL_PROMOTIONS, params.id);
    if (!before.ok) return before;
    const fields = promotionFields(before.value, body, caller);
    if (!fields.ok) return fields;
    const change = { before: before.value, fields: fields.value };
    return respondWith(call, await changePromotion(call, ALL_PROMOTIONS, change));
  },
);

const remove = endpoint(
  {
    method: 'delete',
    path: '/v1/promotions/{id}',
    tag,
    summary: 'Delete a promotion',
    description: 'Carts lose the promotion; orders keep the discount they got from it.',
    access: 'coupons:write',
    params: PromotionParams,
    status: 204,
    errors: ['promotion_not_found'],
    example: promotionExamples.remove,
  },
  async (call) => {
    const deleted = await deletePromotion(call, ALL_PROMOTIONS, call.params.id);
    if (!deleted.ok) return deleted;
    setHeaders(call.c, { 'X-Catalog-Version': String(deleted.value) });
    return ok(undefined);
  },
);

/** The endpoints of the Promotions API. */
export const promotionEndpoints: readonly Endpoint[] = [list, get, create, patch, remove];
