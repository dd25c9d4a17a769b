import { createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { abandonImports, consumeImports } from '../../../src/imports/index.ts';
import { runImport } from '../../../src/imports/run/run-import.ts';
import { MAX_LISTED_ERRORS } from '../../../src/imports/schemas.ts';
import { createImport } from '../../../src/imports/store.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { runCron } from '../../support/cron.ts';
import { interceptBindings, MAIN_BATCH, MAIN_DATABASES } from '../../support/faults/bindings.ts';
import { beforeBatch, failStatements } from '../../support/faults/database.ts';
import {
  countEvents,
  countImportRows,
  ctx,
  finishImport,
  importFile,
  listBySlug,
  productsBySlug,
  stockBySku,
  upload,
} from '../../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { databaseOf, storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';
import { keep } from '../import-steps.ts';

/** A file of so many products, every third of them with two variants, every tenth line bad. */
function file(count: number, price = 10): string {
  const lines = Array.from({ length: count }, (_, i) => {
    if (i % 10 === 9) return `bad-${i},Bad,,,oops,1\n`;
    if (i % 3 > 0) return `p-${i},Product ${i},,,${price},${i}\n`;
    return `p-${i},Product ${i},Size,S,${price},1\np-${i},,,M,${price},2\n`;
  });
  return `Handle,Title,Option1 Name,Option1 Value,Price,Inventory quantity\n${lines.join('')}`;
}

/** How often the queue delivers a message again, in wrangler.toml. */
const MAX_RETRIES = 10;

const status = async (shop: World, id: string) => (await shop.get(`/imports/${id}`)).body;

/** Waits until an import that others drive is over. */
async function over(shop: World, id: string) {
  for (let turn = 0; turn < 500; turn++) {
    const body = await status(shop, id);
    if (body.status === 'done' || body.status === 'failed') return body;
    await scheduler.wait(20);
  }
  throw new Error('The import does not come to an end');
}

it('is completed by the queue alone', async () => {
  const shop = await world();
  const done = await over(shop, await upload(shop, file(50)));
  expect(done).toMatchObject({ status: 'done', processed: 65, rows: 65, created: 45, failed: 5 });
});

it('counts and writes everything once with several concurrent runs', async () => {
  const shop = await world();
  const id = await keep(shop, file(80));
  const run = async () => {
    while (await runImport(tenantContext({ env, ctx }, shop.tenantId), id));
  };
  await Promise.all([run(), run(), run()]);
  const done = await finishImport(shop, id);
  expect(done).toMatchObject({ status: 'done', created: 72, updated: 0, unchanged: 0, failed: 8 });
  expect(done.processed).toBe(done.rows);
  expect(Object.keys(await listBySlug(shop))).toHaveLength(72);
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
      const id = await keep(shop, file(45));
      const deaths = fates[Symbol.iterator]();
      for (let again = true; again; ) {
        try {
          again = await runImport(tenantContext({ env: dying(deaths), ctx }, shop.tenantId), id);
        } catch (error) {
          expect(String(error)).toMatch(/Network connection lost/);
        }
      }
      const done = await status(shop, id);
      expect(done).toMatchObject({ status: 'done', rows: 58, processed: 58, created: 41, failed: 4 });
      expect(await countImportRows(shop)).toBe(0);
      expect(Object.keys(await listBySlug(shop))).toHaveLength(41);
      expect(await countEvents(shop)).toBe(41);
    }),
    { numRuns: 8 },
  );
});

it('imports one file twice at the same time', async () => {
  const shop = await world();
  const ids = await Promise.all([keep(shop, file(60)), keep(shop, file(60))]);
  const [a, b] = await Promise.all(ids.map((id) => finishImport(shop, id)));
  expect(a.created + b.created).toBe(54);
  expect(a.unchanged + b.unchanged).toBe(54);
  expect([a.failed, b.failed]).toEqual([6, 6]);
});

it('creates each category once, whichever of two concurrent imports is first', async () => {
  const shop = await world();
  const file = (...types: string[]) =>
    `Handle,Title,Price,Product Category\n${types.map((type, n) => `p-${n},P,1,${type}\n`).join('')}`;
  const [first, second] = [
    await keep(shop, file('Apparel > Tops', 'Apparel > Hats', 'Toys')),
    await keep(shop, file('apparel > tops', 'Apparel > Socks', 'Toys')),
  ];
  beforeBatch(/INSERT INTO categories /, async () => {
    expect(await finishImport(shop, second)).toMatchObject({ status: 'done', created: 3, failed: 0 });
  });
  expect(await finishImport(shop, first)).toMatchObject({ status: 'done', failed: 0 });
  vi.restoreAllMocks();
  const { data } = (await shop.get('/categories', NEWEST)).body;
  type Named = { name: string; children: Named[] };
  const names = (list: Named[]): unknown => list.map((one) => [one.name, names(one.children)]);
  expect(names(data)).toEqual([
    [
      'apparel',
      [
        ['Hats', []],
        ['Socks', []],
        ['tops', []],
      ],
    ],
    ['Toys', []],
  ]);
});

