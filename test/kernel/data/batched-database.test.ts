import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { batchedReads } from '../../../src/kernel/data/batched-database.ts';
import { batch, directory, rows, run } from '../../../src/kernel/data/database.ts';
import { placements } from '../../../src/kernel/shards/tables.ts';
import { recordedBindings } from '../../support/faults/bindings.ts';
import { world } from '../../support/world.ts';

const numbers = (from: number) =>
  sql`SELECT value AS n, 'x' AS word FROM json_each(${JSON.stringify([from, from + 1])})`;

it('sends concurrent queries as one batch, and returns to each its own rows', async () => {
  const shop = await world();
  const { env: counting, databaseTrips } = recordedBindings();
  const once = batchedReads(counting);
  const read = async (from: number) => {
    await Promise.resolve();
    return rows(directory(once), numbers(from));
  };
  const [first, [second, third], tenant] = await Promise.all([
    read(1),
    batch(directory(once), [rows(directory(once), numbers(3)), run(directory(once), sql`SELECT 5 AS n`)]),
    directory(once)
      .select({ slug: placements.slug, id: placements.tenantId })
      .from(placements)
      .where(sql`tenant_id = ${shop.tenantId}`),
  ]);
  expect(first).toEqual([1, 2].map((n) => ({ n, word: 'x' })));
  expect(second).toEqual([3, 4].map((n) => ({ n, word: 'x' })));
  expect(third).toBeDefined();
  expect(tenant).toEqual([{ slug: shop.slug, id: shop.tenantId }]);
  expect(databaseTrips()).toBe(1);
  // What is asked after an answer goes out by itself.
  expect(await read(7)).toHaveLength(2);
  expect(databaseTrips()).toBe(2);
});

it('fails all queries of a batch, and none of the next', async () => {
  const once = batchedReads(env);
  const ask = (query: Parameters<typeof rows>[1]) =>
    rows(directory(once), query).then(
      () => 'answered',
      () => 'failed',
    );
  expect(await Promise.all([ask(numbers(1)), ask(sql`SELECT * FROM nowhere`)])).toEqual(['failed', 'failed']);
  expect(await ask(numbers(1))).toBe('answered');
});
