import { sql } from 'drizzle-orm';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { jsonList, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { PromotionRow } from '../tables.ts';
import type { PromotionFields } from './validation.ts';

/** The queries for the valid target with the id `named.value`, up to its tenant's id, by field. */
const TARGETS = {
  // A group is never a line of a cart: its members are.
  product_ids: sql`SELECT 1 FROM products WHERE id = named.value AND deleted_at IS NULL AND type <> 'grouped'
    AND tenant_id = `,
  category_ids: sql`SELECT 1 FROM categories WHERE id = named.value AND tenant_id = `,
} as const;

/** The products and categories that a promotion names. */
export type Targets = Readonly<Record<keyof typeof TARGETS, readonly number[]>>;

/** Returns the newly named targets, which must exist; earlier targets may have been deleted since. */
export const newlyNamed = (fields: PromotionFields, before: PromotionRow | null): Targets => ({
  product_ids: (fields.productIds ?? []).filter((id) => !before?.productIds?.includes(id)),
  category_ids: (fields.categoryIds ?? []).filter((id) => !before?.categoryIds?.includes(id)),
});

/** Builds the query for named ids that are no targets, with their field; the tenant doesn't have them, or they are groups. */
export const unsuitedIds = (tenantId: number, named: Targets) =>
  sql.join(
    (['product_ids', 'category_ids'] as const).map(
      (field) => sql`SELECT ${field} AS field, value AS id FROM (${jsonList(named[field])}) named
        WHERE NOT EXISTS (${TARGETS[field]}${tenantId})`,
    ),
    sql` UNION ALL `,
  );

/** The products that a promotion names; inactive ones only on request. */
interface NamedProducts {
  readonly promotionId: number;
  readonly inactive: boolean;
}

/** Returns the products that a promotion names, by id; deleted ones are left out. */
export const namedProducts = ({ db, tenantId }: TenantDatabase, { promotionId, inactive }: NamedProducts) =>
  rows<{ id: number; name: string; sku: string }>(
    db,
    sql`SELECT p.id, p.name, p.sku FROM products p
      WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND (p.status = 'active' OR ${inactive}) AND p.id IN (
        SELECT named.value FROM promotions, json_each(promotions.product_ids) named
        WHERE promotions.tenant_id = ${tenantId} AND promotions.id = ${promotionId})
      ORDER BY p.id`,
  );

/** Returns a 422 that names the ids that are no targets, or null if all are. */
export async function unsuitedIdsError(
  { db, tenantId }: TenantDatabase,
  named: Targets,
): Promise<Failed | null> {
  const found = await rows<{ field: string; id: number; is_group: number }>(
    db,
    sql`SELECT field, id, field = 'product_ids' AND EXISTS (SELECT 1 FROM products p
        WHERE p.tenant_id = ${tenantId} AND p.id = unsuited.id AND p.deleted_at IS NULL) AS is_group
      FROM (${unsuitedIds(tenantId, named)}) unsuited`,
  );
  const byField = Map.groupBy(found, ({ field }) => field);
  const errors = [...byField].map(([field, ids]) => [
    field,
    ids.map(({ id, is_group }) =>
      is_group
        ? `product ${id} is a group: name its members`
        : `there is no ${field === 'product_ids' ? 'product' : 'category'} ${id}`,
    ),
  ]);
  return errors.length > 0 ? fail('validation_error', { errors: Object.fromEntries(errors) }) : null;
}
