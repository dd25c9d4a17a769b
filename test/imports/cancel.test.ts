import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { runImport } from '../../src/imports/run/run-import.ts';
import { createImport } from '../../src/imports/store.ts';
import { tenantContext } from '../../src/kernel/data/tenant-context.ts';
import { countImportRows, ctx, importFile } from '../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../support/fixtures/catalog/products.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';
import { readImport, uploadUnqueued } from './import-steps.ts';

const MUG = 'Handle,Title,Variant Price\nmug,Mug,12\n';

/** A file of several chunks, which takes several rounds to import. */
const LONG = `Handle,Title,Body (HTML),Variant Price\n${Array.from(
  { length: 1_000 },
  (_, n) => `mug-${n},Mug,${'Of clay. '.repeat(60)},12\n`,
).join('')}`;

const run = (shop: World, id: string, pause?: () => Promise<void>) =>
  runImport(tenantContext({ env, ctx }, shop.tenantId), id, pause);

it('keeps what is imported by then, and reads no further', async () => {
  const shop = await world();
  const id = await uploadUnqueued(shop, LONG);
  const responses: object[] = [];
  const cancel = async () => {
    const { status, body } = await shop.post(`/imports/${id}/cancel`);
    responses.push({ status, import: body.status });
  };
  expect(await run(shop, id, cancel)).toBe(false);
  expect(responses).toEqual([{ status: 200, import: 'cancelled' }]);
  const ended = await readImport(shop, id);
  expect(ended).toMatchObject({ status: 'cancelled', rows: 1_000, failed: 0, errors: [] });
  expect(ended.processed).toBeGreaterThan(0);
  expect(ended.processed).toBeLessThan(1_000);
  expect(ended.created).toBe(ended.processed);
  expect((await shop.get('/products?limit=1', NEWEST)).body.meta.total).toBe(ended.created);
  expect(await countImportRows(shop)).toBe(0);
  expect(await run(shop, id)).toBe(false);
  expect((await shop.post(`/imports/${id}/cancel`)).body).toEqual(ended);
  expect((await shop.get('/imports')).body.data).toMatchObject([{ id, status: 'cancelled' }]);
});

it('can be cancelled before its first line, and another file imported', async () => {
  const shop = await world();
  const id = await uploadUnqueued(shop, MUG);
  const { body } = await shop.post(`/imports/${id}/cancel`);
  expect(body).toMatchObject({ id, status: 'cancelled', processed: 0, created: 0 });
  expect(await run(shop, id)).toBe(false);
  expect(await importFile(shop, MUG)).toMatchObject({ status: 'done', created: 1 });
});

it('stays as it is once it has ended', async () => {
  const shop = await world();
  const done = await importFile(shop, MUG);
  const failed = await importFile(shop, 'Colour\nred\n');
  for (const ended of [done, failed]) {
    const { status, body } = await shop.post(`/imports/${ended.id}/cancel`);
    expect([status, body]).toEqual([200, ended]);
  }
});

it("is none while its file is on its way, nor another tenant's", async () => {
  const [shop, other] = await Promise.all([world(), world()]);
  await createImport({ db: databaseOf(shop), tenantId: shop.tenantId }, 'imp_on_its_way', {
    ...{ setsStock: false, dryRun: false, origin: '' },
  });
  const theirs = await uploadUnqueued(other, MUG);
  for (const id of ['imp_on_its_way', theirs, 'imp_none']) {
    const { status, body } = await shop.post(`/imports/${id}/cancel`);
    expect([status, body.code]).toEqual([404, 'import_not_found']);
  }
  expect((await readImport(other, theirs)).status).toBe('queued');
});
