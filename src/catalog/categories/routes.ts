import { sql } from 'drizzle-orm';
import { entityTag } from '../../kernel/cache/cached-body.ts';
import { isEditor } from '../../kernel/cache/hot-urls.ts';
import { cachedRead, type Filled } from '../../kernel/cache/versioned-cache.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Call, Reply } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint, MAX_CATALOG_BODY_BYTES } from '../../kernel/http/endpoint.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { refuseLocalUrls } from '../../kernel/text/local-url.ts';
import { catalogContext } from '../context.ts';
import { categoryExamples } from '../examples/categories.ts';
import { slugOwner } from '../former-slugs.ts';
import { continueRelisting } from '../indexing/relisting.ts';
import { notifySearch } from '../indexing/search-changes.ts';
import { MAX_CATEGORY_LEVELS } from '../limits.ts';
import { IdParams, SlugParams } from '../products/query-schemas.ts';
import { readCategories, readCategory } from '../reads/read-categories.ts';
import { affectsSearch, removeCategory } from './change-category.ts';
import { loadForWrite, savePatch } from './conditional-write.ts';
import { createCategory } from './create-category.ts';
import type { CategoryView } from './present.ts';
import { Category, CategoryCreate, CategoryPatch, CategoryQuery, CategoryTree } from './schemas.ts';
import type { SavedCategory } from './store.ts';

const tag = 'Categories';
const need = { scope: 'catalog:read' } as const;

/**
 * Returns what the caller sees of categories: with `catalog:write` their metadata, and the hidden ones if it asks
 * for them.
 */
function viewOf(call: Call, { hidden }: { readonly hidden: boolean }): Result<CategoryView> {
  const editor = isEditor(call.caller);
  if (hidden && !editor) return fail('insufficient_scope', { details: { required_scope: 'catalog:write' } });
  return ok({ hidden, metadata: editor });
}

const viewKey = ({ hidden, metadata }: CategoryView): string =>
  `${hidden ? '&hidden' : ''}${metadata ? '&metadata' : ''}`;

/** Reads categories through the cache, as the caller may see them. `path` names in the cache's key what is read. */
async function readView(
  call: Call<unknown, { readonly hidden: boolean }>,
  path: string,
  read: (from: TenantDatabase, view: CategoryView) => Promise<Filled>,
): Promise<Reply<never>> {
  const view = viewOf(call, call.query);
  if (!view.ok) return view;
  return cachedRead(call, {
    key: `/categories${path}?${viewKey(view.value)}`,
    need,
    keep: 'kv',
    hot: true,
    fill: (from) => read(from, view.value),
  });
}

const tree = endpoint(
  {
    method: 'get',
    path: '/v1/categories',
    id: 'getCategoryTree',
    tag,
    summary: 'Get the category tree',
    description:
      'All categories at once; their texts have at most 8 MiB together, which writes keep to. A hidden category is left out with its descendants, also below a product.',
    access: 'catalog:read',
    query: CategoryQuery,
    answer: CategoryTree,
    cached: true,
    example: categoryExamples.tree,
  },
  (call) => readView(call, '', readCategories),
);

const get = endpoint(
  {
    method: 'get',
    path: '/v1/categories/{id}',
    tag,
    summary: 'Get a category with its descendants',
    access: 'catalog:read',
    params: IdParams,
    query: CategoryQuery,
    answer: Category,
    errors: ['category_not_found'],
    cached: true,
    example: categoryExamples.get,
  },
  (call) => {
    const { id } = call.params;
    return readView(call, `/${id}`, (from, view) => readCategory(from, sql`${id}`, view));
  },
);

const getBySlug = endpoint(
  {
    method: 'get',
    path: '/v1/categories/slug/{slug}',
    id: 'getCategoryBySlug',
    tag,
    summary: 'Get a category by its slug',
    description:
      'The same body as by id. A former slug finds the category, whose `slug` is the new one, until another category takes it; the 20 newest of a category are kept.',
    access: 'catalog:read',
    params: SlugParams,
    query: CategoryQuery,
    answer: Category,
    errors: ['category_not_found'],
    cached: true,
    example: categoryExamples.getBySlug,
  },
  (call) => {
    const { slug } = call.params;
    return readView(call, `/slug/${slug}`, (from, view) =>
      readCategory(from, slugOwner(from.tenantId, 'category', slug), view),
    );
  },
);

