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

/** A product to be written: its id, and that of each variant, are known. */
export interface ProductWrite {
  readonly id: number;
  readonly before: StoredProduct | null;
  readonly after: ProductState & { readonly variants: readonly (VariantState & { readonly id: number })[] };
  /** When the product was made (ms). */
  readonly createdAt: number;
  /** Wire names of what changed; `["created"]` for a new one. */
  readonly changed: readonly string[];
  readonly currency: string;
}

/** All statements of one product's write, its events included. */
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

/** Whether there are more products and variants after a write than before it. */
const createsItems = ({ before, after }: ProductWrite): boolean =>
  !before || after.variants.length > before.state.variants.length;

/** Aborts the batch when somebody has changed the product since it was read. */
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

/** What names sort by: folded, and short enough for an index. */
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

/** The product's item, its variants', and those of variants that go. `stock` null: as it is. */
function itemsOf({ id, before, after }: ProductWrite) {
  const shown = after.status === 'active' ? 'live' : 'hidden';
  const derived = derivedOf(after);
  const feed = derived === 'configurable' || derived === 'grouped' ? 'hidden' : shown;
  const gone = { stock: 0, derived: 'none', feed: 'hidden', deleted: 1 };
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
    ...removedVariants(before, after).map(({ id: variantId, sku }) => ({ id: variantId, sku, ...gone })),
  ];
}

/** The SKU, policy and place in the feed of the product and its variants; new ones with their stock. */
function inventoryRows(db: Database, tenantId: number, write: ProductWrite): Statement[] {
  const { id, before, after } = write;
  const items = itemsOf(write);
  const given = JSON.stringify(items);
  const counted = sql`SELECT value ->> 'id' FROM json_each(${given}) WHERE value ->> 'stock' IS NOT NULL`;
  // SKUs may change places among the variants, and what was sold into the minus may be counted anew under
  // `deny`: the unique index and the CHECK would refuse both half-way.
  const room = sql`UPDATE inventory_items SET sku = ' ' || id,
      on_hand = iif(id IN (${counted}), max(on_hand, reserved), on_hand)
    WHERE tenant_id = ${tenantId} AND product_id = ${id}`;
  return [
    ...(before ? [run(db, room)] : []),
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

/** Stock that moves, and what follows from it. What a new product has is told with the product. */
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

/** Slots: those not named go, but for booked ones that are still to come: then the batch is refused. */
function slotRows(db: Database, tenantId: number, id: number, { slots }: ProductState): Statement[] {
  const given = JSON.stringify(slots);
  const mine = sql`tenant_id = ${tenantId} AND product_id = ${id}`;
  const unnamed = sql`id NOT IN (SELECT value ->> 'id' FROM json_each(${given}) WHERE value ->> 'id' IS NOT NULL)`;
  return [
    run(db, sql`DELETE FROM slots WHERE ${mine} AND (reserved = 0 OR starts_at <= ${now()}) AND ${unnamed}`),
    // A slot that stays against the wish is overbooked by this on purpose: the CHECK names the reason.
    run(db, sql`UPDATE slots SET capacity = -1 WHERE ${mine} AND ${unnamed}`),
    // Slots may change times with each other, which the unique index would refuse half-way.
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
