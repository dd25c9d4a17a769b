import { type SQL, sql } from 'drizzle-orm';
import { type NamedResults, type NamedStatements, namedBatch, rows } from '../../../kernel/data/database.ts';
import type { TenantDatabase } from '../../../kernel/data/tenant-context.ts';
import { lowStockThreshold, quotaUsed } from '../../../tenants/index.ts';
import { type DocumentRow, documentRows, fitOneRead } from './documents.ts';

/** Up to where an index has read the tenant's changes. */
export interface IndexPosition {
  /** The tenant's clock: changes of products and stock. */
  readonly clock: number;
  /** The highest id of `list_changes`. */
  readonly change: number;
  /**
   * The last group or bundle that was read of the members changed after `clock`, and when that member changed; absent
   * unless they have more than one read takes.
   */
  readonly group?: { readonly at: number; readonly id: number };
}

/** A category of the tree. */
export interface IndexedCategory {
  readonly id: number;
  readonly parentId: number | null;
  readonly name: string;
  readonly hidden: boolean;
}

/** The tenant at one instant of its catalogue. */
interface TenantMark {
  readonly version: number;
  readonly position: IndexPosition;
}

/** The next changes, from one consistent read. */
export interface Changes extends TenantMark {
  /** The tenant's threshold of low stock. */
  readonly lowStock: number;
  /** Changed products in their current state, deleted ones included. */
  readonly products: readonly DocumentRow[];
  /** Ids of changed categories, and those of them that exist. */
  readonly categoryIds: readonly number[];
  readonly categories: readonly IndexedCategory[];
  /** Whether an index that takes these changes is at `version`; else there are more. */
  readonly complete: boolean;
  /** Whether the database is at an earlier instant than the position: it was restored. */
  readonly wentBack: boolean;
}

/** The most changed items, and the most rows of `list_changes`, of one read. */
export const MAX_CHANGES_PER_READ = 250;
/** As many where the documents of more don't fit into one read. */
const MAX_LARGE_CHANGES_PER_READ = 5;

interface MarkRow {
  readonly version: number;
  readonly low_stock: number;
  readonly clock: number;
  readonly change: number;
}

interface CategoryRow {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: string;
  readonly hidden: 0 | 1;
}

const markQuery = ({ db, tenantId }: TenantDatabase) =>
  rows<MarkRow>(
    db,
    sql`SELECT t.catalog_version AS version, ${lowStockThreshold(tenantId)} AS low_stock, t.clock,
        coalesce((SELECT max(n.id) FROM list_changes n WHERE n.tenant_id = t.id), 0) AS change
      FROM tenants t WHERE t.id = ${tenantId}`,
  );

const toCategory = (row: CategoryRow): IndexedCategory => ({
  id: row.id,
  parentId: row.parent_id,
  name: row.name,
  hidden: row.hidden === 1,
});

/** Reads the tree of the tenant's categories at one instant. */
export async function readTree(
  ctx: TenantDatabase,
): Promise<TenantMark & { readonly categories: readonly IndexedCategory[] }> {
  const { db, tenantId } = ctx;
  const { mark, categories } = await namedBatch(db, {
    mark: markQuery(ctx),
    categories: rows<CategoryRow>(
      db,
      sql`SELECT id, parent_id, name, hidden FROM categories WHERE tenant_id = ${tenantId}`,
    ),
  });
  const { version = 0, clock = 0, change = 0 } = mark[0] ?? {};
  return { version, position: { clock, change }, categories: categories.map(toCategory) };
}

/** Returns the number of the tenant's products and variants. */
export async function countItems({ db, tenantId }: TenantDatabase): Promise<number> {
  const [row] = await rows<{ total: number }>(db, sql`SELECT ${quotaUsed(tenantId, 'products')} AS total`);
  return row?.total ?? 0;
}

/** The changes after a position: at most `most` of each kind. */
interface ChangesScope {
  readonly after: IndexPosition;
  readonly most?: number;
}

/**
 * Reads the changes after a position, at most `most` of each kind, in one batch from the primary, and what `others`
 * select at the same instant. Reads a few in a second batch where the products are too large together. The clock and
 * the ids rise in commit order, so that no change is missed.
 */
