import type { SQL } from 'drizzle-orm';
import { isEditor } from '../../kernel/cache/hot-urls.ts';
import { cachedRead } from '../../kernel/cache/versioned-cache.ts';
import { MAX_IDS } from '../../kernel/core/pagination.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { Call, Reply } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { productExamples } from '../examples/products.ts';
import { slugOwner } from '../former-slugs.ts';
import { type Asked, isPaged, listByIds, PARAMETERS } from '../reads/list-by-ids.ts';
import { readProduct } from '../reads/read-product.ts';
import { relatedProducts } from '../reads/related-products.ts';
import {
  IdParams,
  PARAMETERS_WITH_IDS,
  type ProductListQuery,
  ProductQuery,
  productPages,
  RelatedQuery,
  SlugParams,
  type StatusFilter,
} from './query-schemas.ts';
import { Product, RelatedProducts } from './schemas.ts';

const tag = 'Products';
const need = { scope: 'catalog:read' } as const;

/** Returns the status filter if the caller may use it: inactive products require `catalog:write`. */
export function allowedStatus<Status extends string>(
  call: Call,
  status: Status | undefined,
): Result<Status | 'active'> {
  if (status === undefined || status === 'active') return ok('active');
  if (call.caller.scopes.has('catalog:write')) return ok(status);
  return fail('insufficient_scope', { details: { required_scope: 'catalog:write' } });
}

/** Returns which products a list is asked for by ids, SKUs or a barcode, or null for all that match. */
export function askedIds({ ids, variant_ids, skus, barcode, member_of }: ProductListQuery): Asked | null {
  if (ids) return { by: 'ids', values: ids };
  if (variant_ids) return { by: 'variantIds', values: variant_ids };
  if (skus) return { by: 'skus', values: skus };
  if (barcode !== undefined) return { by: 'barcode', barcode };
  return member_of === undefined ? null : { by: 'memberOf', id: member_of };
}

/** Lists products by id, by their variants, SKUs or barcode, or as members. Fails with 422 on query parameters that mean nothing then. */
export async function listOfIds(
  call: Call<unknown, ProductListQuery>,
  asked: Asked,
  status: StatusFilter,
): Promise<Reply<never>> {
  const { query, caller } = call;
  const parameter = PARAMETERS[asked.by];
  const given = Object.keys(call.c.req.query());
  const allowed = [parameter, ...PARAMETERS_WITH_IDS, ...(isPaged(asked) ? ['page', 'cursor'] : [])];
  const others = given.filter((name) => !allowed.includes(name));
  const errors = Object.fromEntries(others.map((name) => [name, [`must not be combined with ${parameter}`]]));
  if (others.length > 0) return fail('validation_error', { errors });
  const count = isPaged(asked) ? MAX_IDS : asked.values.length;
  const limit = given.includes('limit') ? query.limit : count;
  if (!isPaged(asked) && limit < count)
    return invalid('limit', `must not be less than the number of ${parameter}`);
  const { include = [], currency = caller.currency } = query;
  const page = { ...productPages.pageOf(query), limit };
  const wanted = { asked, ...page, include, currency, mainCurrency: caller.currency, status };
  return cachedRead(call, {
    key: `/products?${JSON.stringify(wanted)}`,
    need,
    // What a shopper looked at or likes: few others ask for the same.
    keep: 'memory',
    hot: query.status === undefined,
    fill: (from) => listByIds(from, wanted),
  });
}

/** Which product a read is for: its part of the cache key, and its id or a subquery for it. */
interface ProductKey {
  readonly key: string;
  id(tenantId: number): number | SQL;
}

/** Reads a product through the cache, as the caller may see it. */
async function readOne(call: Call<unknown, ProductQuery>, product: ProductKey): Promise<Reply<never>> {
  const { query, caller } = call;
  const status = allowedStatus(call, query.status);
  if (!status.ok) return status;
  const { currency = caller.currency } = query;
  const view = { currency, mainCurrency: caller.currency, forEditor: isEditor(caller) };
  return cachedRead(call, {
    key: `/products/${product.key}?${currency}&${status.value}&${view.forEditor}`,
    need,
    keep: 'kv',
    hot: query.status === undefined,
    fill: (from) => readProduct(from, { id: product.id(from.tenantId), status: status.value, ...view }),
  });
}

const get = endpoint(
  {
    method: 'get',
    path: '/v1/products/{id}',
    tag,
    summary: 'Get a product',
    description:
      'Responds with all fields of the product. `currency` selects the price. `metadata` is shown only to callers with the scope `catalog:write`.',
    access: 'catalog:read',
    params: IdParams,
    query: ProductQuery,
    answer: Product,
    errors: ['product_not_found'],
    cached: true,
    example: productExamples.get,
  },
  (call) => readOne(call, { key: String(call.params.id), id: () => call.params.id }),
);

const getBySlug = endpoint(
  {
    method: 'get',
    path: '/v1/products/slug/{slug}',
    id: 'getProductBySlug',
    tag,
    summary: 'Get a product by its slug',
    description:
      'The same body as by id. A former slug finds the product, whose `slug` is the new one, until another product takes it; the 20 newest of a product are kept.',
    access: 'catalog:read',
    params: SlugParams,
    query: ProductQuery,
    answer: Product,
    errors: ['product_not_found'],
    cached: true,
    example: productExamples.getBySlug,
  },
  (call) => {
    const { slug } = call.params;
    return readOne(call, { key: `slug/${slug}`, id: (tenantId) => slugOwner(tenantId, 'product', slug) });
  },
);

const listRelated = endpoint(
  {
    method: 'get',
    path: '/v1/products/{id}/related',
    id: 'listRelatedProducts',
    tag,
    summary: 'List related products',
    description:
      'Active products that share categories, tags, the vendor or attribute values with this one: those that share most first, what is sold out last, never itself. Compares its eight rarest traits with those of the products nearest by id that have one of them. The result stays the same until the catalogue changes.',
    access: 'catalog:read',
    params: IdParams,
    query: RelatedQuery,
    answer: RelatedProducts,
    errors: ['product_not_found'],
    cached: true,
    example: productExamples.related,
  },
  (call) => {
    const { caller, params, query } = call;
    const { limit, currency = caller.currency } = query;
    const wanted = { id: params.id, limit, currency, mainCurrency: caller.currency };
    return cachedRead(call, {
      key: `/products/${params.id}/related?${limit}&${currency}`,
      need,
      keep: 'kv',
      hot: true,
      fill: (from) => relatedProducts(from, wanted),
    });
  },
);

/** Endpoints that read single products, and those related to them. A slug may be "related", so it comes first. */
export const readEndpoints: readonly Endpoint[] = [get, getBySlug, listRelated];
