/** A tenant's audit log is whole wherever the tenant lives, also where the directory is a shard itself. */
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { listAudit } from '../../src/audit/index.ts';
import { forwardEntries } from '../../src/audit/recording/forward.ts';
import type { MaintenanceMessage } from '../../src/maintenance/index.ts';
import { runCron } from '../support/cron.ts';
import { interceptBindings } from '../support/faults/bindings.ts';
import { asAdmin } from '../support/fixtures/browser.ts';
import { shardNamed } from '../support/shards/moving.ts';
import { rowsByDatabase, shopOn } from '../support/shards/rows.ts';
import { type World, world } from '../support/world.ts';

/** Bindings of a deployment that was given a second shard: the first one's rows are in the directory. */
const grown: Env = Object.fromEntries(
  Object.entries(env).filter(([name]) => name !== 'SHARD_01'),
) as unknown as Env;

/** Writes an entry where a change to a tenant's people writes it. */
const enter = ({ tenantId }: World, action: string) =>
  env.DB.prepare(
    `INSERT INTO audit_log (tenant_id, at, actor_kind, actor_name, action, subject_kind, changes, request_id)
     VALUES (?, 1795000000000, 'panel', 'Ada', ?, 'person', '[]', ?)`,
  )
    .bind(tenantId, action, crypto.randomUUID())
    .run();

/** Delivers the cron's messages that forward entries. */
const onlyAudit = (message: MaintenanceMessage) => (message.chore === 'auditEntries' ? [message] : []);

const actionsOn = async (shop: World, shard: 'SHARD_01' | 'SHARD_02' | 'DB'): Promise<string[]> => {
  const bound = shardNamed(shard);
  const query = bound.prepare("SELECT action FROM audit_log WHERE tenant_id = ? AND actor_kind = 'panel'");
  const { results } = await query.bind(shop.tenantId).all<{ action: string }>();
  return results.map(({ action }) => action);
};

it.each([
  ['a shard apart', env],
  ['the first shard', grown],
] as const)('is forwarded to the tenant when the directory is %s', async (_, bindings) => {
  const shop = await shopOn('SHARD_02', world);
  await enter(shop, 'invite');
  await forwardEntries(bindings, shop.tenantId);
  expect([await actionsOn(shop, 'SHARD_02'), await actionsOn(shop, 'DB')]).toEqual([['invite'], []]);
  await enter(shop, 'remove');
  await runCron({ bindings, deliver: onlyAudit });
  expect([await actionsOn(shop, 'SHARD_02'), await actionsOn(shop, 'DB')]).toEqual([
    ['invite', 'remove'],
    [],
  ]);
});

it('is empty for a slug that no tenant has', async () => {
  const { status, html } = await (await asAdmin()).get('/admin/audit-log?tenant=nobody');
  expect(status).toBe(200);
  expect(html).toContain('No changes of the last 365 days match these filters.');
});

it('is listed page by page over all databases, each entry once and the newest first', async () => {
  const action = `try-${crypto.randomUUID()}`;
  for (const [at, shard] of [
    [1, 'DB'],
    [2, 'SHARD_02'],
    [3, 'DB'],
  ] as const) {
    await shardNamed(shard)
      .prepare(
        `INSERT INTO audit_log (tenant_id, at, actor_kind, actor_name, action, subject_kind, changes, request_id)
         VALUES (0, ?, 'platform', 'Ada', ?, 'design', '[]', '')`,
      )
      .bind(1795000000000 + at, action)
      .run();
  }
  const listed: number[] = [];
  for (let before: string | null = ''; before !== null && listed.length < 9; ) {
    const { entries, older } = await listAudit(env, { action }, { limit: 1, before });
    listed.push(...entries.map(({ at }) => at - 1795000000000));
    before = older;
  }
  expect(listed).toEqual([3, 2, 1]);
});

