import { expect, it } from 'vitest';
import { createImport } from '../../src/imports/store.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { importFile } from '../support/fixtures/catalog/imports.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import { world } from '../support/world.ts';

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
