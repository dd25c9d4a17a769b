import { entityTag, ifMatch } from '../../kernel/cache/cached-body.ts';
import { cachedRead, requestedVersion } from '../../kernel/cache/versioned-cache.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { Call } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint, MAX_CATALOG_BODY_BYTES } from '../../kernel/http/endpoint.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { refuseLocalUrls } from '../../kernel/text/local-url.ts';
import { catalogContext } from '../context.ts';
import { createProductExamples } from '../examples/product-types.ts';
import { productExamples } from '../examples/products.ts';
import { ATTRIBUTE_FILTERS } from '../filters/filter-query.ts';
import { applyPatch } from '../patches/apply-patch.ts';
import { isFarPage, listFiltered } from '../reads/list-filtered.ts';
import { listQueryOf } from '../reads/list-products.ts';
import { readProduct } from '../reads/read-product.ts';
import { ownPricesAsSet } from '../sales/sent-back-prices.ts';
import { deleteProduct } from '../writes/delete-product.ts';
import { changesStock } from '../writes/diff.ts';
import { duplicateProduct } from '../writes/duplicate-product.ts';
import { type Saved, saveChange, saveProduct } from '../writes/save-product.ts';
import { imageFieldsOf } from './image-list.ts';
import { ProductCreate, ProductPatch } from './input-schemas.ts';
import type { StoredProduct } from './load-product.ts';
import type { ProductState } from './product-state.ts';
import { IdParams, ProductListQuery } from './query-schemas.ts';
import { allowedStatus, askedIds, listOfIds, readEndpoints } from './read-routes.ts';
import { Product, ProductList } from './schemas.ts';

const tag = 'Products';
const need = { scope: 'catalog:read' } as const;

const list = endpoint(
  {
    method: 'get',
    path: '/v1/products',
    tag,
    summary: 'List products',
    description:
      'Lists only products with a price in the requested currency. Where products are large, a page has fewer than `limit` of them (about 8 MiB): `meta.next_cursor` continues after its last one, while a `page` number counts `limit` products for each page before. Several `ids` that are too large together are 422.',
    access: 'catalog:read',
    query: ProductListQuery,
    openQuery: ATTRIBUTE_FILTERS,
    answer: ProductList,
    cached: true,
    example: productExamples.list,
  },
  async (call) => {
    const { query, caller } = call;
    const status = allowedStatus(call, query.status);
    if (!status.ok) return status;
    const asked = askedIds(query);
    if (asked) return listOfIds(call, asked, status.value);
    const { q = null, search = q } = query;
    if (q !== null && q !== search) return invalid('search', 'must not be combined with q');
    const wanted = listQueryOf(query, { q: search, mainCurrency: caller.currency, status: status.value });
    const { after } = wanted;
    if (after && after.sort !== query.sort) return invalid('cursor', 'belongs to another sort');
    return cachedRead(call, {
      key: `/products?${JSON.stringify(wanted)}`,
      need,
      keep: wanted.q === null && !isFarPage(wanted) ? 'kv' : 'memory',
      hot: query.status === undefined,
      fill: (from) => listFiltered({ ...from, env: call.env }, wanted, requestedVersion(call)),
    });
  },
);

const IF_MATCH = {
  'If-Match':
    'Writes only if the product was not changed since it had this `ETag`. Sales and stock adjustments do not count.',
};

/** Returns the product as it is after a write, whatever its status, and sets its version headers. */
async function respondWith(call: Call, saved: Result<Saved>): Promise<Result<Product>> {
  if (!saved.ok) return saved;
  const { currency } = call.caller;
  const view = { currency, mainCurrency: currency, forEditor: true };
  const query = { id: saved.value.id, status: 'all' as const, ...view };
  const { version, answer, revision } = await readProduct(call, query);
  setHeaders(call.c, {
    'X-Catalog-Version': String(saved.value.version ?? version),
    ...(answer.ok && { ETag: entityTag(JSON.stringify(answer.value), revision) }),
  });
  return answer;
}

/** Returns a predicate that checks `If-Match` against the stored revision. */
const matchesIfMatch =
  ({ c }: Pick<Call, 'c'>) =>
  ({ revision }: StoredProduct): boolean =>
    ifMatch(c.req.header('if-match'), revision);

/** Applies a patch if `If-Match` holds and the caller has the scopes that it needs. */
function applyAllowedPatch(
  call: Call<unknown, unknown, ProductPatch>,
  before: StoredProduct,
): Result<ProductState> {
  if (!matchesIfMatch(call)(before)) return fail('precondition_failed');
  const { body, caller } = call;
  const input = ownPricesAsSet(body, { old: before.state, money: caller });
  const after = applyPatch(before.state, input, caller);
  const needsScope = after.ok && changesStock(before, after.value, body);
  if (!needsScope || caller.scopes.has('inventory:write')) return after;
  return fail('insufficient_scope', { details: { required_scope: 'inventory:write' } });
}

