import { sql } from 'drizzle-orm';
import { deriveStock, moveStock, type WriteCause } from '../../inventory/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { fold } from '../../kernel/core/fold.ts';
import { assertInBatch, type Database, run, type Statement } from '../../kernel/data/database.ts';
import { advanceClock, clockTick, withinQuota } from '../../tenants/index.ts';
import { indexTermsStatements, listProductStatements } from '../reads/listing-index.ts';
import { removedVariants, stockMoves } from './diff.ts';
import type { StoredProduct } from './load-product.ts';
import { preconditions } from './preconditions.ts';
import { productEvent } from './product-event.ts';
import { derivedOf, type ProductState, type VariantState } from './product-state.ts';
import { membersOf } from './type-details.ts';

/** A product write. The product and all its variants have ids. */
export interface ProductWrite {
  readonly id: number;
  readonly before: StoredProduct | null;
  readonly after: ProductState & { readonly variants: readonly (VariantState & { readonly id: number })[] };
  /** When the product was created (ms). */
  readonly createdAt: number;
  /** Wire names of changed fields; `["created"]` for a new product. */
  readonly changed: readonly string[];
  readonly currency: string;
}

/** Returns all statements of a product write, its events included. */
export function productStatements(db: Database, cause: WriteCause, write: ProductWrite): Statement[] {
  const { tenantId } = cause;
  const { id, before, after } = write;
  const ids = sql`SELECT ${id}`;
  const variantSkus = after.variants.map(({ sku }) => sku);
  return [
    ...(before ? [unchangedSince(db, tenantId, before)] : []),
    ...preconditions(db, tenantId, before, after),
    advanceClock(db, tenantId, 1 + after.variants.length + removedVariants(before, after).length, true),
    productRow(db, tenantId, write),
    ...variantRows(db, tenantId, write),
    ...inventoryRows(db, tenantId, write),
    ...categoryRows(db, tenantId, id, after.categoryIds),
    ...componentRows(db, tenantId, id, after),
    ...(after.type === 'booking' || before?.state.slots.length ? slotRows(db, tenantId, id, after) : []),
    ...listProductStatements(db, tenantId, ids),
    ...indexTermsStatements(db, tenantId, id, [after.name, after.sku, after.slug, ...variantSkus]),
    ...stockRows(db, cause, write),
    productEvent(db, cause, write),
    ...(createsItems(write) ? [withinQuota(db, tenantId, 'products')] : []),
  ];
}

/** Returns whether a write increases the number of products and variants, which the quota limits. */
const createsItems = ({ before, after }: ProductWrite): boolean =>
  !before || after.variants.length > before.state.variants.length;