it('is looked for without reading the placements of all tenants', async () => {
  const shop = await shopOn('SHARD_02', world);
  const prepare = vi.spyOn(Object.getPrototypeOf(env.DB), 'prepare');
  await forwardEntries(grown, shop.tenantId);
  const sent = prepare.mock.calls.map(([sql]) => String(sql)).find((sql) => sql.includes('placements'));
  prepare.mockRestore();
  const values = Array.from(sent?.matchAll(/\?/g) ?? [], () => null);
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sent}`)
    .bind(...values)
    .all<{ detail: string }>();
  const steps = results.map(({ detail }) => detail).filter((step) => step.includes('placements'));
  expect(steps).toEqual(['SEARCH placements USING INTEGER PRIMARY KEY (rowid=?)']);
});

it('stays with a tenant of the directory, and with the copy of one that moves there', async () => {
  const shop = await shopOn('SHARD_02', world);
  await enter(shop, 'copied');
  await env.DB.prepare("INSERT INTO tenant_fences (tenant_id, state, epoch) VALUES (?, 'arriving', 1)")
    .bind(shop.tenantId)
    .run();
  await forwardEntries(grown, shop.tenantId);
  expect(await actionsOn(shop, 'DB')).toEqual(['copied']);
  await env.DB.prepare('DELETE FROM tenant_fences WHERE tenant_id = ?').bind(shop.tenantId).run();
  await env.DB.prepare("UPDATE placements SET shard = 'SHARD_01' WHERE tenant_id = ?")
    .bind(shop.tenantId)
    .run();
  await runCron({ bindings: grown, deliver: onlyAudit });
  expect(await rowsByDatabase(shop, 'audit_log')).toMatchObject({ DB: 1 });
  await env.DB.prepare("UPDATE placements SET shard = 'SHARD_02' WHERE tenant_id = ?")
    .bind(shop.tenantId)
    .run();
  await env.DB.prepare('DELETE FROM audit_log WHERE tenant_id = ?').bind(shop.tenantId).run();
});

it('is forwarded to the other tenants while one shard cannot be reached, however many entries wait for it', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const waiting = await shopOn('SHARD_02', world);
  for (let n = 0; n < 60; n++) await enter(waiting, 'invite');
  const shop = await shopOn('SHARD_01', world);
  await enter(shop, 'invite');
  const bindings = interceptBindings(['SHARD_02'], (name, call) =>
    isDown && name.endsWith('.batch')
      ? Promise.reject(new Error('D1_ERROR: Network connection lost.'))
      : call(),
  );
  let isDown = true;
  await runCron({ bindings, deliver: onlyAudit });
  expect([await actionsOn(shop, 'SHARD_01'), await actionsOn(shop, 'DB')]).toEqual([['invite'], []]);
  expect(await actionsOn(waiting, 'DB')).toHaveLength(60);
  isDown = false;
  await runCron({ bindings, deliver: onlyAudit });
  expect(await actionsOn(waiting, 'SHARD_02')).toHaveLength(60);
  expect(await actionsOn(waiting, 'DB')).toEqual([]);
  vi.restoreAllMocks();
});

it('keeps the newest 10,000 entries of people also where they are forwarded', async () => {
  const shop = await shopOn('SHARD_02', world);
  await shardNamed('SHARD_02')
    .prepare(
      `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 10100)
       INSERT INTO audit_log (tenant_id, at, actor_kind, actor_name, action, subject_kind, changes, request_id)
       SELECT ?, 1795000000000, 'panel', 'Ada', 'rename', 'person', '[]', 'r' || value FROM n`,
    )
    .bind(shop.tenantId)
    .run();
  for (let n = 0; n < 65; n++) await enter(shop, 'invite');
  while (await forwardEntries(env, shop.tenantId));
  const actions = await actionsOn(shop, 'SHARD_02');
  expect(actions.filter((action) => action === 'invite')).toHaveLength(65);
  expect(actions.length).toBeLessThanOrEqual(10_064);
});
