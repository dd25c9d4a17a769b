import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { runImport } from '../../src/imports/run/run-import.ts';
import { receiveUpload } from '../../src/imports/upload.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { ok } from '../../src/kernel/core/result.ts';
import { tenantContext } from '../../src/kernel/data/tenant-context.ts';
import { WITHOUT_KEY } from '../../src/kernel/http/idempotency.ts';
import { runCron } from '../support/cron.ts';
import {
  countImportRows,
  ctx,
  finishImport,
  importFile,
  listBySlug,
} from '../support/fixtures/catalog/imports.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { setRemaining } from '../support/fixtures/quotas.ts';
import { databaseOf, storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { type World, world } from '../support/world.ts';
import { uploadUnqueued } from './import-steps.ts';

const status = async (shop: World, id: string) => (await shop.get(`/imports/${id}`)).body;

/** Imports a file to its end, or in at most so many runs; returns the number of statements of each. */
async function statementsOfRuns({ tenantId }: World, id: string, most = 500): Promise<number[]> {
  const runs: number[] = [];
  for (let again = true; again && runs.length < most; ) {
    const { statements } = await measureDatabase(async () => {
      again = await runImport(tenantContext({ env, ctx }, tenantId), id);
    });
    runs.push(statements);
  }
  return runs;
}

const mostStatements = async (shop: World, id: string) => Math.max(...(await statementsOfRuns(shop, id)));

it("creates many categories within D1's limit of statements", async () => {
  const shop = await world();
  const path = (n: number) => ['a', 'b', 'c', 'd', 'e'].map((level) => `${level}${n}`).join(' > ');
  const lines = Array.from({ length: 60 }, (_, n) => `p-${n},P,1,${path(n)}\n`);
  const id = await uploadUnqueued(shop, `Handle,Title,Price,Product Category\n${lines.join('')}`);
  const most = await mostStatements(shop, id);
  expect(await status(shop, id)).toMatchObject({ status: 'done', created: 60, failed: 0 });
  expect(most).toBeLessThan(1_000);
});

it("changes many bookings within D1's limit of statements", async () => {
  const shop = await world();
  const count = 130;
  const slots = [{ from: '2035-05-01T09:00:00Z', to: '2035-05-01T10:00:00Z', capacity: 3 }];
  for (let n = 0; n < count; n += 10) {
    const some = Array.from({ length: 10 }, (_, k) => ({ name: `b-${n + k}`, type: 'booking', price: 10 }));
    const booking = { timezone: 'Europe/Berlin', slots };
    await Promise.all(some.map((product) => createProduct(shop, { ...product, booking })));
  }
  const lines = Array.from({ length: count }, (_, n) => `b-${n},B ${n},12\n`);
  const id = await uploadUnqueued(shop, `Handle,Title,Price\n${lines.join('')}`);
  const most = await mostStatements(shop, id);
  expect(await status(shop, id)).toMatchObject({ status: 'done', updated: count, failed: 0 });
  expect(most).toBeLessThan(1_000);
});

it.each([false, true])("refuses many products within D1's limit, dry run %s", async (dryRun) => {
  const shop = await world();
  const file = (policy: string) => {
    const lines = Array.from({ length: 200 }, (_, n) => `p-${n},P ${n},5,${policy},1\n`);
    return `Handle,Title,Inventory quantity,Variant Inventory Policy,Price\n${lines.join('')}`;
  };
  await importFile(shop, file('continue'));
  await storeOf(shop)
    .prepare('UPDATE inventory_items SET reserved = 7 WHERE tenant_id = ?')
    .bind(shop.tenantId)
    .run();
  const id = await uploadUnqueued(shop, file('deny'), dryRun);
  // Each run writes what is left in one round, and then, as that is refused, a few products one by one.
  const runs = await statementsOfRuns(shop, id, 3);
  const { processed, updated, failed } = await status(shop, id);
  expect(runs).toHaveLength(3);
  expect([updated, failed]).toEqual([0, processed]);
  expect(failed).toBeGreaterThan(3);
  expect(Math.max(...runs)).toBeLessThan(1_000);
});

it.each([false, true])(
  'imports as many products as the quota allows, in few statements, dry run %s',
  async (dryRun) => {
    const shop = await world();
    await setRemaining(shop, 'products', 6);
    const sizes = (slug: string) => `${slug},${slug},Size,S,1\n${slug},,,M,1\n${slug},,,L,1\n`;
    const lines = Array.from({ length: 300 }, (_, n) => `p-${n},P ${n},,,1\n`);
    const text = `${sizes('tee')}${sizes('shirt')}bag,Bag,,,1\nhat,Hat,,,1\n${lines.join('')}`;
    const header = 'Handle,Title,Option1 Name,Option1 Value,Price\n';
    const id = await uploadUnqueued(shop, header + text, dryRun);
    const runs = await statementsOfRuns(shop, id);
    const done = await status(shop, id);
    expect(done).toMatchObject({ status: 'done', processed: 308, created: 3, failed: 301 });
    const message = 'The plan allows no more than 100,000 products and variants.';
    expect(done.errors.slice(0, 2)).toMatchObject([5, 10].map((line) => ({ line, message })));
    expect(Object.keys(await listBySlug(shop)).sort()).toEqual(dryRun ? [] : ['bag', 'hat', 'tee']);
    expect(runs.reduce((sum, statements) => sum + statements)).toBeLessThan(300);
  },
);

it('keeps every character of a file of many chunks', async () => {
  const shop = await world();
  const text = (i: number) => `${'🫖 çay, "sıcak"\r\n'.repeat(150)}${i}`;
  const lines = Array.from(
    { length: 120 },
    (_, i) => `tea-${i},Çay ${i},"${text(i).replaceAll('"', '""')}",1\r\n`,
  );
  const csv = `\uFEFFHandle,Title,Body (HTML),Price\r\n${lines.join('')}`;
  expect(new TextEncoder().encode(csv).length).toBeGreaterThan(3 * 128 * 1024);
  expect(await importFile(shop, csv)).toMatchObject({ created: 120, failed: 0, rows: 120, processed: 120 });
  const made = await listBySlug(shop);
  for (let i = 0; i < 120; i++) {
    expect(made[`tea-${i}`].description === text(i), `product ${i}`).toBe(true);
  }
});

it('accepts an upload of several hours, and rejects one that stalls', async () => {
  const shop = await world();
  const body = 'x'.repeat(60_000);
  const lines = Array.from({ length: 12 }, (_, n) => `p-${n},P,${body},1\n`);
  const text = `Handle,Title,Body (HTML),Price\n${lines.join('')}`;
  const begun = async () =>
    (await storeOf(shop)
      .prepare('SELECT count(*) AS n FROM imports WHERE tenant_id = ?')
      .bind(shop.tenantId)
      .first('n')) ?? 0;
  /** Sends the file in pieces, with so long (ms) before each further one, and the minute's cron meanwhile. */
  const slowly = async (pieces: number, pause: number) => {
    const size = Math.ceil(text.length / pieces);
    let at = 0;
    const upload = {
      next: async () => {
        if (at >= text.length) return ok(null);
        if (at > 0) moveClock(pause);
        if (at > 0) await runCron();
        const piece = new TextEncoder().encode(text.slice(at, at + size));
        at += size;
        return ok(piece);
      },
    };
    try {
      return await receiveUpload(
        { db: databaseOf(shop), tenantId: shop.tenantId },
        { upload, options: { setsStock: false, dryRun: false, origin: '' } },
        WITHOUT_KEY,
      );
    } finally {
      moveClock(-pause * (pieces - 1));
    }
  };
  const kept = await slowly(4, 50 * 60_000);
  expect(await finishImport(shop, kept.ok ? kept.value : '')).toMatchObject({ status: 'done', created: 12 });
  const gone = await slowly(2, 61 * 60_000);
  expect(gone).toMatchObject({ ok: false, failure: { code: 'request_timeout' } });
  expect([await begun(), await countImportRows(shop)]).toEqual([1, 0]);
});

it('creates categories with long names', async () => {
  const shop = await world();
  const name = '茶'.repeat(200);
  const done = await importFile(shop, `Handle,Title,Price,Product Category\ntea,Tea,5,${name}\n`);
  expect(done).toMatchObject({ status: 'done', created: 1, failed: 0 });
  expect((await shop.get('/categories')).body.data).toMatchObject([{ name }]);
});