it('succeeds beside concurrent changes of the same products', async () => {
  const shop = await world();
  await importFile(shop, file(30));
  const before = await productsBySlug(shop);
  const id = await keep(shop, file(30, 11));
  const [done] = await Promise.all([
    finishImport(shop, id),
    ...Object.values(before).map(({ id }) => shop.patch(`/products/${id}`, { vendor: 'Somebody' })),
  ]);
  expect(done).toMatchObject({ status: 'done', updated: 27, failed: 3 });
  for (const product of Object.values(await productsBySlug(shop))) {
    expect(product).toMatchObject({ price: 11, vendor: 'Somebody' });
  }
});

it('continues after a product that is rejected', async () => {
  const shop = await world();
  const file = (policy: string) => {
    const tee = (i: number) => `tee-${i},Tee ${i},Size,S,${policy},5,2\ntee-${i},,,M,${policy},5,2\n`;
    const header =
      'Handle,Title,Option1 Name,Option1 Value,Variant Inventory Policy,Inventory quantity,Price\n';
    return header + Array.from({ length: 22 }, (_, i) => tee(i)).join('');
  };
  await importFile(shop, file('continue'));
  const sold = [{ sku: 'tee-1_s', delta: -7 }];
  expect((await shop.post('/inventory/adjustments', { items: sold })).status).toBe(200);
  const done = await over(shop, await upload(shop, file('deny')));
  expect(done).toMatchObject({ status: 'done', rows: 44, processed: 44, updated: 21, failed: 1 });
  const message = expect.stringContaining('more units are sold or reserved than are in stock');
  expect(done.errors).toMatchObject([{ line: 4, message }]);
  expect(await stockBySku(shop)).toMatchObject({ 'tee-0_s': 5, 'tee-1_s': -2, 'tee-21_s': 5 });
});

it('reports why a product is rejected, and leaves it unchanged', async () => {
  const shop = await world();
  const { body: cup } = await shop.post('/products', { name: 'Cup', type: 'simple', price: 5, stock: 1 });
  const set = { name: 'Set', type: 'grouped', price: 0, grouped: [{ product_id: cup.id }] };
  const { body: grouped } = await shop.post('/products', set);
  const done = await importFile(
    shop,
    'Handle,Title,Option1 Name,Option1 Value,Price\ncup,Cup,Size,S,5\nmug,Mug,,,6\n',
  );
  const message = `The product can't be written: its type must stay simple or virtual: product ${grouped.id} contains it.`;
  expect(done).toMatchObject({ status: 'done', created: 1, failed: 1, errors: [{ line: 2, message }] });
  expect((await productsBySlug(shop)).cup).toMatchObject({ type: 'simple', stock: 1 });
});

it('restarts imports whose message was lost, and deletes old ones', async () => {
  const shop = await world();
  const lost = await keep(shop, file(5));
  await createImport({ db: databaseOf(shop), tenantId: shop.tenantId }, 'imp_brokenoff', {
    setsStock: false,
    dryRun: false,
    origin: '',
  });
  expect((await shop.get('/imports/imp_brokenoff')).status).toBe(404);
  try {
    moveClock(6 * 60_000);
    await runCron();
    expect(await over(shop, lost)).toMatchObject({ status: 'done', created: 5 });
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

it('reports an import that has failed for good', async () => {
  const shop = await world();
  const id = await keep(shop, file(3_600));
  expect(await runImport(tenantContext({ env, ctx }, shop.tenantId), id)).toBe(true);
  const bodies = [{ tenantId: shop.tenantId, importId: id }, { eventId: 'evt_of_another_queue' }];
  const letters = bodies.map((body, n) => ({ id: String(n), timestamp: new Date(), attempts: 1, body }));
  await abandonImports(createMessageBatch('dead-letters', letters), env, ctx);
  const given = await status(shop, id);
  expect(given.status).toBe('failed');
  expect(given.errors.at(-1)).toMatchObject({
    message: expect.stringContaining('because of an internal error'),
  });
  expect(given.processed).toBeLessThan(given.rows);
  expect(await runImport(tenantContext({ env, ctx }, shop.tenantId), id)).toBe(false);
  // Sent again, the message goes on from what is done, and nothing of the failure is left.
  const message = { id: '1', timestamp: new Date(), attempts: 1, body: bodies[0] };
  await consumeImports(createMessageBatch('imports', [message]), env, ctx);
  expect(await over(shop, id)).toMatchObject({
    ...{ status: 'done', created: 3_240, failed: 360, processed: given.rows },
  });
  expect((await status(shop, id)).errors).toHaveLength(MAX_LISTED_ERRORS);
  expect(await countImportRows(shop)).toBe(0);
  // An import that is over stays so, whatever is sent again.
  await consumeImports(createMessageBatch('imports', [message]), env, ctx);
  expect(await status(shop, id)).toMatchObject({ status: 'done', created: 3_240 });
});

it('waits for more than an hour for a database that cannot be reached', async () => {
  const shop = await world();
  const id = await keep(shop, file(5));
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
  expect(await over(shop, id)).toMatchObject({ status: 'done', created: 5, failed: 0 });
});