const create = endpoint(
  {
    method: 'post',
    path: '/v1/products',
    tag,
    summary: 'Create a product',
    description:
      'The type decides which of `variants`, `links`, `grouped`, `bundle_groups` and `booking` is allowed. `sku` and `slug` are derived from the name by default.',
    access: 'catalog:write',
    body: ProductCreate,
    maxBytes: MAX_CATALOG_BODY_BYTES,
    status: 201,
    tagged: true,
    answer: Product,
    errors: ['sku_taken', 'slug_taken', 'quota_exceeded', 'conflict', 'product_not_found'],
    examples: createProductExamples,
  },
  async (call) => {
    const { body, once } = call;
    if (once.ref !== null) return respondWith(call, ok({ id: Number(once.ref), version: null }));
    const local = refuseLocalUrls(call.env, imageFieldsOf(body));
    if (!local.ok) return local;
    const input = ownPricesAsSet(body, { old: null, money: call.caller });
    const after = applyPatch(null, input, call.caller);
    if (!after.ok) return after;
    const defaulted = { slug: body.slug === undefined, sku: body.sku === undefined };
    const draft = { before: null, after: after.value, defaulted };
    return respondWith(call, await saveProduct(catalogContext(call, call.caller), draft, once));
  },
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/products/{id}',
    tag,
    summary: 'Update a product',
    description:
      'Replaces the fields in the body; arrays are replaced whole. Variants match by id, then by SKU. Members of groups and bundles must stay simple or virtual, and a product with reserved stock must keep stock of its own (422 on `type`). `inventory_policy: deny` requires stock for all that is sold and reserved: if there is less, set `stock` in the same request. Changing `stock` of the product or of an existing variant also requires the scope `inventory:write`.',
    access: 'catalog:write',
    params: IdParams,
    body: ProductPatch,
    maxBytes: MAX_CATALOG_BODY_BYTES,
    answer: Product,
    headers: IF_MATCH,
    errors: [
      'product_not_found',
      'precondition_failed',
      'sku_taken',
      'slug_taken',
      'quota_exceeded',
      'slot_unavailable',
      'insufficient_stock',
      'conflict',
    ],
    example: productExamples.patch,
  },
  async (call) => {
    const { params } = call;
    const local = refuseLocalUrls(call.env, imageFieldsOf(call.body));
    if (!local.ok) return local;
    const change = (before: StoredProduct) => applyAllowedPatch(call, before);
    return respondWith(call, await saveChange(catalogContext(call, call.caller), params.id, change));
  },
);

const destroy = endpoint(
  {
    method: 'delete',
    path: '/v1/products/{id}',
    tag,
    summary: 'Delete a product',
    description: 'Removes the product from groups and bundles. Feed deltas report it with stock 0.',
    access: 'catalog:write',
    params: IdParams,
    status: 204,
    headers: IF_MATCH,
    errors: ['product_not_found', 'precondition_failed', 'conflict'],
    example: productExamples.destroy,
  },
  async (call) => {
    const { c, params } = call;
    const context = catalogContext(call, call.caller);
    const removed = await deleteProduct(context, params.id, matchesIfMatch(call));
    if (!removed.ok) return removed;
    setHeaders(c, { 'X-Catalog-Version': String(removed.value) });
    return ok(undefined);
  },
);

const duplicate = endpoint(
  {
    method: 'post',
    path: '/v1/products/{id}/duplicate',
    tag,
    summary: 'Duplicate a product',
    description:
      'Creates an inactive copy named `Copy of …` with everything but the stock, which is 0, and the barcodes. Slug and SKUs end in `-copy`, and are made unique.',
    access: 'catalog:write',
    params: IdParams,
    status: 201,
    tagged: true,
    answer: Product,
    errors: ['product_not_found', 'quota_exceeded', 'sku_taken', 'slug_taken', 'conflict'],
    example: productExamples.duplicate,
  },
  async (call) => {
    const { params, once } = call;
    if (once.ref !== null) return respondWith(call, ok({ id: Number(once.ref), version: null }));
    const copied = await duplicateProduct(catalogContext(call, call.caller), params.id, once);
    return respondWith(call, copied);
  },
);

/** Endpoints of `/v1/products`. */
export const productEndpoints: readonly Endpoint[] = [
  list,
  ...readEndpoints,
  create,
  patch,
  destroy,
  duplicate,
];