/** Rolls the batch back when the product changed after it was read. */
export const unchangedSince = (db: Database, tenantId: number, { id, revision }: StoredProduct): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM products WHERE tenant_id = ${tenantId} AND id = ${id}
      AND revision = ${revision} AND deleted_at IS NULL)`,
  );

function productRow(db: Database, tenantId: number, { id, after, createdAt }: ProductWrite): Statement {
  const instant = clockTick(tenantId, 1, 0);
  const columns = sql`(${id}, ${tenantId}, ${after.sku}, ${after.name}, ${sortName(after.name)}, ${after.slug},
    ${after.type}, ${after.status}, ${JSON.stringify(after.prices)}, ${after.regularPrice}, ${after.description},
    ${JSON.stringify(after.images)}, ${after.seo && JSON.stringify(after.seo)}, ${after.barcode},
    ${JSON.stringify(after.tags)}, ${after.vendor}, ${after.taxClass}, ${JSON.stringify(after.details)},
    ${createdAt}, ${instant})`;
  return run(
    db,
    sql`INSERT INTO products (id, tenant_id, sku, name, sort_name, slug, type, status, prices, regular_price,
        description, images, seo, barcode, tags, vendor, tax_class, details, created_at, updated_at)
      VALUES ${columns} ON CONFLICT (id) DO UPDATE SET sku = excluded.sku, name = excluded.name,
        sort_name = excluded.sort_name, slug = excluded.slug, type = excluded.type, status = excluded.status,
        prices = excluded.prices, regular_price = excluded.regular_price, description = excluded.description,
        images = excluded.images, seo = excluded.seo, barcode = excluded.barcode, tags = excluded.tags,
        vendor = excluded.vendor, tax_class = excluded.tax_class, details = excluded.details,
        updated_at = excluded.updated_at, revision = revision + 1`,
  );
}

/** Returns the sort key of a name: case-folded, at most 80 characters to keep the index small. */
const sortName = (name: string): string => [...fold(name)].slice(0, 80).join('');

function variantRows(db: Database, tenantId: number, { id, before, after }: ProductWrite): Statement[] {
  if (after.variants.length === 0 && !before?.state.variants.length) return [];
  const given = JSON.stringify(after.variants);
  return [
    run(
      db,
      sql`UPDATE variants SET deleted = 1 WHERE tenant_id = ${tenantId} AND product_id = ${id}
        AND id NOT IN (SELECT value ->> 'id' FROM json_each(${given}))`,
    ),
    run(
      db,
      sql`INSERT INTO variants (id, tenant_id, product_id, sku, prices, attributes, barcode, image, position)
        SELECT value ->> 'id', ${tenantId}, ${id}, value ->> 'sku', value -> 'prices', value -> 'attributes',
          value ->> 'barcode', value ->> 'image', key FROM json_each(${given}) WHERE true
        ON CONFLICT (id) DO UPDATE SET sku = excluded.sku, prices = excluded.prices, deleted = 0,
          attributes = excluded.attributes, barcode = excluded.barcode, image = excluded.image,
          position = excluded.position`,
    ),
  ];
}

/**
 * Returns the items of the product, its variants and its removed variants. A null `stock` leaves it
 * unchanged.
 */
function itemsOf({ id, before, after }: ProductWrite) {
  const shown = after.status === 'active' ? 'live' : 'hidden';
  const derived = derivedOf(after);
  const feed = derived === 'configurable' || derived === 'grouped' ? 'hidden' : shown;
  const removed = { stock: 0, derived: 'none', feed: 'hidden', deleted: 1 };
  return [
    { id, sku: after.sku, stock: after.stock, derived, feed, deleted: 0 },
    ...after.variants.map(({ id: variantId, sku, stock }) => ({
      id: variantId,
      sku,
      stock,
      derived: 'none',
      feed: shown,
      deleted: 0,
    })),
    ...removedVariants(before, after).map(({ id: variantId, sku }) => ({ id: variantId, sku, ...removed })),
  ];
}

/** Returns the statements that write SKU, policy and feed state of all items, and the stock of new ones. */
function inventoryRows(db: Database, tenantId: number, write: ProductWrite): Statement[] {
  const { id, before, after } = write;
  const items = itemsOf(write);
  const given = JSON.stringify(items);
  const withNewStock = sql`SELECT value ->> 'id' FROM json_each(${given}) WHERE value ->> 'stock' IS NOT NULL`;
  // Frees SKUs that variants exchange, and lifts negative stock that this write resets under `deny`.
  // Otherwise the unique index or the CHECK would fail on the first of several rows.
  const clearConflicts = sql`UPDATE inventory_items SET sku = ' ' || id,
      on_hand = iif(id IN (${withNewStock}), max(on_hand, reserved), on_hand)
    WHERE tenant_id = ${tenantId} AND product_id = ${id}`;
  return [
    ...(before ? [run(db, clearConflicts)] : []),
    run(
      db,
      sql`INSERT INTO inventory_items
          (id, tenant_id, product_id, sku, on_hand, policy, derived, feed, deleted, updated_at)
        SELECT value ->> 'id', ${tenantId}, ${id}, value ->> 'sku', coalesce(value ->> 'stock', 0),
          ${after.policy}, value ->> 'derived', value ->> 'feed', value ->> 'deleted',
          ${clockTick(tenantId, items.length, 0)} + key
        FROM json_each(${given}) WHERE true
        ON CONFLICT (id) DO UPDATE SET sku = excluded.sku, policy = excluded.policy, derived = excluded.derived,
          deleted = excluded.deleted, updated_at = excluded.updated_at,
          feed = CASE WHEN excluded.feed = 'hidden' AND feed <> 'hidden' THEN 'gone' ELSE excluded.feed END`,
    ),
  ];
}

/**
 * Returns the statements that move stock. A new product's stock is reported in its `product.updated` event.
 */
function stockRows(
  db: Database,
  cause: WriteCause,
  { id, before, after, changed }: ProductWrite,
): Statement[] {
  const follows = derivedOf(after) !== 'none';
  if (!before) return follows ? [deriveStock(db, cause.tenantId, id)] : [];
  const follow = follows || changed.includes('inventory_policy') ? [id] : [];
  return moveStock(db, cause, stockMoves(before, after), follow);
}

const categoryRows = (db: Database, tenantId: number, id: number, ids: readonly number[]): Statement[] => [
  run(db, sql`DELETE FROM product_categories WHERE tenant_id = ${tenantId} AND product_id = ${id}`),
  run(
    db,
    sql`INSERT INTO product_categories (tenant_id, product_id, category_id, position)
      SELECT ${tenantId}, ${id}, value, key FROM json_each(${JSON.stringify(ids)})`,
  ),
];

const componentRows = (db: Database, tenantId: number, id: number, after: ProductState): Statement[] => [
  run(db, sql`DELETE FROM stock_components WHERE tenant_id = ${tenantId} AND parent_id = ${id}`),
  run(
    db,
    sql`INSERT INTO stock_components (tenant_id, parent_id, group_id, member_id, quantity)
      SELECT ${tenantId}, ${id}, value ->> 'groupId', value ->> 'memberId', value ->> 'quantity'
      FROM json_each(${JSON.stringify(membersOf(after))})`,
  ),
];

/** Replaces the slots. Omitting a booked slot that has not begun rolls the batch back. */
function slotRows(db: Database, tenantId: number, id: number, { slots }: ProductState): Statement[] {
  const given = JSON.stringify(slots);
  const mine = sql`tenant_id = ${tenantId} AND product_id = ${id}`;
  const unnamed = sql`id NOT IN (SELECT value ->> 'id' FROM json_each(${given}) WHERE value ->> 'id' IS NOT NULL)`;
  return [
    run(db, sql`DELETE FROM slots WHERE ${mine} AND (reserved = 0 OR starts_at <= ${now()}) AND ${unnamed}`),
    // Violates `slot_never_overbooked` on purpose for omitted slots that remain, to roll the batch back.
    run(db, sql`UPDATE slots SET capacity = -1 WHERE ${mine} AND ${unnamed}`),
    // Slots may exchange times; moving all away first keeps the unique index satisfied.
    run(db, sql`UPDATE slots SET starts_at = -id WHERE ${mine}`),
    run(
      db,
      sql`UPDATE slots SET starts_at = n.value ->> 'startsAt', ends_at = n.value ->> 'endsAt',
          capacity = n.value ->> 'capacity', begun = (n.value ->> 'startsAt') <= ${now()}
        FROM json_each(${given}) n WHERE ${mine} AND slots.id = n.value ->> 'id'`,
    ),
    run(
      db,
      sql`INSERT INTO slots (tenant_id, product_id, starts_at, ends_at, capacity, begun)
        SELECT ${tenantId}, ${id}, value ->> 'startsAt', value ->> 'endsAt', value ->> 'capacity',
          (value ->> 'startsAt') <= ${now()}
        FROM json_each(${given}) WHERE value ->> 'id' IS NULL`,
    ),
  ];
}
