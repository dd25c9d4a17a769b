/** A tenant whose place nobody knows: a restore set the directory back, or a release was rolled back to fewer shards. */

import { createExecutionContext, createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { DAY, moveClock, now } from '../../src/kernel/core/clock.ts';
import { forgetShard } from '../../src/kernel/shards/shard-map.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { runCron } from '../support/cron.ts';
import { asDeveloper } from '../support/fixtures/browser.ts';
import { shardNamed } from '../support/shards/moving.ts';
import { shopOn } from '../support/shards/rows.ts';
import { admin, type World, world } from '../support/world.ts';

afterEach(() => void vi.restoreAllMocks());

/** The statements that tell the directory of the tenants on `SHARD_02`, as in docs/runbooks.md. */
const STATEMENTS = `SELECT 'INSERT OR IGNORE INTO placements (tenant_id, slug, shard, state, created_at) VALUES ('
    || id || ', ''' || slug || ''', ''SHARD_02'', ''placed'', ' || created_at || ');' AS s
  FROM tenants WHERE id NOT IN (SELECT tenant_id FROM tenant_fences WHERE state IN ('arriving', 'moved'))`;

/** Removes the directory's record of a tenant, whose rows stay on `SHARD_02`. */
async function lose({ tenantId }: World): Promise<void> {
  await env.DB.prepare('DELETE FROM placements WHERE tenant_id = ?').bind(tenantId).run();
  moveClock(3_000);
}

/** Records the tenants of `SHARD_02` in the directory again. */
async function record(): Promise<void> {
  const { results } = await shardNamed('SHARD_02').prepare(STATEMENTS).all<{ s: string }>();
  await env.DB.batch(results.map(({ s }) => env.DB.prepare(s)));
}

it('is unavailable, and not broken, until its place is recorded again', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const shop = await shopOn('SHARD_02', world);
  const feed = new URL((await shop.post('/feeds', { format: 'csv' })).body.url).pathname;
  const browser = await asDeveloper(shop.slug);
  const pages = ['/developer', '/developer/audit-log', '/developer/orders', feed];
  const statuses = async () => {
    const all: number[] = [];
    for (const page of pages) {
      forgetShard(shop.tenantId);
      all.push((await browser.get(page)).status);
    }
    return all;
  };
  await lose(shop);
  expect(await statuses()).toEqual([503, 503, 503, 503]);
  expectProblem(await admin('GET', `/tenants/${shop.slug}`), 404, 'tenant_not_found');
  await record();
  expect(await statuses()).toEqual([200, 200, 200, 200]);
});

it('is named as unavailable in the list of all when its shard is not bound', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const shop = await shopOn('SHARD_02', world);
  const move = (shard: string) =>
    env.DB.prepare('UPDATE placements SET shard = ? WHERE tenant_id = ?').bind(shard, shop.tenantId).run();
  await move('SHARD_09');
  moveClock(3_000);
  const listed = await admin('GET', `/tenants?q=${shop.slug}`);
  expect([listed.status, listed.body.unavailable]).toEqual([200, [{ slug: shop.slug, shard: 'SHARD_09' }]]);
  expectProblem(await admin('GET', `/tenants/${shop.slug}`), 503, 'unavailable');
  await move('SHARD_02');
  moveClock(3_000);
  expect((await admin('GET', `/tenants/${shop.slug}`)).status).toBe(200);
});

it('does not keep the imports of other tenants on its shard from being deleted', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const lost = await shopOn('SHARD_02', world);
  const shop = await shopOn('SHARD_02', world);
  for (const { tenantId } of [lost, shop])
    await shardNamed('SHARD_02')
      .prepare(
        `INSERT INTO imports (id, tenant_id, status, sets_stock, created_at, updated_at) VALUES (?, ?, 'done', 0, ?, ?)`,
      )
      .bind(`imp_${tenantId}`, tenantId, now() - 31 * DAY, now() - 31 * DAY)
      .run();
  await lose(lost);
  await runCron();
  await record();
  const left = shardNamed('SHARD_02').prepare('SELECT count(*) AS n FROM imports WHERE tenant_id = ?');
  expect(await left.bind(shop.tenantId).first('n')).toBe(0);
});

it('gets no rebuild for a dead letter of its search, which would be another one', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const [lost, shop] = [await shopOn('SHARD_02', world), await shopOn('SHARD_02', world)];
  await lose(lost);
  const sent: unknown[] = [];
  const send = async (body: unknown) => void sent.push(body);
  const bindings = { ...env, SEARCH_QUEUE: { send } } as unknown as Env; // all that is called
  const letters = [lost, shop].map(({ tenantId }) => ({
    id: `letter-${tenantId}`,
    timestamp: new Date(),
    attempts: 1,
    body: { tenantId, catchUp: true },
  }));
  await worker.queue(createMessageBatch('dead-letters', letters), bindings, createExecutionContext());
  await record();
  expect(sent).toEqual([{ tenantId: shop.tenantId, rebuild: 'start' }]);
});
