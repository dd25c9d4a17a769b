import { type SQL, sql } from 'drizzle-orm';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { assertInBatch, rows, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { changedFields } from './diff.ts';
import type { StoredProduct } from './load-product.ts';
import { derivedOf, type ProductState } from './product-state.ts';
import { memberIds } from './type-details.ts';

/** A condition on other rows: a query for its violations, as column `it`, and the message for each. */
interface Precondition {
  readonly field: string;
  readonly violations: SQL;
  readonly message: (it: number) => string;
}

/**
 * Returns a 422 that names the violated preconditions of a write, or null. Without preconditions it runs no
 * query.
 */
export async function violatedPrecondition(
  { tenantId, db }: TenantDatabase,
  before: StoredProduct | null,
  after: ProductState,
): Promise<Failed | null> {
  const checks = preconditionsOf(tenantId, before, after);
  const [first, ...rest] = checks.map(({ violations }) => rows<{ it: number }>(db, violations));
  if (!first) return null;
  const found = await db.batch([first, ...rest]);
  const errors: Record<string, string[]> = {};
  checks.forEach(({ field, message }, n) => {
    const messages = (found[n] ?? []).map(({ it }) => message(it));
    if (messages.length > 0) errors[field] = [...(errors[field] ?? []), ...messages];
  });
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : null;
}

/** Returns the statements that roll the batch back when a precondition is violated by now. */
export const preconditions = (
  { tenantId, db }: TenantDatabase,
  before: StoredProduct | null,
  after: ProductState,
): Statement[] =>
  preconditionsOf(tenantId, before, after).map(({ violations }) =>
    assertInBatch(db, sql`NOT EXISTS (${violations})`),
  );

/**
 * Returns the preconditions of a write: newly named categories and members exist, and a new type suits the
 * products that contain this one. Unchanged references may point to deleted rows.
 */
function preconditionsOf(
  tenantId: number,
  before: StoredProduct | null,
  after: ProductState,
): Precondition[] {
  const changed = before ? changedFields(before.state, after) : ['category_ids', 'grouped', 'bundle_groups'];
  const kept = new Set(before ? memberIds(before.state.details) : []);
  const members = memberIds(after.details).filter((id) => !kept.has(id));
  const field = after.type === 'grouped' ? 'grouped' : 'bundle_groups';
  const retyped = before && before.state.type !== after.type ? before.id : null;
  return [
    ...(changed.includes('category_ids') && after.categoryIds.length > 0
      ? [categoriesExist(tenantId, after.categoryIds)]
      : []),
    ...(changed.includes(field) && members.length > 0
      ? [membersAllowed(tenantId, before, field, members)]
      : []),
    ...(retyped !== null && !['simple', 'virtual'].includes(after.type)
      ? [noParents(tenantId, retyped)]
      : []),
    ...(retyped !== null && derivedOf(after) !== 'none' ? [unreserved(tenantId, retyped)] : []),
  ];
}

const categoriesExist = (tenantId: number, ids: readonly number[]): Precondition => ({
  field: 'category_ids',
  violations: sql`SELECT w.value AS it FROM json_each(${JSON.stringify(ids)}) w
    WHERE NOT EXISTS (SELECT 1 FROM categories c WHERE c.tenant_id = ${tenantId} AND c.id = w.value)`,
  message: (id) => `there is no category ${id}`,
});

const membersAllowed = (
  tenantId: number,
  before: StoredProduct | null,
  field: string,
  ids: readonly number[],
): Precondition => ({
  field,
  violations: sql`SELECT w.value AS it FROM json_each(${JSON.stringify(ids)}) w
    WHERE NOT EXISTS (SELECT 1 FROM products p WHERE p.tenant_id = ${tenantId} AND p.id = w.value
      AND p.id <> ${before?.id ?? 0} AND p.deleted_at IS NULL AND p.type IN ('simple', 'virtual'))`,
  message: (id) => `product ${id} must be a simple or virtual product of this catalogue`,
});

/** Selects the ids of the tenant's groups and bundles that contain a product. Scans all of them. */
export const parentsContaining = (tenantId: number, id: number): SQL => sql`SELECT p.id AS it FROM products p
  WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND p.type IN ('grouped', 'bundled')
    AND EXISTS (SELECT 1 FROM json_tree(p.details) WHERE key = 'product_id' AND atom = ${id})`;

const noParents = (tenantId: number, id: number): Precondition => ({
  field: 'type',
  violations: sql`${parentsContaining(tenantId, id)} LIMIT 1`,
  message: (user) => `must stay simple or virtual: product ${user} contains it`,
});

const unreserved = (tenantId: number, id: number): Precondition => ({
  field: 'type',
  violations: sql`SELECT reserved AS it FROM inventory_items
    WHERE tenant_id = ${tenantId} AND id = ${id} AND reserved > 0`,
  message: (reserved) => `must not change while checkouts or orders have ${reserved} of it reserved`,
});
