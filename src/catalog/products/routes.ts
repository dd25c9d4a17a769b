import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { entityTag, ifMatch } from '../../kernel/data/cached-body.ts';
import { type Database, database } from '../../kernel/data/database.ts';
import { cachedRead } from '../../kernel/data/versioned-cache.ts';
import type { Call } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint, MAX_CATALOG_BODY_BYTES } from '../../kernel/http/endpoint.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { listProducts, readProduct } from '../reads/queries.ts';
import { applyPatch } from './apply-patch.ts';
import { deleteProduct } from './delete-product.ts';
import { changesStock } from './diff.ts';
import type { StoredProduct } from './load-product.ts';
import type { ProductState } from './product-state.ts';
import { catalogScope, type Saved, saveChange, saveProduct } from './save-product.ts';
import {
  IdParams,
  Product,
  ProductCreate,
  ProductList,
  ProductListQuery,
  ProductPatch,
  ProductQuery,
} from './schemas.ts';

const tag = 'Products';
const need = { scope: 'catalog:read' } as const;

/** The status that a caller may ask for: only who may write the catalogue sees what is inactive. */
function visible<Status extends string>(call: Call, status: Status | undefined): Result<Status | 'active'> {
  if (status === undefined || status === 'active') return ok('active');
  if (call.caller.scopes.has('catalog:write')) return ok(status);
  return fail('insufficient_scope', { details: { required_scope: 'catalog:write' } });
}

const list = endpoint(
  {
    method: 'get',
    path: '/v1/products',
    tag,
    summary: 'List products',
    description: 'A product without a price in the asked currency is not listed.',
    access: 'catalog:read',
    query: ProductListQuery,
    answer: ProductList,
    cached: true,
  },
  async (call) => {
    const { query, caller } = call;
    const status = visible(call, query.status);
    if (!status.ok) return status;
    const wanted = {
      page: query.page,
      limit: query.limit,
      q: query.q ?? query.search ?? null,
      categoryId: query.category_id ?? null,
      sort: query.sort,
      include: query.include ?? [],
      currency: query.currency ?? caller.currency,
      status: status.value,
    };
    return cachedRead(call, {
      key: `/products?${JSON.stringify(wanted)}`,
      need,
      keep: wanted.q === null ? 'kv' : 'memory',
      hot: query.status === undefined,
      fill: (db) => listProducts(db, caller.tenantId, wanted),
    });
  },
);

const get = endpoint(
  {
    method: 'get',
    path: '/v1/products/{id}',
    tag,
    summary: 'A product',
    description: 'Everything that is known of it. `currency` picks the price.',
    access: 'catalog:read',
    params: IdParams,
    query: ProductQuery,
    answer: Product,
    errors: ['product_not_found'],
    cached: true,
  },
  async (call) => {
    const { query, caller, params } = call;
    const status = visible(call, query.status);
    if (!status.ok) return status;
    const currency = query.currency ?? caller.currency;
    return cachedRead(call, {
      key: `/products/${params.id}?${currency}&${status.value}`,
      need,
      keep: 'kv',
      hot: query.status === undefined,
      fill: (db) =>
        readProduct(db, caller.tenantId, {
          id: params.id,
          currency,
          mainCurrency: caller.currency,
          status: status.value,
        }),
    });
  },
);

const IF_MATCH = {
  'If-Match':
    'Write only if nobody has changed the product since it was read with this `ETag`; what is sold of it does not count.',
};

/** Answers a write with the product as it is then, whatever its status. */
async function written(call: Call, db: Database, saved: Result<Saved>): Promise<Result<Product>> {
  if (!saved.ok) return saved;
  const { tenantId, currency } = call.caller;
  const query = { id: saved.value.id, currency, mainCurrency: currency, status: 'all' as const };
  const { version, answer, revision } = await readProduct(db, tenantId, query);
  setHeaders(call.c, {
    'X-Catalog-Version': String(saved.value.version ?? version),
    ...(answer.ok && { ETag: entityTag(JSON.stringify(answer.value), revision) }),
  });
  return answer;
}

/** Whether `If-Match` lets a product be written that is like this now. */
const expectedBy =
  ({ c }: Pick<Call, 'c'>) =>
  ({ revision }: StoredProduct): boolean =>
    ifMatch(c.req.header('if-match'), revision);

/** What a patch makes of a product, if the caller may do that. */
function patched(call: Call<unknown, unknown, ProductPatch>, before: StoredProduct): Result<ProductState> {
  if (!expectedBy(call)(before)) return fail('precondition_failed');
  const after = applyPatch(before.state, call.body, catalogScope(call.caller));
  const needsScope = after.ok && changesStock(before, after.value, call.body);
  if (!needsScope || call.caller.scopes.has('inventory:write')) return after;
  return fail('insufficient_scope', { details: { required_scope: 'inventory:write' } });
}

const create = endpoint(
  {
    method: 'post',
    path: '/v1/products',
    tag,
    summary: 'Create a product',
    description:
      'By type: `variants`, `links`, `grouped`, `bundle_groups` or `booking`. `sku` and `slug` default to the name.',
    access: 'catalog:write',
    body: ProductCreate,
    maxBytes: MAX_CATALOG_BODY_BYTES,
    status: 201,
    tagged: true,
    answer: Product,
    errors: ['sku_taken', 'slug_taken', 'quota_exceeded', 'conflict', 'product_not_found'],
  },
  async (call) => {
    const { env, ctx, body, once } = call;
    const db = database(env);
    if (once.ref !== null) {
      return written(call, db, ok({ id: Number(once.ref), changed: true, version: null }));
    }
    const shop = catalogScope(call.caller);
    const after = applyPatch(null, body, shop);
    if (!after.ok) return after;
    const defaulted = { slug: body.slug === undefined, sku: body.sku === undefined };
    const wish = { before: null, after: after.value, defaulted };
    return written(call, db, await saveProduct({ env, ctx }, db, shop, wish, once));
  },
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/products/{id}',
    tag,
    summary: 'Change a product',
    description:
      'Replaces what it names, arrays whole; variants match by id, then SKU. What groups or bundles are made of stays simple or virtual, and what is reserved keeps a stock of its own (422 on `type`). `inventory_policy: deny` needs as much stock as is sold and reserved: set `stock` with it where there is less. Another `stock` than there is, of the product or of a variant that it has, needs the scope `inventory:write` as well.',
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
  },
  async (call) => {
    const { env, ctx, params } = call;
    const db = database(env);
    const change = (before: StoredProduct) => patched(call, before);
    return written(
      call,
      db,
      await saveChange({ env, ctx }, db, catalogScope(call.caller), params.id, change),
    );
  },
);

const destroy = endpoint(
  {
    method: 'delete',
    path: '/v1/products/{id}',
    tag,
    summary: 'Delete a product',
    description: 'Groups and bundles that name it lose it. Who follows the feed sees it with stock 0.',
    access: 'catalog:write',
    params: IdParams,
    status: 204,
    headers: IF_MATCH,
    errors: ['product_not_found', 'precondition_failed', 'conflict'],
  },
  async (call) => {
    const { c, env, ctx, params } = call;
    const removed = await deleteProduct(
      { env, ctx },
      database(env),
      catalogScope(call.caller),
      params.id,
      expectedBy(call),
    );
    if (!removed.ok) return removed;
    setHeaders(c, { 'X-Catalog-Version': String(removed.value) });
    return ok(undefined);
  },
);

/** Products and categories: reads through the cache, writes. */
export const productEndpoints: readonly Endpoint[] = [list, get, create, patch, destroy];
