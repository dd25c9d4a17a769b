import { type SQL, sql } from 'drizzle-orm';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { assertInBatch, rows, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { tenants } from '../../tenants/index.ts';
import { MAX_MEMBERSHIPS, MAX_PLACES_READ } from '../limits.ts';
import type { StoredProduct } from '../products/load-product.ts';
import { memberIds, membersOf } from '../products/members.ts';
import { derivedOf, type ProductState } from '../products/product-state.ts';
import { changedFields } from './diff.ts';

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
  const checks = preconditionsOf(tenantId, [{ before, after }]);
  if (checks.length === 0) return null;
  // One query for all of them: each row names the check that it violates.
  const violations = checks.map((check, n) => sql`SELECT ${n} AS nth, it FROM (${check.violations})`);
  const found = await rows<{ nth: number; it: number }>(db, sql.join(violations, sql` UNION ALL `));
  const errors: Record<string, string[]> = {};
  for (const { nth, it } of found) {
    const check = checks[nth];
    if (check) errors[check.field] = [...(errors[check.field] ?? []), check.message(it)];
  }
  return found.length > 0 ? fail('validation_error', { errors }) : null;
}

/** A product before and after a write. */
interface Change {
  readonly before: StoredProduct | null;
  readonly after: ProductState;
}

/** A change whose prices are in the tenant's main currency as the caller knows it. */
interface PricedChange extends Change {
  readonly currency: string;
}

/** Returns the statements that roll the batch of several writes back when a precondition is violated by now. */
export function preconditions(ctx: TenantDatabase, writes: readonly PricedChange[]): Statement[] {
  const { tenantId, db } = ctx;
  const created = writes.find(({ before }) => before === null);
  return [
    ...(created ? [pricedIn(ctx, created.currency)] : []),
    ...preconditionsOf(tenantId, writes).map(({ violations }) =>
      assertInBatch(db, sql`NOT EXISTS (${violations})`),
    ),
  ];
}

/**
 * Rolls the batch back when this is no longer the main currency, which may change until there is a product: the
 * application's lease may still name the one of before.
 */
const pricedIn = ({ db, tenantId }: TenantDatabase, currency: string): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM ${tenants} WHERE ${tenants.id} = ${tenantId} AND ${tenants.currency} = ${currency})`,
  );

/** Returns the preconditions of writes, on their categories as one. Unchanged references may point to deleted rows. */
export function preconditionsOf(tenantId: number, writes: readonly Change[]): Precondition[] {
  const categories = [...new Set(writes.flatMap(namedCategories))];
  return [
    ...(categories.length > 0 ? [categoriesExist(tenantId, categories)] : []),
    ...writes.flatMap((write) => memberPreconditions(tenantId, write)),
  ];
}

/** Returns the categories that a write names anew. */
const namedCategories = ({ before, after }: Change): readonly number[] =>
  !before || changedFields(before.state, after).includes('category_ids') ? after.categoryIds : [];

/** Returns the preconditions on newly named members, and on what contains a product whose type changes. */
function memberPreconditions(tenantId: number, { before, after }: Change): Precondition[] {
  const kept = new Set(before ? memberIds(before.state.details) : []);
  const members = memberIds(after.details).filter((id) => !kept.has(id));
  const field = after.type === 'grouped' ? 'grouped' : 'bundle_groups';
  const isNamed = members.length > 0 && (!before || changedFields(before.state, after).includes(field));
  const retyped = before && before.state.type !== after.type ? before.id : null;
  return [
    ...(isNamed
      ? newMembersAllowed(tenantId, {
          field,
          ids: members,
          productId: before?.id ?? 0,
          size: membersOf(after).length,
        })
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

/** The members that a write adds to a product (id 0: a new one), and the field that names them. */
interface NewMembers {
  readonly field: string;
  readonly ids: readonly number[];
  readonly productId: number;
  /** How many places the product has for members, that of its other ones included. */
  readonly size: number;
}

function newMembersAllowed(tenantId: number, { field, ids, productId, size }: NewMembers): Precondition[] {
  const most = Math.min(MAX_MEMBERSHIPS, Math.floor(MAX_PLACES_READ / size));
  const limit = most < MAX_MEMBERSHIPS ? `that one with ${size} items takes` : 'there may be';
  return [
    {
      field,
      violations: sql`SELECT w.value AS it FROM json_each(${JSON.stringify(ids)}) w
      WHERE NOT EXISTS (SELECT 1 FROM products p WHERE p.tenant_id = ${tenantId} AND p.id = w.value
        AND p.id <> ${productId} AND p.deleted_at IS NULL AND p.type IN ('simple', 'virtual'))`,
      message: (id) => `product ${id} must be a simple or virtual product of this catalogue`,
    },
    {
      field,
      violations: sql`SELECT w.value AS it FROM json_each(${JSON.stringify(ids)}) w
      WHERE EXISTS (SELECT 1 FROM stock_components c INDEXED BY stock_components_member
        JOIN inventory_items g ON g.id = c.parent_id AND g.deleted = 0
        WHERE c.tenant_id = ${tenantId} AND c.member_id = w.value LIMIT 1 OFFSET ${most - 1})`,
      message: (id) => `product ${id} is in ${most} places of groups and bundles, the most ${limit}`,
    },
  ];
}

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
