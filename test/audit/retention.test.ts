import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { runCron } from '../support/cron.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { admin, type World, world } from '../support/world.ts';

/** Writes entries of a tenant as they would be after months, at the shard of a tenant: by default of its own. */
const manyEntries = ({ tenantId }: World, actor: string, count: number, at = { tenantId }) =>
  storeOf(at)
    .prepare(
      `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?)
     INSERT INTO audit_log (tenant_id, at, actor_kind, actor_name, action, subject_kind, changes, request_id)
     SELECT ?, 1795000000000, ?, 'Somebody', 'updateThemeOptions', 'theme', '[]', 'r' || value FROM n`,
    )
    .bind(count, tenantId, actor)
    .run();

const countOf = async ({ tenantId }: World, actor: string) =>
  (
    await storeOf({ tenantId })
      .prepare('SELECT count(*) AS n FROM audit_log WHERE tenant_id = ? AND actor_kind = ?')
      .bind(tenantId, actor)
      .first<{ n: number }>()
  )?.n ?? 0;

it.each([
  ['platform', 10_000, (shop: World) => admin('PATCH', `/tenants/${shop.slug}`, { name: 'New name' })],
  ['application', 2_000, (shop: World) => shop.patch('/theme/options', { font_family: 'Georgia' })],
] as const)('keeps what %s did: %i entries, each for 365 days', async (actor, most, write) => {
  const shop = await world();
  const other = actor === 'platform' ? 'application' : 'platform';
  await manyEntries(shop, other, 5);
  const before = await countOf(shop, other);
  const highest = await storeOf(shop).prepare('SELECT max(id) AS id FROM audit_log').first<number>('id');
  const next = (highest ?? 0) + most + 50;
  // Every 64th position is used, and every 64th entry trims the log: the one after these.
  await manyEntries(shop, actor, most + 50 + (64 * 64 - 1 - (next % (64 * 64))));
  expect((await write(shop)).status).toBe(200);
  expect(await countOf(shop, actor)).toBeLessThanOrEqual(most);
  expect(await countOf(shop, other)).toBe(before);
  expect((await shop.get('/audit')).body.data[0]).toMatchObject({ actor: { kind: actor } });
  moveClock(366 * 24 * 3_600_000);
  await runCron();
  expect(await countOf(shop, actor)).toBe(0);
});

it('keeps as many also when other tenants always write between the entries of one', async () => {
  const [shop, other] = [await world(), await world()];
  await manyEntries(shop, 'application', 2_100);
  for (let n = 0; n < 2; n++) {
    // Others write the entry at which a log was trimmed.
    await manyEntries(other, 'platform', 64 * 64, shop);
    expect((await shop.patch('/theme/options', { font_family: `Font ${n}` })).status).toBe(200);
  }
  expect(await countOf(shop, 'application')).toBeLessThanOrEqual(2_064);
});

it('counts the entries for the first page alone', async () => {
  const shop = await world();
  await manyEntries(shop, 'panel', 300);
  const { total, next_cursor: cursor } = (await shop.get('/audit?limit=5')).body.meta;
  const { read } = await measureDatabase(async () => {
    expect((await shop.get(`/audit?limit=5&cursor=${cursor}`)).body.meta).toMatchObject({
      page: 2,
      total,
    });
  });
  expect(read).toBeLessThan(30);
});
