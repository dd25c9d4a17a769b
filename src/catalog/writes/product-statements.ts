import { sql } from 'drizzle-orm';
import {
  componentStatements,
  deriveStock,
  type ItemFields,
  itemStatements,
  moveStock,
  slotStatements,
  type WriteCause,
} from '../../inventory/index.ts';
import { assertInBatch, jsonList, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { wholeWords, words } from '../../kernel/text/fold.ts';
import { mediaUseStatements } from '../../media/index.ts';
import { advanceClock, withinQuota } from '../../tenants/index.ts';
import { facetStatements } from '../indexing/facet-index.ts';
import {
  indexTermsStatements,
  listNewProductStatements,
  listProductStatements,
} from '../indexing/listing-index.ts';
import { reindexGroupsOf } from '../indexing/search-changes.ts';
import { furtherTerms } from '../indexing/search-words.ts';
import type { StoredProduct } from '../products/load-product.ts';
import { membersOf } from '../products/members.ts';
import { derivedOf } from '../products/product-state.ts';
import { priceColumns } from '../sales/price-columns.ts';
import { priceHistoryStatements } from '../sales/price-history.ts';
import { removedVariants, stockMoves } from './diff.ts';
import { preconditions } from './preconditions.ts';
import { productEvents } from './product-event.ts';
import {
  categoryRows,
  forgetVariants,
  type PricedWrite,
  type ProductWrite,
  productRows,
  variantRows,
} from './product-rows.ts';

/** Returns whether a write changes anything: a field or stock. */
export const hasEffect = ({ before, after, changed }: ProductWrite): boolean =>
  changed.length > 0 || (before !== null && stockMoves(before, after).length > 0);

/**
 * Returns the statements of several product writes, their events included: about as many for twenty new products
 * as for one. None for writes without effect, few where only stock changes. They must be the only ones of their
 * cause. The catalogue version must advance too if a field changes.
 */
export function writeStatements(
  ctx: TenantDatabase,
  cause: WriteCause,
  given: readonly ProductWrite[],
): Statement[] {
  const writes = given.filter(hasEffect);
  const changed = writes
    .filter((write) => write.changed.length > 0)
    .map((write) => ({ ...write, prices: priceColumns(write) }));
  const stockOnly = writes.flatMap(({ before, changed: fields }) =>
    before && fields.length === 0 ? before : [],
  );
  return [
    ...writes.flatMap(({ before }) => (before ? unchangedSince(ctx, before) : [])),
    ...preconditions(ctx, changed),
    ...(changed.length > 0 ? productStatements(ctx, changed) : []),
    ...(stockOnly.length > 0 ? [raiseRevisions(ctx, stockOnly)] : []),
    ...stockStatements(ctx, cause, writes),
    ...productEvents(ctx, cause, changed),
    ...(writes.some(createsItems) ? [withinQuota(ctx, 'products')] : []),
  ];
}

/** Returns the statements that write products with all that is derived from their fields. */
function productStatements(ctx: TenantDatabase, writes: readonly PricedWrite[]): Statement[] {
  const products = writes.map((write) => ({
    ...write,
    productId: write.id,
    isNew: write.before === null,
    items: itemsOf(write),
    policy: write.after.policy,
    components: membersOf(write.after),
    urls: imageUrlsOf(write.after),
    terms: termsOf(write.after),
  }));
  const ticks = products.reduce((sum, { items }) => sum + items.length, 0);
  // A product's instant is its last item's, which `itemStatements` gives in the same order.
  let ticksAgo = ticks;
  return [
    advanceClock(ctx, ticks),
    ...productRows(
      ctx,
      products.map((write) => {
        ticksAgo -= write.items.length;
        return { ...write, ticksAgo };
      }),
    ),
    ...variantRows(ctx, writes),
    ...priceHistoryStatements(
      ctx,
      writes.flatMap(({ prices }) => prices),
    ),
    ...itemStatements(ctx, products),
    ...categoryRows(ctx, writes),
    ...mediaUseStatements(ctx, products),
    ...componentStatements(ctx, products),
    ...writes.flatMap((write) => slotsOf(ctx, write)),
    ...listings(ctx, writes),
    ...facetStatements(ctx, writes),
    ...indexTermsStatements(ctx, products),
    ...groupStatements(ctx, writes),
    ...forgetVariants(ctx, writes),
  ];
}

/** Returns whether a write changes how groups and bundles sell a product: at all, or by its policy. */
const changesMembers = ({ before, changed }: ProductWrite): boolean =>
  before !== null && (changed.includes('inventory_policy') || changed.includes('status'));

/**
 * Returns the statement that reindexes the groups and bundles whose members are now sold differently; none if there
 * are none.
 */
function groupStatements(ctx: TenantDatabase, writes: readonly ProductWrite[]): Statement[] {
  const members = writes.filter(changesMembers).map(({ id }) => id);
  return members.length > 0 ? [reindexGroupsOf(ctx, members)] : [];
}

function listings(ctx: TenantDatabase, writes: readonly ProductWrite[]): Statement[] {
  const ids = jsonList(writes.map(({ id }) => id));
  return writes.some(({ before }) => before)
    ? listProductStatements(ctx, ids)
    : listNewProductStatements(ctx, ids);
}

const slotsOf = (ctx: TenantDatabase, { id: productId, before, after }: ProductWrite): Statement[] =>
  after.type === 'booking' || before?.state.slots.length
    ? slotStatements(ctx, { productId, slots: after.slots })
    : [];

/** Returns the statements that move stock. A new product's stock is reported in its `product.updated` event. */
function stockStatements(
  ctx: TenantDatabase,
  cause: WriteCause,
  writes: readonly ProductWrite[],
): Statement[] {
  const derived = writes.filter(({ after, changed }) => changed.length > 0 && derivedOf(after) !== 'none');
  const created = derived.flatMap(({ id, before }) => (before ? [] : id));
  const follow = writes.flatMap((write) =>
    changesMembers(write) || (write.before && derived.includes(write)) ? write.id : [],
  );
  const moves = writes.flatMap(({ before, after }) => (before ? stockMoves(before, after) : []));
  return [
    ...(created.length > 0 ? [deriveStock(ctx, created)] : []),
    ...moveStock(ctx, cause, { moves, follow }),
  ];
}

/** Raises revisions: unlike a sale, an edit of stock does, so that `If-Match` detects concurrent editors. */
const raiseRevisions = ({ db, tenantId }: TenantDatabase, products: readonly StoredProduct[]): Statement =>
  run(
    db,
    sql`UPDATE products SET revision = revision + 1
      WHERE tenant_id = ${tenantId} AND id IN (${jsonList(products.map(({ id }) => id))})`,
  );

/** Returns the terms by which a product is found in lists, as the list index has them. */
const termsOf = ({ name, sku, slug, variants }: ProductWrite['after']): string[] => [
  ...[name, sku, slug, ...variants.map((variant) => variant.sku)].flatMap(words),
  ...furtherTerms(wholeWords(name)),
];

/** Returns whether a write increases the number of products and variants, which the quota limits. */
const createsItems = (write: ProductWrite): boolean => itemsAdded(write) > 0;

interface WithVariants {
  readonly after: { readonly variants: readonly unknown[] };
}

/** Returns how many products and variants a write adds; negative if it removes variants. */
export const itemsAdded = ({ before, after }: Pick<ProductWrite, 'before'> & WithVariants): number =>
  before ? after.variants.length - before.state.variants.length : 1 + after.variants.length;

/**
 * Returns whether a write would leave an item whose policy is `deny` with more units sold or reserved than are on
 * hand, which the database refuses: backorders that the write doesn't lift with a new stock.
 */
export function leavesOversold({ before, after }: ProductWrite): boolean {
  if (!before || after.policy !== 'deny') return false;
  const backordered = new Set(
    before.state.variants.flatMap(({ id, stock }) => (isNegative(stock) ? id : [])),
  );
  const own = derivedOf(after) === 'none' && after.stock === null && isNegative(before.state.stock);
  return own || after.variants.some(({ id, stock }) => stock === null && backordered.has(id));
}

const isNegative = (stock: number | null): boolean => stock !== null && stock < 0;

/** Rolls the batch back when the product changed after it was read. */
export const unchangedSince = (
  { db, tenantId }: TenantDatabase,
  { id, revision }: StoredProduct,
): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM products WHERE tenant_id = ${tenantId} AND id = ${id}
      AND revision = ${revision} AND deleted_at IS NULL)`,
  );

/** Returns the URLs of all images that a product shows. */
const imageUrlsOf = ({ images, variants, seo }: ProductWrite['after']): string[] => [
  ...images,
  ...variants.flatMap(({ image }) => image ?? []),
  ...(seo?.og_image ? [seo.og_image] : []),
];

/**
 * Returns the items of the product's removed variants, the product and its variants. A null `stock` leaves it
 * unchanged.
 */
function itemsOf({ id, before, after }: ProductWrite): ItemFields[] {
  const shown = after.status === 'active' ? 'live' : 'hidden';
  const derived = derivedOf(after);
  const feed = derived === 'configurable' || derived === 'grouped' ? 'hidden' : shown;
  const product: ItemFields = { id, sku: after.sku, stock: after.stock, derived, feed, deleted: 0 };
  const variants = after.variants.map(
    ({ id: variantId, sku, stock }): ItemFields => ({
      id: variantId,
      sku,
      stock,
      derived: 'none',
      feed: shown,
      deleted: 0,
    }),
  );
  // A stored variant has an id.
  const removed = removedVariants(before, after).map(
    ({ id: variantId, sku }): ItemFields => ({
      id: variantId ?? 0,
      sku,
      stock: 0,
      derived: 'none',
      feed: 'hidden',
      deleted: 1,
    }),
  );
  // In the feed, which has them in this order, the last one with an SKU counts.
  return [...removed, product, ...variants];
}