/** Returns the category as it is after the write, with the new catalogue version in the headers. */
async function respondWith(
  call: Call,
  saved: Result<Omit<SavedCategory, 'relisting'>>,
): Promise<Result<Category>> {
  if (!saved.ok) return saved;
  const { id, version } = saved.value;
  const read = await readCategory(call, sql`${id}`, { hidden: true, metadata: true });
  const { answer, revision } = read;
  setHeaders(call.c, { 'X-Catalog-Version': String(version ?? read.version) });
  if (answer.ok) setHeaders(call.c, { ETag: entityTag(JSON.stringify(answer.value), revision) });
  return answer;
}

const IF_MATCH = {
  'If-Match': 'Writes only if the category itself still has this `ETag`.',
};

/** Notifies the search indexer, and enqueues the rest of an unfinished relisting. */
function notifyConsumers(
  { env, ctx, caller: { tenantId } }: Call,
  { relisting }: Pick<SavedCategory, 'relisting'>,
): void {
  ctx.waitUntil(notifySearch(env, tenantId));
  if (relisting) ctx.waitUntil(continueRelisting(env, tenantId));
}

const create = endpoint(
  {
    method: 'post',
    path: '/v1/categories',
    tag,
    summary: 'Create a category',
    description: `The tree has at most ${MAX_CATEGORY_LEVELS} levels. \`slug\` is derived from the name by default; the id is appended when another category has that slug.`,
    access: 'catalog:write',
    body: CategoryCreate,
    maxBytes: MAX_CATALOG_BODY_BYTES,
    status: 201,
    tagged: true,
    answer: Category,
    errors: ['slug_taken', 'quota_exceeded', 'category_not_found'],
    examples: categoryExamples.create,
  },
  async (call) => {
    const { body, once } = call;
    const local = refuseLocalUrls(call.env, [['image_url', body.image_url]]);
    if (!local.ok) return local;
    if (once.ref !== null) return respondWith(call, ok({ id: Number(once.ref), version: null }));
    return respondWith(call, await createCategory(call, body, once));
  },
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/categories/{id}',
    tag,
    summary: 'Update a category',
    description:
      'A new `parent_id` moves the category with its descendants. Product lists by category reflect the move at once; those of a large category may respond more slowly for some seconds.',
    access: 'catalog:write',
    params: IdParams,
    body: CategoryPatch,
    maxBytes: MAX_CATALOG_BODY_BYTES,
    answer: Category,
    headers: IF_MATCH,
    errors: ['category_not_found', 'precondition_failed', 'conflict', 'slug_taken'],
    example: categoryExamples.patch,
  },
  async (call) => {
    const { params, body } = call;
    const local = refuseLocalUrls(call.env, [['image_url', body.image_url]]);
    if (!local.ok) return local;
    const saved = await savePatch(call, params.id, body);
    if (saved.ok && saved.value.version !== null && affectsSearch(body)) notifyConsumers(call, saved.value);
    return respondWith(call, saved);
  },
);

const remove = endpoint(
  {
    method: 'delete',
    path: '/v1/categories/{id}',
    tag,
    summary: 'Delete a category',
    description: 'Its subcategories move up to its parent. Its products are removed from it.',
    access: 'catalog:write',
    params: IdParams,
    status: 204,
    headers: IF_MATCH,
    errors: ['category_not_found', 'precondition_failed'],
    example: categoryExamples.remove,
  },
  async (call) => {
    const { c, caller, params } = call;
    const found = await loadForWrite(call, params.id);
    if (!found.ok) return found;
    const { expected } = found.value;
    const removed = await removeCategory(catalogContext(call, caller), params.id, { expected });
    if (!removed.ok) return removed;
    notifyConsumers(call, removed.value);
    setHeaders(c, { 'X-Catalog-Version': String(removed.value.version) });
    return ok(undefined);
  },
);

/** Endpoints of `/v1/categories`. */
export const categoryEndpoints: readonly Endpoint[] = [tree, getBySlug, get, create, patch, remove];
