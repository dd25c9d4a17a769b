import { type SQL, sql } from 'drizzle-orm';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { assertInBatch, type Database, rows, type Statement } from '../../kernel/data/database.ts';
import { changedFields } from './diff.ts';
import type { StoredProduct } from './load-product.ts';
import { derivedOf, type ProductState } from './product-state.ts';
import { memberIds } from './type-details.ts';

/** What a write needs of other rows: the query for what stands against it, as `it`, and what to say then. */
interface Need {
  readonly field: string;
  readonly against: SQL;
  readonly says: (it: number) => string;
}

/** A 422 that names what stands against a write, or null. No round trip when it needs nothing. */
export async function violatedPrecondition(
  db: Database,
  tenantId: number,
  before: StoredProduct | null,
  after: ProductState,
): Promise<Failed | null> {
  const needs = needsOf(tenantId, before, after);
  const [first, ...rest] = needs.map(({ against }) => rows<{ it: number }>(db, against));
  if (!first) return null;
  const found = await db.batch([first, ...rest]);
  const errors: Record<string, string[]> = {};
  needs.forEach(({ field, says }, n) => {
    const said = (found[n] ?? []).map(({ it }) => says(it));
    if (said.length > 0) errors[field] = [...(errors[field] ?? []), ...said];
  });
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : null;
}

/** Aborts the batch when something stands against the write by now. */
export const preconditions = (
  db: Database,
  tenantId: number,
  before: StoredProduct | null,
  after: ProductState,
): Statement[] =>
  needsOf(tenantId, before, after).map(({ against }) => assertInBatch(db, sql`NOT EXISTS (${against})`));

/** What the write names has to be there (what it leaves as it was may have gone), and others may need its type. */
function needsOf(tenantId: number, before: StoredProduct | null, after: ProductState): Need[] {
  const changed = before ? changedFields(before.state, after) : ['category_ids', 'grouped', 'bundle_groups'];
  const kept = new Set(before ? memberIds(before.state.details) : []);
  const members = memberIds(after.details).filter((id) => !kept.has(id));
  const field = after.type === 'grouped' ? 'grouped' : 'bundle_groups';
  const retyped = before && before.state.type !== after.type ? before.id : null;
  return [
    ...(changed.includes('category_ids') && after.categoryIds.length > 0
      ? [categories(tenantId, after.categoryIds)]
      : []),
    ...(changed.includes(field) && members.length > 0 ? [parts(tenantId, before, field, members)] : []),
    ...(retyped !== null && !['simple', 'virtual'].includes(after.type) ? [users(tenantId, retyped)] : []),
    ...(retyped !== null && derivedOf(after) !== 'none' ? [unreserved(tenantId, retyped)] : []),
  ];
}

const categories = (tenantId: number, ids: readonly number[]): Need => ({
  field: 'category_ids',
  against: sql`SELECT w.value AS it FROM json_each(${JSON.stringify(ids)}) w
    WHERE NOT EXISTS (SELECT 1 FROM categories c WHERE c.tenant_id = ${tenantId} AND c.id = w.value)`,
  says: (id) => `there is no category ${id}`,
});

const parts = (
  tenantId: number,
  before: StoredProduct | null,
  field: string,
  ids: readonly number[],
): Need => ({
  field,
  against: sql`SELECT w.value AS it FROM json_each(${JSON.stringify(ids)}) w
    WHERE NOT EXISTS (SELECT 1 FROM products p WHERE p.tenant_id = ${tenantId} AND p.id = w.value
      AND p.id <> ${before?.id ?? 0} AND p.deleted_at IS NULL AND p.type IN ('simple', 'virtual'))`,
  says: (id) => `${id} is not a simple or virtual product of this catalogue`,
});

/** The tenant's groups and bundles that name a product, as ids: it looks at each of them. */
export const madeOf = (tenantId: number, id: number): SQL => sql`SELECT p.id AS it FROM products p
  WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND p.type IN ('grouped', 'bundled')
    AND EXISTS (SELECT 1 FROM json_tree(p.details) WHERE key = 'product_id' AND atom = ${id})`;

const users = (tenantId: number, id: number): Need => ({
  field: 'type',
  against: sql`${madeOf(tenantId, id)} LIMIT 1`,
  says: (user) => `has to stay simple or virtual: product ${user} is made of it`,
});

const unreserved = (tenantId: number, id: number): Need => ({
  field: 'type',
  against: sql`SELECT reserved AS it FROM inventory_items
    WHERE tenant_id = ${tenantId} AND id = ${id} AND reserved > 0`,
  says: (reserved) => `has to stay while checkouts or orders have ${reserved} of it reserved`,
});
