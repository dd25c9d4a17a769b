import { createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { abandonImports, consumeImports } from '../../../src/imports/index.ts';
import { runImport } from '../../../src/imports/run/run-import.ts';
import { MAX_LISTED_ERRORS } from '../../../src/imports/schemas.ts';
import { createImport } from '../../../src/imports/store.ts';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { runCron } from '../../support/cron.ts';
import { fetchWith, interceptBindings, MAIN_BATCH, MAIN_DATABASES } from '../../support/faults/bindings.ts';
import { failStatements } from '../../support/faults/database.ts';
import {
  countEvents,
  countImportRows,
  ctx,
  listBySlug,
  upload,
} from '../../support/fixtures/catalog/imports.ts';
import { databaseOf, storeOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';
import { productsFile, readImport, uploadUnqueued, waitUntilOver } from '../import-steps.ts';

/** How often the queue delivers a message again, in wrangler.toml. */
const MAX_RETRIES = 10;
/** The first bad line of a file of `productsFile`. */
const BAD_LINE = 14;

it('is completed by the queue alone', async () => {
  const shop = await world();
  const done = await waitUntilOver(shop, await upload(shop, productsFile(50)));
  expect(done).toMatchObject({ status: 'done', processed: 65, rows: 65, created: 45, failed: 5 });
});

/** The environment with a database of which batches die, before or after they are committed. */
const dying = (deaths: Iterator<'before' | 'after' | null>): Env =>
  interceptBindings(MAIN_DATABASES, (name, call) => {
    if (!MAIN_BATCH.test(name)) return call();
    const fate = deaths.next().value;
    const died = () => Promise.reject(new Error('Network connection lost'));
    if (fate === 'before') return died();
    return fate === 'after' ? Promise.resolve(call()).then(died) : call();
  });

it('counts and writes everything once, wherever a run crashes', async () => {
  const fate = fc.constantFrom<'before' | 'after' | null>('before', 'after', null, null);
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { minLength: 20, maxLength: 20 }), async (fates) => {
      const shop = await world();
      const id = await uploadUnqueued(shop, productsFile(45));
      const deaths = fates[Symbol.iterator]();
      for (let again = true; again; ) {
        try {
          again = await runImport(tenantContext({ env: dying(deaths), ctx }, shop.tenantId), id);
        } catch (error) {
          expect(String(error)).toMatch(/Network connection lost/);
        }
      }
      const done = await readImport(shop, id);
      expect(done).toMatchObject({ status: 'done', rows: 58, processed: 58, created: 41, failed: 4 });
      expect(await countImportRows(shop)).toBe(0);
      expect(Object.keys(await listBySlug(shop))).toHaveLength(41);
      expect(await countEvents(shop)).toBe(41);
    }),
    { numRuns: 8 },
  );
});

it('restarts imports whose message was lost, and deletes old ones', async () => {
  const shop = await world();
  const lost = await uploadUnqueued(shop, productsFile(5));
  await createImport({ db: databaseOf(shop), tenantId: shop.tenantId }, 'imp_brokenoff', {
    setsStock: false,
    dryRun: false,
    origin: '',
  });
  expect((await shop.get('/imports/imp_brokenoff')).status).toBe(404);
  try {
    moveClock(6 * 60_000);
    await runCron();
    expect(await waitUntilOver(shop, lost)).toMatchObject({ status: 'done', created: 5 });
    moveClock(31 * 24 * 3600_000);
    await runCron();
  } finally {
    moveClock(-(6 * 60_000 + 31 * 24 * 3600_000));
  }
  const { results } = await storeOf(shop)
    .prepare('SELECT id FROM imports WHERE tenant_id = ?')
    .bind(shop.tenantId)
    .all();
  expect(results).toEqual([]);
});

it('begins with the retry of an upload whose Worker died before it sent the message', async () => {
  const shop = await world();
  const died = () => Promise.reject(new Error('Network connection lost'));
  const sent = { headers: { 'content-type': 'text/csv', 'idempotency-key': 'k' }, body: productsFile(5) };
  const uploadWith = (worker: Env) => fetchWith(worker, 'POST', '/v1/imports/products', shop.token, sent);
  await uploadWith(interceptBindings(['IMPORT_QUEUE'], died));
  // Its response was not stored either.
  await databaseOf(shop).run(
    sql`UPDATE idempotency_keys SET answer = NULL, locked_until = 0 WHERE tenant_id = ${shop.tenantId}`,
  );
  expect((await uploadWith(env)).status).toBe(202);
  const imports = (await shop.get('/imports')).body.data;
  expect(imports).toHaveLength(1);
  expect(await waitUntilOver(shop, imports[0].id)).toMatchObject({ status: 'done', created: 5 });
});

