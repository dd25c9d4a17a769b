import { type SQL, sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { dueRankings, nextToRank, noteRanked } from '../../inventory/index.ts';
import type { Chore } from '../../kernel/data/chore.ts';
import { jsonList, rows, run, type Statement } from '../../kernel/data/database.ts';
import { type TenantContext, type TenantDatabase, tenantContext } from '../../kernel/data/tenant-context.ts';

/** Largest number of products that one batch ranks, and of batches of one step. */
const MAX_PRODUCTS_PER_BATCH = 50;
const MAX_BATCHES_PER_STEP = 10;
/** Largest number of tenants whose ranking one run of the chore starts. */
const MAX_TENANTS_PER_RUN = 100;

/**
 * Chore that ranks products by the quantity sold in the last 30 days: of each tenant with sales once an hour, and
 * within a minute after the first sale. Moves the catalogue version only if a product's quantity has changed.
 */
export const rankBestSellers: Chore = async (runtime, { tenantId }) => {
  if (tenantId === undefined) return { each: await dueRankings(runtime.db, MAX_TENANTS_PER_RUN) };
  const ctx = tenantContext(runtime, tenantId);
  for (let n = 0; n < MAX_BATCHES_PER_STEP; n++) {
    if (!(await rankNext(ctx))) return {};
  }
  return { more: { tenantId } };
};

/** Ranks the next products. Returns whether there may be more. */
async function rankNext(ctx: TenantContext): Promise<boolean> {
  const sales = await nextToRank(ctx, MAX_PRODUCTS_PER_BATCH);
  const changed = await changedOf(ctx, new Map(sales.map(({ id, sold }) => [id, sold])));
  await commit(ctx, {
    statements: [
      ...noteRanked(
        ctx,
        sales.map(({ id }) => id),
      ),
      ...(changed.length > 0 ? rankStatements(ctx, changed) : []),
    ],
    catalogChanged: changed.length > 0,
  });
  return sales.length > 0;
}

/** A product's id and the quantity that it is ranked by. */
type Rank = readonly [id: number, sold: number];

/** Returns the products that are ranked by another quantity so far. */
async function changedOf(
  { db, tenantId }: TenantDatabase,
  sales: ReadonlyMap<number, number>,
): Promise<Rank[]> {
  if (sales.size === 0) return [];
  const stored = await rows<{ id: number; sold: number }>(
    db,
    sql`SELECT id, sold_recently AS sold FROM products WHERE tenant_id = ${tenantId} AND id IN (${jsonList([...sales.keys()])})`,
  );
  return stored.flatMap(({ id, sold }) => {
    const wanted = sales.get(id) ?? 0;
    return wanted === sold ? [] : [[id, wanted] as const];
  });
}

/** Returns the statements that rank products by new quantities, in all lists that have them. */
function rankStatements({ db, tenantId }: TenantDatabase, ranks: readonly Rank[]): Statement[] {
  const given = JSON.stringify(ranks);
  const soldOf = (id: SQL) => sql`(SELECT value ->> 1 FROM json_each(${given}) WHERE value ->> 0 = ${id})`;
  const ids = jsonList(ranks.map(([id]) => id));
  return [
    run(
      db,
      sql`UPDATE products SET sold_recently = ${soldOf(sql`products.id`)} WHERE tenant_id = ${tenantId} AND id IN (${ids})`,
    ),
    run(
      db,
      sql`UPDATE product_listings SET sold = (SELECT p.sold_recently FROM products p WHERE p.id = product_listings.product_id)
        WHERE tenant_id = ${tenantId} AND product_id IN (${ids})`,
    ),
  ];
}
