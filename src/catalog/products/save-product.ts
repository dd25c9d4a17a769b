import { sql } from 'drizzle-orm';
import { moveStock, outcome, publishStock, type WriteCause } from '../../inventory/index.ts';
import { now } from '../../kernel/core/clock.ts';
import type { Currencies } from '../../kernel/core/money.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import { firstOf } from '../../kernel/core/text.ts';
import { id as newId } from '../../kernel/crypto/crypto.ts';
import {
  batch,
  type Database,
  guardFailed,
  run,
  type Statement,
  violation,
} from '../../kernel/data/database.ts';
import type { Caller, IdempotencyScope, Runtime } from '../../kernel/http/context.ts';
import { WITHOUT_KEY } from '../../kernel/http/idempotency.ts';
import { isOverQuota, quotaExceeded } from '../../tenants/index.ts';
import { allocateIds } from '../ids.ts';
import { changedFields, stockMoves } from './diff.ts';
import { loadProduct, type StoredProduct } from './load-product.ts';
import { violatedPrecondition } from './preconditions.ts';
import type { ProductState, VariantState } from './product-state.ts';
import { type ProductWrite, productStatements, unchangedSince } from './product-statements.ts';

/** Whose catalogue is written, in which currencies. */
export interface CatalogScope extends Currencies {
  readonly tenantId: number;
}

/** Returns whose catalogue a caller writes. */
export const catalogScope = ({ tenantId, currency, currencies }: Caller): CatalogScope => ({
  tenantId,
  currency,
  currencies,
});

/** What a write did. `changed` is false when everything was so already: then nothing was written. */
export interface Saved {
  readonly id: number;
  readonly changed: boolean;
  readonly version: number | null;
}

/** How often a write that somebody else overtook is tried again. */
export const TRIES = 5;

/** A product that shall be written, and what it is now (null: new). */
export interface ProductDraft {
  readonly before: StoredProduct | null;
  readonly after: ProductState;
  /** Whether slug and SKU were made from the name: then a taken one is made unique instead of refused. */
  readonly defaulted?: { readonly slug: boolean; readonly sku: boolean };
}

/** Gives new products and variants their ids: one round trip for any number of them, none for none. */
export async function assignIds(
  db: Database,
  wishes: readonly ProductDraft[],
  currency: string,
): Promise<ProductWrite[]> {
  const missing = ({ before, after }: ProductDraft) =>
    (before ? 0 : 1) + after.variants.filter(({ id }) => id === null).length;
  const count = wishes.reduce((sum, wish) => sum + missing(wish), 0);
  let next = count > 0 ? await allocateIds(db, 'item', count) : 0;
  return wishes.map(({ before, after }) => {
    const id = before?.id ?? next++;
    const variants = after.variants.map((variant): VariantState & { id: number } => ({
      ...variant,
      id: variant.id ?? next++,
    }));
    const changed = before ? changedFields(before.state, after) : ['created'];
    const createdAt = before?.createdAt ?? now();
    return { id, before, after: { ...after, variants }, createdAt, changed, currency };
  });
}

/** The statements of one write; none when nothing changes, few when only stock does. */
export function statementsOf(db: Database, cause: WriteCause, write: ProductWrite): Statement[] {
  const { before, after } = write;
  if (write.changed.length > 0) return productStatements(db, cause, write);
  const moves = before ? stockMoves(before, after) : [];
  if (!before || moves.length === 0) return [];
  // It counts as a change by who writes it, unlike a sale: `If-Match` tells one editor of the other.
  const counted = sql`UPDATE products SET revision = revision + 1
    WHERE tenant_id = ${cause.tenantId} AND id = ${before.id}`;
  return [unchangedSince(db, cause.tenantId, before), run(db, counted), ...moveStock(db, cause, moves)];
}

/** Makes or changes one product. `once` makes a retry of a creation harmless. */
export async function saveProduct(
  runtime: Runtime,
  db: Database,
  shop: CatalogScope,
  wish: ProductDraft,
  once: IdempotencyScope = WITHOUT_KEY,
): Promise<Result<Saved>> {
  const refused = await violatedPrecondition(db, shop.tenantId, wish.before, wish.after);
  if (refused) return refused;
  const [write] = await assignIds(db, [wish], shop.currency);
  if (!write) throw new Error('One wish makes one write');
  const cause = { tenantId: shop.tenantId, batch: newId('bat'), reason: wish.before ? 'product' : 'created' };
  const statements = statementsOf(db, cause, write);
  if (statements.length === 0) return ok({ id: write.id, changed: false, version: null });
  try {
    const version = await commit(runtime, db, [cause], [...once.mark(String(write.id)), ...statements]);
    return ok({ id: write.id, changed: true, version });
  } catch (error) {
    const taken = takenBy(error);
    if (taken && wish.defaulted?.[taken])
      return saveProduct(runtime, db, shop, renamed(wish, taken, write.id), once);
    if (taken) return fail(`${taken}_taken`);
    if (isOverQuota(error)) return quotaExceeded(db, shop.tenantId, 'products');
    const refusal = refusalOf(error, write);
    if (refusal) return refusal;
    throw error;
  }
}

/**
 * Runs the batch of a write, or of several with a cause each, then tells tenant and queues. Returns the catalogue
 * version that this made.
 */
export async function commit(
  runtime: Runtime,
  db: Database,
  causes: readonly [WriteCause, ...WriteCause[]],
  statements: readonly Statement[],
): Promise<number> {
  const results = await batch(db, [...statements, ...outcome(db, ...causes)]);
  return publishStock(runtime, causes[0].tenantId, results);
}

/** Reads, changes and writes a product; again from the start when somebody else was faster. */
export async function saveChange(
  runtime: Runtime,
  db: Database,
  shop: CatalogScope,
  productId: number,
  change: (before: StoredProduct) => Result<ProductState>,
): Promise<Result<Saved>> {
  let answer: Result<Saved> = fail('conflict');
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await loadProduct(db, shop.tenantId, sql`p.id = ${productId}`);
    if (!before) return fail('product_not_found');
    const after = change(before);
    if (!after.ok) return after;
    answer = await saveProduct(runtime, db, shop, { before, after: after.value });
    if (answer.ok || answer.failure.code !== 'conflict') return answer;
  }
  return answer;
}

/** What a constraint that refused a write says to who asked for it; null for what is a bug of ours. */
function refusalOf(error: unknown, { id }: ProductWrite): Failed | null {
  const broken = violation(error)?.name;
  if (broken === 'slot_never_overbooked') {
    return fail('slot_unavailable', {
      message: 'A slot has bookings that this would leave without a place.',
    });
  }
  if (broken === 'stock_never_oversold') {
    const message = 'More of it is sold or reserved than there is: set `stock` together with the policy.';
    return fail('insufficient_stock', { message, details: { product_id: id } });
  }
  return guardFailed(error) ? fail('conflict') : null;
}

/** Which unique name an error says is taken. */
function takenBy(error: unknown): 'sku' | 'slug' | null {
  const broken = violation(error);
  if (broken?.kind !== 'unique') return null;
  return broken.name.includes('slug') ? 'slug' : broken.name.includes('sku') ? 'sku' : null;
}

const renamed = (wish: ProductDraft, taken: 'sku' | 'slug', id: number): ProductDraft => ({
  ...wish,
  after: { ...wish.after, [taken]: `${firstOf(wish.after[taken], 48)}-${id}` },
  defaulted: { slug: false, sku: false, ...wish.defaulted, [taken]: false },
});
