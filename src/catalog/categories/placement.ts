import { type SQL, sql } from 'drizzle-orm';
import { rows, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';

/** What decides the place of a category among its siblings. */
interface Sibling {
  readonly id: number;
  readonly name: string;
  readonly position: number;
}

/**
 * Compares siblings by position, from 1, then by name in the root order of the Unicode Collation Algorithm (CLDR), which
 * English has; then by id. All positions are 0 until one category is placed.
 */
export const bySibling = (a: Sibling, b: Sibling): number =>
  a.position - b.position || a.name.localeCompare(b.name, 'en') || a.id - b.id;

/**
 * Returns the position of a category that joins the children of a parent: after placed siblings, else 0 like theirs.
 */
export const arrivalPosition = (tenantId: number, parent: SQL | number | null): SQL =>
  sql`(SELECT iif(last > 0, last + 1, 0) FROM (SELECT coalesce(max(s.position), 0) AS last FROM categories s
    WHERE s.tenant_id = ${tenantId} AND s.parent_id IS ${parent}))`;

/** A category, and the place among the children of `parent` that it goes to. */
interface Placement {
  readonly id: number;
  readonly parent: number | null;
  readonly place: number;
}

/**
 * Returns the statements, at most one, that place a category at an index among its siblings, and number all of
 * them; none if all have been placed and this one is there. A sibling that arrives meanwhile comes after them or is
 * sorted by its name.
 */
export async function placementStatements(
  { db, tenantId }: TenantDatabase,
  { id, parent, place }: Placement,
): Promise<Statement[]> {
  const found = await rows<Sibling>(
    db,
    sql`SELECT id, name, position FROM categories WHERE tenant_id = ${tenantId} AND parent_id IS ${parent}`,
  );
  const placed = found.toSorted(bySibling);
  const order = placed.map((sibling) => sibling.id).filter((sibling) => sibling !== id);
  order.splice(place, 0, id);
  const isPlaced = (sibling: Sibling, at: number) => sibling.id === order[at] && sibling.position > 0;
  if (placed.length === order.length && placed.every(isPlaced)) return [];
  // In a list, because a statement is a thenable: an async function that returned it would run it.
  return [
    run(
      db,
      sql`UPDATE categories SET position = placed.key + 1 FROM json_each(${JSON.stringify(order)}) placed
        WHERE categories.tenant_id = ${tenantId} AND categories.id = placed.value
          AND categories.parent_id IS ${parent} AND categories.position <> placed.key + 1`,
    ),
  ];
}
