import { sql } from 'drizzle-orm';
import { type Cause, moveStock, outcome, tellOfStock } from '../inventory/index.ts';
import type { Caller, Once, Runtime } from '../kernel/call.ts';
import { now } from '../kernel/clock.ts';
import { id as newId } from '../kernel/crypto.ts';
import { batch, type Database, guardBroke, run, type Statement, violation } from '../kernel/database.ts';
import { WITHOUT_KEY } from '../kernel/idempotency.ts';
import type { Currencies } from '../kernel/money.ts';
import { type Failed, fail, ok, type Result } from '../kernel/result.ts';
import { firstOf } from '../kernel/text.ts';
import { isOverQuota, quotaExceeded } from '../tenants/index.ts';
import { changedFields, stockMoves } from './change.ts';
import { refusedBy } from './references.ts';
import { allocateIds } from './sequence.ts';
import type { ProductState, VariantState } from './state.ts';
import { loadProduct, type Stored } from './stored.ts';
import { productStatements, unchangedSince, type Write } from './write.ts';

/** Whose catalogue is written, in which currencies. */
export interface Shop extends Currencies {
  readonly tenantId: number;
}

/** Returns whose catalogue a caller writes. */
export const shopOf = ({ tenantId, currency, currencies }: Caller): Shop => ({
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
export interface Wish {
  readonly before: Stored | null;
  readonly after: ProductState;
  /** Whether slug and SKU were made from the name: then a taken one is made unique instead of refused. */
  readonly defaulted?: { readonly slug: boolean; readonly sku: boolean };
}

/** Gives new products and variants their ids: one round trip for any number of them, none for none. */
export async function numbered(db: Database, wishes: readonly Wish[], currency: string): Promise<Write[]> {
  const missing = ({ before, after }: Wish) =>
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
export function statementsOf(db: Database, cause: Cause, write: Write): Statement[] {
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
export async function save(
  runtime: Runtime,
  db: Database,
  shop: Shop,
  wish: Wish,
  once: Once = WITHOUT_KEY,
): Promise<Result<Saved>> {
  const refused = await refusedBy(db, shop.tenantId, wish.before, wish.after);
  if (refused) return refused;
  const [write] = await numbered(db, [wish], shop.currency);
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
      return save(runtime, db, shop, renamed(wish, taken, write.id), once);
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
  causes: readonly [Cause, ...Cause[]],
  statements: readonly Statement[],
): Promise<number> {
  const results = await batch(db, [...statements, ...outcome(db, ...causes)]);
  return tellOfStock(runtime, causes[0].tenantId, results);
}

/** Reads, changes and writes a product; again from the start when somebody else was faster. */
export async function saveChange(
  runtime: Runtime,
  db: Database,
  shop: Shop,
  productId: number,
  change: (before: Stored) => Result<ProductState>,
): Promise<Result<Saved>> {
  let answer: Result<Saved> = fail('conflict');
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await loadProduct(db, shop.tenantId, sql`p.id = ${productId}`);
    if (!before) return fail('product_not_found');
    const after = change(before);
    if (!after.ok) return after;
    answer = await save(runtime, db, shop, { before, after: after.value });
    if (answer.ok || answer.failure.code !== 'conflict') return answer;
  }
  return answer;
}

/** What a constraint that refused a write says to who asked for it; null for what is a bug of ours. */
function refusalOf(error: unknown, { id }: Write): Failed | null {
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
  return guardBroke(error) ? fail('conflict') : null;
}

/** Which unique name an error says is taken. */
function takenBy(error: unknown): 'sku' | 'slug' | null {
  const broken = violation(error);
  if (broken?.kind !== 'unique') return null;
  return broken.name.includes('slug') ? 'slug' : broken.name.includes('sku') ? 'sku' : null;
}

const renamed = (wish: Wish, taken: 'sku' | 'slug', id: number): Wish => ({
  ...wish,
  after: { ...wish.after, [taken]: `${firstOf(wish.after[taken], 48)}-${id}` },
  defaulted: { slug: false, sku: false, ...wish.defaulted, [taken]: false },
});
