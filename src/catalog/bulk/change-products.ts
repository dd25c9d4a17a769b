import { sql } from 'drizzle-orm';
import { ERRORS, type Failure } from '../../kernel/core/errors.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { jsonList, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import type { CatalogContext } from '../context.ts';
import { heldLength } from '../held-length.ts';
import { applyPatch } from '../patches/apply-patch.ts';
import { fittingIds, loadProducts, type StoredProduct } from '../products/load-product.ts';
import { hasEffect } from '../writes/product-statements.ts';
import { assignIds, MAX_WRITE_ATTEMPTS, type ProductDraft } from '../writes/save-product.ts';
import { commitWrites } from './commit-writes.ts';
import { patchOf } from './patch-of.ts';
import { type BulkChange, type BulkResult, MAX_BULK_FIELDS } from './schemas.ts';

/** A bulk change and the products that it changes. */
interface Bulk {
  readonly ids: readonly number[];
  readonly change: BulkChange;
}

type BulkError = BulkResult['errors'][number];

/** The result of a committed bulk change; `version` is the new catalogue version, null when nothing changed. */
interface Changed {
  readonly result: BulkResult;
  readonly version: number | null;
  /** About how many characters of products were in memory. */
  readonly held: number;
}

/**
 * Applies the same change to several products in one commit. A product that refuses it is reported and left as it is,
 * and so are those that don't fit into memory together with the ones before them. Retries when another write of one of
 * them wins; fails with `conflict` under contention.
 */
export async function changeProducts(
  ctx: CatalogContext,
  { ids, change }: Bulk,
  once: IdempotencyScope,
): Promise<Result<Changed>> {
  const missing = await missingCategory(ctx, change.add_category_ids ?? []);
  if (missing !== null) return invalid('change.add_category_ids', `has no category ${missing}`);
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
    const count = await fittingIds(ctx, ids);
    const fitting = ids.slice(0, count);
    const stored = await loadProducts(ctx, sql`p.id IN (${jsonList(fitting)})`);
    const held = heldLength(stored.map(({ state }) => state));
    const { drafts, errors } = draftsOf(ctx, stored, { ids: fitting, change });
    errors.push(...ids.slice(count).map(tooLarge));
    const writes = (await assignIds(ctx, drafts)).filter(hasEffect);
    const result = { updated: writes.length, unchanged: drafts.length - writes.length, errors };
    if (writes.length === 0) return ok({ result, version: null, held });
    const version = await commitWrites(ctx, writes, once.mark(JSON.stringify(result)));
    if (version !== null) return ok({ result, version, held });
  }
  return fail('conflict');
}

/** Returns the changed products in the order of `ids`, and an error for each that is missing or refuses the change. */
function draftsOf(ctx: CatalogContext, stored: readonly StoredProduct[], { ids, change }: Bulk) {
  const byId = new Map(stored.map((product) => [product.id, product]));
  const drafts: ProductDraft[] = [];
  const errors: BulkError[] = [];
  for (const id of ids) {
    const before = byId.get(id);
    if (!before) {
      errors.push({ id, code: 'product_not_found', message: ERRORS.product_not_found[1] });
      continue;
    }
    const patch = patchOf(before.state, change, ctx);
    const after = patch.ok ? applyPatch(before.state, patch.value, ctx) : patch;
    if (after.ok) drafts.push({ before, after: after.value });
    else errors.push(refusal(id, after.failure));
  }
  return { drafts, errors };
}

/**
 * Returns the error of a refusal with its first fields: the errors of all products must fit into a stored response.
 */
const refusal = (id: number, { errors, message }: Failure): BulkError => ({
  id,
  code: 'validation_error',
  message: message ?? ERRORS.validation_error[1],
  ...(errors && { errors: Object.fromEntries(Object.entries(errors).slice(0, MAX_BULK_FIELDS)) }),
});

const tooLarge = (id: number): BulkError => ({
  id,
  code: 'validation_error',
  message:
    'It is too large to be changed together with the products before it: name it in a request of its own.',
});

/** Returns an id that is none of the tenant's categories, or null. */
async function missingCategory(
  { db, tenantId }: TenantDatabase,
  ids: readonly number[],
): Promise<number | null> {
  if (ids.length === 0) return null;
  const [missing] = await rows<{ id: number }>(
    db,
    sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)}) WHERE value NOT IN
      (SELECT id FROM categories WHERE tenant_id = ${tenantId}) LIMIT 1`,
  );
  return missing?.id ?? null;
}
