/** How many rows of a table with large columns a move copies at once. */
import { expect, it } from 'vitest';
import { movedTable } from '../../../src/moves/copy/moved-tables.ts';
import { pageOf, type Row } from '../../../src/moves/copy/shard-rows.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { otherShard, runMove, shardNamed, startMove } from '../../support/shards/moving.ts';
import { type World, world } from '../../support/world.ts';

/** A shop with order lines whose options have so many bytes. */
async function shopWithLines(count: number, bytes: number): Promise<World> {
  const shop = await world();
  await storeOf(shop)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO order_lines (tenant_id, order_id, id, product_id, sku, name, options, quantity, unit_price, subtotal,
         discount, tax, links)
       SELECT ?1, 'ord_' || ?1 || '_' || i, 1, 1, 'CUP', 'Cup', json_quote(hex(zeroblob(?3 / 2))), 1, 1, 1, 0, 0, '[]' FROM n`,
    )
    .bind(shop.tenantId, count, bytes)
    .run();
  return shop;
}

it.each([
  ['many small', 100, 200],
  ['few large', 100_000, 20],
])('reads %s order lines a page', async (_, bytes, rows) => {
  const shop = await shopWithLines(250, bytes);
  const table = movedTable('order_lines');
  const { tenantId } = shop;
  const page = pageOf(storeOf(shop), table, { tenantId, key: table.key, after: [], limit: table.limit });
  expect((await page.all<Row>()).results).toHaveLength(rows);
});

/** The largest metadata: 50 values of 500 characters of three bytes each. */
const LARGEST_METADATA = `(WITH RECURSIVE m (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM m WHERE i < 50)
  SELECT json_group_object(i, replace(hex(zeroblob(250)), '0', '日')) FROM m)`;

it.each([
  [
    'categories',
    `INSERT INTO categories (tenant_id, name, slug, description, metadata)
      SELECT ?1, 'Cups', 'cups-' || i, replace(hex(zeroblob(32767)), '0', '日'), ${LARGEST_METADATA} FROM n`,
  ],
  [
    'customers',
    `INSERT INTO customers (tenant_id, email, name, password, metadata, created_at, updated_at)
      SELECT ?1, i || '@example.com', 'Ada', 'p', ${LARGEST_METADATA}, 1, 1 FROM n`,
  ],
  [
    'orders',
    `INSERT INTO orders (tenant_id, id, number, metadata, status, payment_status, test, provider, origin, cart_id,
        cart_version, reservation_id, currency, subtotal, discount, shipping, tax, grand_total, tax_included, expires_at,
        created_at, updated_at)
      SELECT ?1, 'ord_' || ?1 || '_' || i, i, ${LARGEST_METADATA}, 'paid', 'paid', 1, 'sandbox', 'o', 'c', 1, i, 'EUR',
        1, 0, 0, 0, 1, 1, 1, 1, 1 FROM n`,
  ],
])('reads few of the largest %s a page', async (name, sql) => {
  const shop = await world();
  const [db, { tenantId }] = [storeOf(shop), shop];
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 220)';
  await db.prepare(`${many} ${sql}`).bind(tenantId).run();
  const table = movedTable(name);
  const page = pageOf(db, table, { tenantId, key: table.key, after: [], limit: table.limit });
  expect((await page.all<Row>()).results).toHaveLength(20);
});

it('moves all order lines of a shop that has more than a page of them', { timeout: 120_000 }, async () => {
  const shop = await shopWithLines(450, 100);
  const other = await otherShard(shop);
  const moved = await runMove(shop, await startMove(shop));
  expect(moved.state).toBe('switched');
  const copied = await shardNamed(other)
    .prepare('SELECT count(*) AS n FROM order_lines WHERE tenant_id = ?')
    .bind(shop.tenantId)
    .first<number>('n');
  expect(copied).toBe(450);
});

it('switches although the target had as many lines more as a page has', { timeout: 120_000 }, async () => {
  const shop = await shopWithLines(180, 20_000);
  const target = shardNamed(await otherShard(shop));
  const columns = 'id, product_id, sku, name, options, quantity, unit_price, subtotal, discount, tax, links';
  const strays = [
    target
      .prepare(
        `INSERT INTO order_lines (tenant_id, order_id, ${columns})
          SELECT tenant_id, order_id || 'x', ${columns} FROM order_lines WHERE tenant_id = ?`,
      )
      .bind(shop.tenantId),
  ];
  const between = async (state: string) => {
    if (state === 'comparing' && strays.length > 0) await target.batch(strays.splice(0));
  };
  const moved = await runMove(shop, await startMove(shop), { between });
  expect(moved).toMatchObject({ state: 'switched', progress: { repaired_rows: 180, held: 1 } });
});
