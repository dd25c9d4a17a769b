import { sql } from 'drizzle-orm';
import { type Cause, moveStock, outcome, type Told, tellOfStock } from '../inventory/index.ts';
import type { Once } from '../kernel/call.ts';
import { now } from '../kernel/clock.ts';
import { id as newId } from '../kernel/crypto.ts';
import {
  batch,
  type Database,
  guardBroke,
  rows,
  run,
  type Statement,
  violation,
} from '../kernel/database.ts';
import { WITHOUT_KEY } from '../kernel/idempotency.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { advance } from '../tenants/index.ts';
import { changedFields, stockMoves } from './change.ts';
import { membersOf } from './details.ts';
import { productEvent } from './event.ts';
import type { Money } from './faults.ts';
import { reword, unlist } from './listing.ts';
import { allocateIds } from './sequence.ts';
import type { ProductState, VariantState } from './state.ts';
import { loadProduct, type Stored } from './stored.ts';
import { productStatements, type Write } from './write.ts';

/** Whose catalogue is written, in which currencies. */
export interface Shop extends Money {
  readonly tenantId: number;
}

/** What a write did. `changed` is false when everything was so already: then nothing was written. */
export interface Saved {
  readonly id: number;
  readonly changed: boolean;
  readonly version: number | null;
}

/** How often a write that somebody else overtook is tried again. */
const TRIES = 5;

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

/** The statements of one write; none when nothing changes, stock's alone when only stock does. */
export function statementsOf(db: Database, cause: Cause, write: Write): Statement[] {
  if (write.changed.length > 0) return productStatements(db, cause, write);
  return write.before ? moveStock(db, cause, stockMoves(write.before, write.after)) : [];
}

/** Makes or changes one product. `once` makes a retry of a creation harmless. */
export async function save(
  told: Told,
  db: Database,
  shop: Shop,
  wish: Wish,
  once: Once = WITHOUT_KEY,
): Promise<Result<Saved>> {
  const missing = await missingReferences(db, shop.tenantId, wish);
  if (missing) return missing;
  const [write] = await numbered(db, [wish], shop.currency);
  if (!write) throw new Error('One wish makes one write');
  const cause = { tenantId: shop.tenantId, batch: newId('bat'), reason: wish.before ? 'product' : 'created' };
  const statements = statementsOf(db, cause, write);
  if (statements.length === 0) return ok({ id: write.id, changed: false, version: null });
  try {
    const version = await commit(told, db, cause, [...once.mark(String(write.id)), ...statements]);
    return ok({ id: write.id, changed: true, version });
  } catch (error) {
    const taken = takenBy(error);
    if (taken && wish.defaulted?.[taken]) return save(told, db, shop, renamed(wish, taken, write.id), once);
    if (taken) return fail(`${taken}_taken`);
    if (violation(error)?.name === 'slot_never_overbooked') return fail('slot_unavailable');
    if (guardBroke(error)) return fail('conflict');
    throw error;
  }
}

/** Runs a write's batch, then tells tenant and queues. Answers the catalogue version it made. */
export async function commit(
  told: Told,
  db: Database,
  cause: Cause,
  statements: readonly Statement[],
): Promise<number> {
  const results = await batch(db, [...statements, ...outcome(db, cause)]);
  return tellOfStock(told, cause.tenantId, results);
}

/** Reads, changes and writes a product; again from the start when somebody else was faster. */
export async function saveChange(
  told: Told,
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
    answer = await save(told, db, shop, { before, after: after.value });
    if (answer.ok || answer.failure.code !== 'conflict') return answer;
  }
  return answer;
}

/** Takes a product away. Its rows stay for the feed, without SKU and slug being taken. */
export async function remove(
  { env, ctx }: Told,
  db: Database,
  shop: Shop,
  productId: number,
): Promise<Result<number>> {
  const { tenantId } = shop;
  const before = await loadProduct(db, tenantId, sql`p.id = ${productId}`);
  if (!before) return fail('product_not_found');
  const cause = { tenantId, batch: newId('bat'), reason: 'deleted' };
  const gone: Write = {
    id: productId,
    before,
    // What is there has its ids; a deletion tells of the product as it was.
    after: before.state as Write['after'],
    createdAt: before.createdAt,
    changed: ['deleted'],
    currency: shop.currency,
  };
  const version = await commit({ env, ctx }, db, cause, removal(db, cause, gone));
  return ok(version);
}

function removal(db: Database, cause: Cause, gone: Write): Statement[] {
  const { tenantId } = cause;
  const { id, after } = gone;
  const mine = sql`tenant_id = ${tenantId} AND product_id = ${id} AND deleted = 0`;
  const items = 1 + after.variants.length;
  return [
    advance(db, tenantId, items, true),
    run(
      db,
      sql`UPDATE products SET deleted_at = updated_at, revision = revision + 1
      WHERE tenant_id = ${tenantId} AND id = ${id}`,
    ),
    run(
      db,
      sql`UPDATE inventory_items SET deleted = 1, feed = iif(feed = 'hidden', 'hidden', 'gone'),
        updated_at = (SELECT clock FROM tenants WHERE id = ${tenantId}) - n.nth
      FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS nth FROM inventory_items WHERE ${mine}) n
      WHERE inventory_items.id = n.id`,
    ),
    unlist(db, tenantId, sql`SELECT ${id}`),
    ...reword(db, tenantId, id, []),
    ...moveStock(db, cause, [], [id]),
    productEvent(db, cause, gone),
  ];
}

/** Which unique name an error says is taken. */
function takenBy(error: unknown): 'sku' | 'slug' | null {
  const broken = violation(error);
  if (broken?.kind !== 'unique') return null;
  return broken.name.includes('slug') ? 'slug' : broken.name.includes('sku') ? 'sku' : null;
}

const renamed = (wish: Wish, taken: 'sku' | 'slug', id: number): Wish => ({
  ...wish,
  after: { ...wish.after, [taken]: `${wish.after[taken].slice(0, 48)}-${id}` },
  defaulted: { slug: false, sku: false, ...wish.defaulted, [taken]: false },
});

/** A 422 that names categories and members which don't exist (or can't be part of a product). */
async function missingReferences(
  db: Database,
  tenantId: number,
  { before, after }: Wish,
): Promise<Result<never> | null> {
  const members = [...new Set(membersOf(after).map(({ memberId }) => memberId))];
  if (after.categoryIds.length + members.length === 0) return null;
  const known = (ids: readonly number[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const [found, parts] = await db.batch([
    rows<{ id: number }>(
      db,
      sql`SELECT id FROM categories WHERE tenant_id = ${tenantId} AND id IN ${known(after.categoryIds)}`,
    ),
    rows<{ id: number }>(
      db,
      sql`SELECT id FROM products WHERE tenant_id = ${tenantId} AND deleted_at IS NULL
        AND type IN ('simple', 'virtual') AND id <> ${before?.id ?? 0} AND id IN ${known(members)}`,
    ),
  ]);
  const errors: Record<string, string[]> = {};
  const lacking = (ids: readonly number[], there: readonly { id: number }[]) =>
    ids.filter((id) => !there.some((row) => row.id === id));
  for (const id of lacking(after.categoryIds, found)) {
    errors.category_ids = [...(errors.category_ids ?? []), `there is no category ${id}`];
  }
  const field = after.type === 'grouped' ? 'grouped' : 'bundle_groups';
  for (const id of lacking(members, parts)) {
    errors[field] = [...(errors[field] ?? []), `${id} is not a simple or virtual product of this catalogue`];
  }
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : null;
}