it('reports an import that has failed for good', async () => {
  const shop = await world();
  const id = await uploadUnqueued(shop, productsFile(3_600));
  expect(await runImport(tenantContext({ env, ctx }, shop.tenantId), id)).toBe(true);
  const bodies = [{ tenantId: shop.tenantId, importId: id }, { eventId: 'evt_of_another_queue' }];
  const letters = bodies.map((body, n) => ({ id: String(n), timestamp: new Date(), attempts: 1, body }));
  await abandonImports(createMessageBatch('dead-letters', letters), env, ctx);
  const given = await readImport(shop, id);
  expect(given.status).toBe('failed');
  expect(given.errors.at(-1)).toMatchObject({
    message: expect.stringContaining('because of an internal error'),
  });
  expect(given.errors).toHaveLength(MAX_LISTED_ERRORS);
  expect(given.errors[0].line).toBe(BAD_LINE);
  expect(given.processed).toBeLessThan(given.rows);
  expect(await runImport(tenantContext({ env, ctx }, shop.tenantId), id)).toBe(false);
  // Sent again, the message goes on from what is done, and nothing of the failure is left.
  const message = { id: '1', timestamp: new Date(), attempts: 1, body: bodies[0] };
  await consumeImports(createMessageBatch('imports', [message]), env, ctx);
  expect(await waitUntilOver(shop, id)).toMatchObject({
    status: 'done',
    created: 3_240,
    failed: 360,
    processed: given.rows,
  });
  const { body: stored } = await shop.get(`/imports/${id}/errors?limit=${MAX_LISTED_ERRORS}`);
  expect((await readImport(shop, id)).errors).toEqual(stored.data);
  expect(stored.data).toHaveLength(MAX_LISTED_ERRORS);
  expect(await countImportRows(shop)).toBe(0);
  // An import that is over stays so, whatever is sent again.
  await consumeImports(createMessageBatch('imports', [message]), env, ctx);
  expect(await readImport(shop, id)).toMatchObject({ status: 'done', created: 3_240 });
});

it('keeps the files of the last 20 imports that have failed for good, for 30 days', async () => {
  const shop = await world();
  const giveUp = async () => {
    moveClock(1_000);
    const body = { tenantId: shop.tenantId, importId: await uploadUnqueued(shop, productsFile(5)) };
    const letter = { id: '1', timestamp: new Date(), attempts: 1, body };
    await abandonImports(createMessageBatch('dead-letters', [letter]), env, ctx);
    return letter;
  };
  const first = await giveUp();
  for (let n = 0; n < 20; n++) await giveUp();
  const last = await giveUp();
  expect(await countImportRows(shop)).toBe(20);
  for (const letter of [first, last]) await consumeImports(createMessageBatch('imports', [letter]), env, ctx);
  expect((await readImport(shop, first.body.importId)).status).toBe('failed');
  expect(await waitUntilOver(shop, last.body.importId)).toMatchObject({ status: 'done', created: 5 });
  moveClock(31 * DAY);
  await runCron();
  expect(await countImportRows(shop)).toBe(0);
});

it('waits for more than an hour for a database that cannot be reached', async () => {
  const shop = await world();
  const id = await uploadUnqueued(shop, productsFile(5));
  const body = { tenantId: shop.tenantId, importId: id };
  const deliver = async (attempts: number) => {
    const batch = createMessageBatch('imports', [{ id: '1', timestamp: new Date(), attempts, body }]);
    const retries = batch.messages.map((message) => vi.spyOn(message, 'retry'));
    await consumeImports(batch, env, ctx);
    return retries[0]?.mock.calls[0]?.[0]?.delaySeconds ?? 0;
  };
  const restore = failStatements(/imports/);
  const delays = [];
  for (let attempts = 1; attempts <= MAX_RETRIES; attempts++) delays.push(await deliver(attempts));
  restore();
  expect(delays.slice(0, 3)).toEqual([5, 10, 20]);
  expect(delays.reduce((sum, seconds) => sum + seconds)).toBeGreaterThan(3_600);
  expect(await deliver(MAX_RETRIES)).toBe(0);
  expect(await waitUntilOver(shop, id)).toMatchObject({ status: 'done', created: 5, failed: 0 });
});
