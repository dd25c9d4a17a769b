import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { log } from '../../../src/kernel/core/log.ts';
import { batch, run } from '../../../src/kernel/data/database.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { watchLog } from '../../support/runtime/log-scan.ts';
import { beginTest } from '../../support/runtime/own-tenants.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';

/** What watches the whole runtime leaves out what earlier tests left to queues and alarms. */

const write = (shop: World) => {
  const db = databaseOf(shop);
  return batch(db, [run(db, sql`UPDATE tenants SET name = name WHERE id = ${shop.tenantId}`)]);
};

const statements = async (shop: World): Promise<number> =>
  (await measureDatabase(() => write(shop))).statements;

it('tells the work of a test from that of the tests before it', async () => {
  const left = await world();
  beginTest();
  const own = await world();
  expect([await statements(left), await statements(own)]).toEqual([0, 1]);
  let changed = 0;
  beforeBatch(/UPDATE tenants/, async () => {
    changed += 1;
  });
  await write(left);
  expect(changed).toBe(0);
  await write(own);
  expect(changed).toBe(1);
  const lines = watchLog('warn');
  for (const { tenantId } of [left, own]) log('relay_failed', { tenant: tenantId, events: 1 });
  expect(lines()).toEqual([{ event: 'relay_failed', tenant: own.tenantId, events: 1 }]);
});

it('counts a tenant of an earlier test as its own once it calls it', async () => {
  const shop = await world();
  beginTest();
  await shop.get('/products');
  expect(await statements(shop)).toBe(1);
});
