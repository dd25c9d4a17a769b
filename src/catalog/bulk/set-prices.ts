import { sql } from 'drizzle-orm';
import { itemsBySku } from '../../inventory/index.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { jsonList } from '../../kernel/data/database.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { toNumber } from '../../kernel/values/money.ts';
import type { CatalogContext } from '../context.ts';
import { heldLength } from '../held-length.ts';
import { fittingIds, loadProducts } from '../products/load-product.ts';
import { nextSwitch } from '../sales/displayed-prices.ts';
import { wakeSaleSchedule } from '../sales/wake-schedule.ts';
import { hasEffect } from '../writes/product-statements.ts';
import { assignIds, MAX_WRITE_ATTEMPTS, type ProductDraft } from '../writes/save-product.ts';
import { commitWrites } from './commit-writes.ts';
import { haveTheirSkus, type LocatedItem, locateItems, priceDrafts } from './price-patches.ts';
import type { PricesUpdate, PricesUpdated } from './price-schemas.ts';

/** The items with their prices; `version` is the new catalogue version, null when nothing changed. */
interface PricesSet {
  readonly result: PricesUpdated;
  readonly version: number | null;
  /** About how many characters of products were in memory. */
  readonly held: number;
}

/**
 * Sets the prices of all items in one commit, or of none. Retries when another write of one of the products wins;
 * fails with `conflict` under contention.
 */
export async function setPrices(
  ctx: CatalogContext,
  { items }: PricesUpdate,
  once: IdempotencyScope,
): Promise<Result<PricesSet>> {
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
    const skus = items.map(({ sku }) => sku);
    const located = locateItems(items, await itemsBySku(ctx, skus));
    if (!located.ok) return located;
    const ids = [...new Set(located.value.map(({ productId }) => productId))];
    if ((await fittingIds(ctx, ids)) < ids.length)
      return invalid('items', 'are of products that are too large together: send fewer at once');
    const stored = await loadProducts(ctx, sql`p.id IN (${jsonList(ids)})`);
    if (!haveTheirSkus(located.value, stored)) continue;
    const drafts = priceDrafts(located.value, stored, ctx);
    if (!drafts.ok) return drafts;
    const result = resultOf(located.value, drafts.value, ctx.currency);
    const set = await write(ctx, { drafts: drafts.value, result, once });
    if (set) return ok({ ...set, held: heldLength(stored.map(({ state }) => state)) });
  }
  return fail('conflict');
}

/** What {@link write} commits. */
interface PriceWrite {
  readonly drafts: readonly ProductDraft[];
  readonly result: PricesUpdated;
  readonly once: IdempotencyScope;
}

/** Commits the products that change. Returns null when one of them has changed since it was read. */
async function write(
  ctx: CatalogContext,
  { drafts, result, once }: PriceWrite,
): Promise<Omit<PricesSet, 'held'> | null> {
  const writes = (await assignIds(ctx, drafts)).filter(hasEffect);
  if (writes.length === 0) return { result, version: null };
  const version = await commitWrites(ctx, writes, once.mark(JSON.stringify(result)));
  if (version === null) return null;
  const switches = writes.flatMap(({ after }) => nextSwitch(after) ?? []);
  await wakeSaleSchedule(ctx, switches.length > 0 ? Math.min(...switches) : null);
  return { result, version };
}

/** Returns the items with their ordinary prices after the change. */
function resultOf(
  located: readonly LocatedItem[],
  drafts: readonly ProductDraft[],
  currency: string,
): PricesUpdated {
  const prices = new Map(
    drafts.flatMap(({ before, after }) => [
      [before?.id, after.prices] as const,
      ...after.variants.map((variant) => [variant.id, variant.prices] as const),
    ]),
  );
  return {
    data: located.map(({ id, productId, item }) => ({
      sku: item.sku,
      product_id: productId,
      variant_id: id === productId ? null : id,
      price: toNumber(prices.get(id)?.[currency] ?? 0, currency),
    })),
  };
}
