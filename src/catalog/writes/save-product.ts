import { sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { newCause } from '../../inventory/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import { guardFailed, rows, violation } from '../../kernel/data/database.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { WITHOUT_KEY } from '../../kernel/http/idempotency.ts';
import { firstOf } from '../../kernel/text/text.ts';
import { isOverQuota, quotaExceeded } from '../../tenants/index.ts';
import type { CatalogContext, CatalogDatabase } from '../context.ts';
import { allocateIds } from '../ids.ts';
import { loadProduct, type StoredProduct } from '../products/load-product.ts';
import type { ProductState, VariantState } from '../products/product-state.ts';
import { nextSwitch, withSalesAt } from '../sales/displayed-prices.ts';
import { wakeSaleSchedule } from '../sales/wake-schedule.ts';
import { fieldsChangedAt } from './diff.ts';
import { violatedPrecondition } from './preconditions.ts';
import type { ProductWrite } from './product-rows.ts';
import { writeStatements } from './product-statements.ts';
import { refuseLarge } from './size-limit.ts';

/** Result of a product write; without a `version`, nothing was written. */
export interface Saved {
  readonly id: number;
  readonly version: number | null;
}

/** Largest number of attempts of a write under concurrent changes. */
export const MAX_WRITE_ATTEMPTS = 5;

/** A product to write: the stored one (null: new) and its target state. */
export interface ProductDraft {
  readonly before: StoredProduct | null;
  readonly after: ProductState;
  /** Whether slug and SKU were derived from the name; a taken one is then made unique. */
  readonly defaulted?: { readonly slug: boolean; readonly sku: boolean };
}

/**
 * Assigns ids to new products and variants, and settles which sales run now. At most one round trip for any
 * number of drafts.
 */
export async function assignIds(
  { db, currency }: CatalogDatabase,
  drafts: readonly ProductDraft[],
): Promise<ProductWrite[]> {
  const missing = ({ before, after }: ProductDraft) =>
    (before ? 0 : 1) + after.variants.filter(({ id }) => id === null).length;
  const count = drafts.reduce((sum, draft) => sum + missing(draft), 0);
  let next = count > 0 ? await allocateIds(db, 'item', count) : 0;
  const at = now();
  return drafts.map(({ before, after: draft }) => {
    const after = withSalesAt(draft, at);
    const id = before?.id ?? next++;
    const variants = after.variants.map((variant): VariantState & { id: number } => ({
      ...variant,
      id: variant.id ?? next++,
    }));
    const changed = before ? fieldsChangedAt(before.state, after, at) : ['created'];
    const createdAt = before?.createdAt ?? at;
    return { id, before, after: { ...after, variants }, createdAt, changed, currency };
  });
}

/** Creates or updates a product. `once` makes the retry of a creation idempotent. */
export async function saveProduct(
  ctx: CatalogContext,
  draft: ProductDraft,
  once: IdempotencyScope = WITHOUT_KEY,
): Promise<Result<Saved>> {
  const large = refuseLarge(draft.before?.state ?? null, draft.after);
  if (large) return large;
  const refused = await violatedPrecondition(ctx, draft.before, draft.after);
  if (refused) return refused;
  const [write] = await assignIds(ctx, [draft]);
  if (!write) throw new Error('assignIds returned no write');
  const cause = newCause(ctx, draft.before ? 'product' : 'created');
  const statements = writeStatements(ctx, cause, [write]);
  if (statements.length === 0) return ok({ id: write.id, version: null });
  try {
    const { version } = await commit(ctx, {
      batches: [cause.batch],
      statements: [...once.mark(String(write.id)), ...statements],
      // Also for stock alone: whoever sets it reads it at this version.
      catalogChanged: true,
    });
    await wakeSaleSchedule(ctx, nextSwitch(write.after));
    return ok({ id: write.id, version });
  } catch (error) {
    const taken = takenField(error);
    if (taken && draft.defaulted?.[taken])
      return saveProduct(ctx, withUniqueName(draft, taken, write.id), once);
    const refusal = await refusalOf(ctx, error, write);
    if (refusal) return refusal;
    throw error;
  }
}

/** Reads, changes and writes a product. Retries from the read when a concurrent write wins. */
export async function saveChange(
  ctx: CatalogContext,
  productId: number,
  change: (before: StoredProduct) => Result<ProductState>,
): Promise<Result<Saved>> {
  let result: Result<Saved> = fail('conflict');
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
    const before = await loadProduct(ctx, productId);
    if (!before) return fail('product_not_found');
    const after = change(before);
    if (!after.ok) return after;
    result = await saveProduct(ctx, { before, after: after.value });
    if (result.ok || result.failure.code !== 'conflict') return result;
  }
  return result;
}

/** Returns the failure for a constraint that a product violates, or null for an unexpected error. */
async function refusalOf(ctx: CatalogContext, error: unknown, write: ProductWrite): Promise<Failed | null> {
  const { id } = write;
  const taken = takenField(error);
  const details = taken === 'sku' && (await ownerOfSku(ctx, write));
  if (details) return fail('sku_taken', { details });
  if (taken) return fail(`${taken}_taken`);
  if (isOverQuota(error)) return quotaExceeded(ctx, 'products');
  const violated = violation(error)?.name;
  if (violated === 'slot_never_overbooked') {
    return fail('slot_unavailable', {
      message: 'A booked slot can be neither moved nor removed, nor have fewer places than are booked.',
    });
  }
  if (violated === 'stock_never_oversold') {
    const message =
      'Sold and reserved stock exceeds the stock on hand: set `stock` together with the policy.';
    return fail('insufficient_stock', { message, details: { product_id: id } });
  }
  return guardFailed(error) ? fail('conflict') : null;
}

/** Returns the other product that has a SKU of this one, itself or as a variant's; null if there is none by now. */
async function ownerOfSku({ db, tenantId }: CatalogContext, { id, after }: ProductWrite) {
  const skus = [after.sku, ...after.variants.map(({ sku }) => sku)];
  const [owner] = await rows<{ product_id: number; sku: string }>(
    db,
    sql`SELECT i.product_id, i.sku FROM json_each(${JSON.stringify(skus)}) wanted CROSS JOIN inventory_items i
        ON i.tenant_id = ${tenantId} AND i.sku = wanted.value AND i.deleted = 0
      WHERE i.product_id <> ${id} ORDER BY wanted.key LIMIT 1`,
  );
  return owner ? { ...owner } : null;
}

/** Returns the field whose unique index an error reports, or null. */
function takenField(error: unknown): 'sku' | 'slug' | null {
  const violated = violation(error);
  if (violated?.kind !== 'unique') return null;
  if (violated.name.includes('slug')) return 'slug';
  return violated.name.includes('sku') ? 'sku' : null;
}

/** Longest part of a taken SKU or slug, in characters, that the unique one with the id appended keeps. */
const MAX_UNIQUE_NAME_STEM = 48;

/** Returns the stem of a taken SKU or slug. One cut behind a hyphen loses it: a slug has no two in a row. */
const stemOf = (name: string): string => firstOf(name, MAX_UNIQUE_NAME_STEM).replace(/-+$/, '');

/** Appends the id to a SKU or slug that another product has. */
const withUniqueName = (draft: ProductDraft, taken: 'sku' | 'slug', id: number): ProductDraft => ({
  ...draft,
  after: { ...draft.after, [taken]: `${stemOf(draft.after[taken])}-${id}` },
  defaulted: { slug: false, sku: false, ...draft.defaulted, [taken]: false },
});
