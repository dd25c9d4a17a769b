import { isEditor } from '../kernel/cache/hot-urls.ts';
import { ok } from '../kernel/core/result.ts';
import { csvDescription, wantsCsv } from '../kernel/http/csv.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { promotionHandlers } from './handlers.ts';
import { presentPromotion } from './present.ts';
import { promotionCsv } from './promotion-csv.ts';
import { promotionExamples } from './promotion-examples.ts';
import {
  PromotionAnswer,
  PromotionCreate,
  PromotionList,
  PromotionParams,
  PromotionPatch,
  PromotionProducts,
  PromotionQuery,
  promotionPages,
} from './schemas.ts';
import { ALL_PROMOTIONS, promotionById } from './store.ts';
import { namedProducts } from './validation/targets.ts';
import { promotionFields } from './validation/validation.ts';

const tag = 'Promotions';

const WHAT_APPLIES =
  'All promotions of a cart that are `combinable` apply together, the lowest `priority` first (ties by id), each to what the ones before it left of the prices; or one that is not combinable, if the grand total is lower with it.';

const handlers = promotionHandlers({
  view: ALL_PROMOTIONS,
  pages: promotionPages,
  fieldsOf: promotionFields,
  present: presentPromotion,
});

const list = endpoint(
  {
    method: 'get',
    path: '/v1/promotions',
    tag,
    summary: 'List promotions',
    description: `Automatic promotions and those with a code, coupons included. ${csvDescription('promotion')}`,
    access: 'coupons:write',
    query: PromotionQuery,
    answer: PromotionList,
    csv: promotionCsv.columns,
    example: promotionExamples.list,
  },
  async (call) => {
    const page = await handlers.list(call);
    if (!page.ok || !wantsCsv(call.c)) return page;
    return promotionCsv.respondPage(call.c, page.value.data, page.value.meta.next_cursor);
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
  handlers.get,
);

const products = endpoint(
  {
    method: 'get',
    path: '/v1/promotions/{id}/products',
    id: 'listPromotionProducts',
    tag,
    summary: 'List the products that a promotion names',
    description:
      'With their names, at most 500. Products that were deleted since are left out, and inactive ones unless the caller has the scope `catalog:write`.',
    access: 'coupons:write',
    params: PromotionParams,
    answer: PromotionProducts,
    errors: ['promotion_not_found'],
    example: promotionExamples.products,
  },
  async (call) => {
    const { id } = call.params;
    const [found, data] = await Promise.all([
      promotionById(call, ALL_PROMOTIONS, id),
      namedProducts(call, { promotionId: id, inactive: isEditor(call.caller) }),
    ]);
    return found.ok ? ok({ data }) : found;
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
  handlers.create,
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
  handlers.patch,
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
  handlers.remove,
);

/** The endpoints of the Promotions API. */
export const promotionEndpoints: readonly Endpoint[] = [list, get, products, create, patch, remove];