export async function readChanges<Others extends NamedStatements>(
  ctx: TenantDatabase,
  { after, most = MAX_CHANGES_PER_READ }: ChangesScope,
  others: Others,
): Promise<{ readonly changes: Changes; readonly others: NamedResults<Others> }> {
  const { db, tenantId } = ctx;
  const touched = touchedItems(tenantId, after.clock, most);
  const noted = sql`SELECT id, product_id, category_id FROM list_changes
    WHERE tenant_id = ${tenantId} AND id > ${after.change} ORDER BY id LIMIT ${most}`;
  const groups = groupsOf(tenantId, touched, { after, most });
  const changedIds = sql`SELECT product_id FROM (${touched}) UNION SELECT product_id FROM (${noted})
    UNION SELECT product_id FROM (${groups})`;
  const fits = most > MAX_LARGE_CHANGES_PER_READ ? fitOneRead(tenantId, changedIds) : sql`TRUE`;
  const own = {
    mark: markQuery(ctx),
    touched: rows<{ updated_at: number }>(db, sql`SELECT updated_at FROM (${touched})`),
    noted: rows<{ id: number; category_id: number }>(db, sql`SELECT id, category_id FROM (${noted})`),
    groups: rows<GroupRow>(db, groups),
    fitting: rows<{ fits: 0 | 1 }>(db, sql`SELECT ${fits} AS fits`),
    changed: documentRows(ctx, sql`p.id IN (${changedIds}) AND ${fits}`, 3 * most),
    tree: rows<CategoryRow>(
      db,
      sql`SELECT id, parent_id, name, hidden FROM categories
        WHERE id IN (SELECT category_id FROM (${noted})) AND +tenant_id = ${tenantId}`,
    ),
  };
  const read = await namedBatch(db, { ...others, ...own });
  if (!read.fitting[0]?.fits) return readChanges(ctx, { after, most: MAX_LARGE_CHANGES_PER_READ }, others);
  return { changes: changesOf(read, { after, most }), others: read };
}

/** A group or bundle of a member that changed. */
interface GroupRow {
  readonly updated_at: number;
  readonly product_id: number;
}

/**
 * Selects the next groups and bundles of changed members, in the order of the changes: whether they can be sold in a
 * currency depends on these, and they need not have changed themselves.
 */
function groupsOf(tenantId: number, touched: SQL, { after, most }: Required<ChangesScope>): SQL {
  const { at, id } = after.group ?? { at: 0, id: 0 };
  return sql`SELECT m.updated_at, c.parent_id AS product_id FROM (${touched}) m CROSS JOIN stock_components c
    INDEXED BY stock_components_member ON c.tenant_id = ${tenantId} AND c.member_id = m.product_id
    WHERE (m.updated_at, c.parent_id) > (${at}, ${id}) ORDER BY m.updated_at, c.parent_id LIMIT ${most}`;
}

/** What {@link readChanges} reads of its own. */
interface ReadRows {
  readonly mark: readonly MarkRow[];
  readonly touched: readonly { readonly updated_at: number }[];
  readonly noted: readonly { readonly id: number; readonly category_id: number }[];
  readonly groups: readonly GroupRow[];
  readonly changed: readonly DocumentRow[];
  readonly tree: readonly CategoryRow[];
}

function changesOf(read: ReadRows, { after, most }: Required<ChangesScope>): Changes {
  const mark = read.mark[0] ?? { version: 0, low_stock: 0, ...after };
  const lasts = { clock: read.touched.at(-1)?.updated_at ?? 0, change: read.noted.at(-1)?.id ?? 0 };
  const isFull = (list: readonly unknown[]) => list.length === most;
  const cut = isFull(read.groups) ? read.groups.at(-1) : undefined;
  const clock = isFull(read.touched) ? lasts.clock : Math.max(after.clock, mark.clock);
  return {
    version: mark.version,
    lowStock: mark.low_stock,
    position: {
      // A member whose groups are read in part is read again.
      clock: cut ? cut.updated_at - 1 : clock,
      change: isFull(read.noted) ? lasts.change : Math.max(after.change, mark.change),
      ...(cut && { group: { at: cut.updated_at, id: cut.product_id } }),
    },
    products: read.changed,
    categoryIds: read.noted.flatMap(({ category_id: id }) => (id > 0 ? id : [])),
    categories: read.tree.map(toCategory),
    complete: !isFull(read.touched) && !isFull(read.noted) && !cut,
    wentBack: mark.clock < after.clock,
  };
}

/** Selects the ids of the first `limit` products of the items that changed after a position. */
export const changedProductIds = (tenantId: number, { clock }: IndexPosition, limit: number): SQL =>
  sql`SELECT product_id FROM (${touchedItems(tenantId, clock, MAX_CHANGES_PER_READ)}) LIMIT ${limit}`;

/** Selects the first `most` items that changed after `clock`, in the order of their changes. */
function touchedItems(tenantId: number, clock: number, most: number): SQL {
  // The index orders by feed state before the instant, so each state is read on its own.
  const parts = ['live', 'gone', 'hidden'].map(
    (feed) => sql`SELECT * FROM (SELECT product_id, updated_at FROM inventory_items
      WHERE tenant_id = ${tenantId} AND feed = ${feed} AND updated_at > ${clock}
      ORDER BY updated_at LIMIT ${most})`,
  );
  return sql`SELECT product_id, updated_at FROM (${sql.join(parts, sql` UNION ALL `)})
    ORDER BY updated_at LIMIT ${most}`;
}
