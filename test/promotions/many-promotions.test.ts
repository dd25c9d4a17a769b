/** What a shop that has made and deleted many promotions reads to list those that it has. */
import { expect, it } from 'vitest';
import { promoteByCode } from '../support/fixtures/selling/promotions.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { type World, world } from '../support/world.ts';

/** Adds deleted copies of a promotion, with lower ids than those of others. */
const addDeleted = ({ tenantId }: World, id: number, count: number) =>
  storeOf({ tenantId })
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
       INSERT INTO promotions (id, tenant_id, name, code, code_key, kind, value, created_at, updated_at, deleted_at)
       SELECT -(?1 * 1000 + i), tenant_id, name, code, code_key || i, kind, value, created_at, updated_at, ?4
       FROM promotions, n WHERE tenant_id = ?1 AND id = ?2`,
    )
    .bind(tenantId, id, count, Date.now())
    .run();

it.each(['/promotions', '/coupons', '/promotions?q=now', '/promotions?standing=running'])(
  'lists %s without reading deleted ones',
  async (path) => {
    const shop = await world();
    const { id } = (await promoteByCode(shop, 'NOW')).body;
    await addDeleted(shop, id, 300);
    const { read } = await measureDatabase(async () => {
      expect((await shop.get(path)).body).toMatchObject({ data: [{ id }], meta: { total: 1 } });
    });
    expect(read).toBeLessThan(30);
  },
);

it.each(['/promotions', '/coupons'])('counts %s for the first page alone', async (path) => {
  const shop = await world();
  const { id } = (await promoteByCode(shop, 'NOW')).body;
  await addDeleted(shop, id, 300);
  await storeOf(shop)
    .prepare('UPDATE promotions SET deleted_at = NULL WHERE tenant_id = ?')
    .bind(shop.tenantId)
    .run();
  const { next_cursor: cursor } = (await shop.get(`${path}?limit=5`)).body.meta;
  const { read } = await measureDatabase(async () => {
    expect((await shop.get(`${path}?limit=5&cursor=${cursor}`)).body.meta).toMatchObject({
      page: 2,
      total: 301,
    });
  });
  expect(read).toBeLessThan(30);
});
