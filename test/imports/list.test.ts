import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { createImport } from '../../src/imports/store.ts';
import { receiveUpload } from '../../src/imports/upload.ts';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { ok } from '../../src/kernel/core/result.ts';
import { assertInBatch } from '../../src/kernel/data/database.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { importFile } from '../support/fixtures/catalog/imports.ts';
import { databaseOf, storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { type World, world } from '../support/world.ts';

it("lists a tenant's imports, newest first, in pages, without their errors", async () => {
  const [shop, other] = await Promise.all([world(), world()]);
  expect((await shop.get('/imports')).body).toEqual({
    data: [],
    meta: { page: 1, limit: 20, total: 0, total_pages: 0, next_cursor: null },
  });
  const first = await importFile(shop, 'Handle,Title,Variant Price\nmug,Mug,12\n');
  const second = await importFile(shop, 'Handle,Title,Variant Price\nmug,Mug,12\ncup,Cup,none\n');
  await importFile(other, 'Handle,Title,Variant Price\nhat,Hat,30\n');
  // A file that is still on its way is no import yet.
  await createImport({ db: databaseOf(shop), tenantId: shop.tenantId }, 'imp_receiving', {
    setsStock: false,
    dryRun: false,
    origin: '',
  });
  expect(second).toMatchObject({ unchanged: 1, failed: 1 });
  const { errors, ...item } = second;
  expect(errors).toHaveLength(1);
  const { body } = await shop.get('/imports?limit=1');
  expect(body).toMatchObject({ data: [item], meta: { page: 1, limit: 1, total: 2, total_pages: 2 } });
  const next = await shop.get('/imports?limit=1&page=2');
  expect(next.body.data).toMatchObject([{ id: first.id, created: 1 }]);
});

it('takes a file without reading the imports of a month', async () => {
  const shop = await world();
  await storeOf(shop)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
       INSERT INTO imports (id, tenant_id, status, sets_stock, created_at, updated_at)
       SELECT 'imp_' || ?1 || '_' || i, ?1, 'done', 0, ?2, ?2 FROM n`,
    )
    .bind(shop.tenantId, Date.now())
    .run();
  const ctx = { db: databaseOf(shop), tenantId: shop.tenantId };
  const options = { setsStock: false, dryRun: false, origin: '' };
  const { read } = await measureDatabase(() => createImport(ctx, `imp_new_${shop.tenantId}`, options));
  expect(read).toBeLessThan(50);
});

it('takes no further file while twenty are in progress', async () => {
  const [shop, other] = await Promise.all([world(), world()]);
  const ctx = { db: databaseOf(shop), tenantId: shop.tenantId };
  const options = { setsStock: false, dryRun: false, origin: '' };
  for (let n = 0; n < 20; n++)
    expect((await createImport(ctx, `imp_${shop.tenantId}_${n}`, options)).ok).toBe(true);
  const raw = 'Handle,Title,Variant Price\nmug,Mug,12\n';
  const refused = await shop.post('/imports/products', undefined, {
    raw,
    headers: { 'content-type': 'text/csv' },
  });
  expectProblem(refused, 429, 'rate_limited');
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await importFile(other, raw)).toMatchObject({ created: 1 });
});

const FILE = 'Handle,Title,Variant Price\nmug,Mug,12\n';
const OPTIONS = { setsStock: false, dryRun: false, origin: '' };
const placeOf = (shop: World) => ({ db: databaseOf(shop), tenantId: shop.tenantId });

/** Returns the ids of the files that are on their way, oldest first. */
async function onTheirWay(shop: World): Promise<unknown[]> {
  const { results } = await storeOf(shop)
    .prepare("SELECT id FROM imports WHERE tenant_id = ? AND status = 'receiving' ORDER BY created_at, id")
    .bind(shop.tenantId)
    .all();
  return results.map(({ id }) => id);
}

it('takes a further file in place of the oldest upload that has broken off', async () => {
  const shop = await world();
  const ids = Array.from({ length: 20 }, (_, n) => `imp_${shop.tenantId}_${String(n).padStart(2, '0')}`);
  for (const id of ids) {
    expect((await createImport(placeOf(shop), id, OPTIONS)).ok).toBe(true);
    moveClock(1_000);
  }
  moveClock(2 * MINUTE - 10_000);
  expect(await importFile(shop, FILE)).toMatchObject({ status: 'done', created: 1 });
  expect(await onTheirWay(shop)).toEqual(ids.slice(1));
  const last = `imp_${shop.tenantId}_last`;
  expect((await createImport(placeOf(shop), last, OPTIONS)).ok).toBe(true);
  expect(await importFile(shop, FILE)).toMatchObject({ status: 'done', unchanged: 1 });
  expect(await onTheirWay(shop)).toEqual([...ids.slice(2), last]);
});

it('leaves nothing of an upload whose Idempotency-Key another request has taken over', async () => {
  const shop = await world();
  const pieces = [new TextEncoder().encode(FILE)];
  const upload = { next: async () => ok(pieces.shift() ?? null) };
  const lost = { ref: null, claimed: null, mark: () => [assertInBatch(databaseOf(shop), sql`FALSE`)] };
  await expect(receiveUpload(placeOf(shop), { upload, options: OPTIONS }, lost)).rejects.toThrow();
  expect(await onTheirWay(shop)).toEqual([]);
});

it('counts the imports of a month for the first page alone', async () => {
  const shop = await world();
  await storeOf(shop)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
       INSERT INTO imports (id, tenant_id, status, sets_stock, created_at, updated_at)
       SELECT 'imp_' || ?1 || '_' || i, ?1, 'done', 0, i, i FROM n`,
    )
    .bind(shop.tenantId)
    .run();
  const { next_cursor: cursor } = (await shop.get('/imports?limit=5')).body.meta;
  const { read } = await measureDatabase(async () => {
    const { meta } = (await shop.get(`/imports?limit=5&cursor=${cursor}`)).body;
    expect(meta).toMatchObject({ page: 2, total: 300 });
  });
  expect(read).toBeLessThan(30);
});
