import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { meterDatabases } from '../../../src/kernel/data/metered-databases.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { backgroundWork, requireTenant } from '../../../src/tenants/index.ts';
import { queue } from '../../search/index-queue.ts';
import { fetchWith, interceptBindings } from '../../support/faults/bindings.ts';
import { buildIndex, indexOf } from '../../support/fixtures/catalog/list-index.ts';
import { runtime } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

const tenantOf = ({ tenantId }: World) => env.TENANT.getByName(String(tenantId));

/** Uses up a tenant's budget: whatever is charged next must pause for seconds. */
const exhaust = (shop: World) => tenantOf(shop).chargeBackground(60_000);

/** Bindings whose queues keep nothing, and what background work was charged and sent through them. */
function recorded() {
  const charged: string[] = [];
  const sent: unknown[][] = [];
  const bindings = interceptBindings(['TENANT', 'SEARCH_QUEUE', 'IMPORT_QUEUE'], (name, call) => {
    if (name === 'TENANT.chargeBackground') charged.push(name);
    return call();
  });
  const queueOf = {
    send: async (...args: unknown[]) => void sent.push(args),
    sendBatch: async () => undefined,
  };
  return {
    bindings: { ...bindings, SEARCH_QUEUE: queueOf, IMPORT_QUEUE: queueOf } as unknown as Env,
    charged,
    sent,
  };
}

const lines = (count: number) => Array.from({ length: count }, (_, n) => `cup-${n},Cup ${n},1\n`).join('');

it('measures what databases report of every call', async () => {
  const shop = await world();
  const meter = meterDatabases(env);
  expect(meter.take()).toEqual({ ms: 0, rows: 0 });
  const slow = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT sum(i) AS s FROM n`;
  const { meta } = await meter.env.DB.prepare(slow).all();
  expect(meter.take()).toEqual({ ms: meta.duration, rows: meta.rows_read });
  const two = await meter.env.DB.batch([meter.env.DB.prepare(slow), meter.env.DB.prepare('SELECT 1 AS one')]);
  expect(meter.take().ms).toBe((two[0]?.meta.duration ?? 0) + (two[1]?.meta.duration ?? 0));
  expect(await requireTenant(tenantContext({ ...runtime, env: meter.env }, shop.tenantId))).toMatchObject({
    slug: shop.slug,
  });
  meter.take();
  expect(meter.take().ms).toBe(0);
});

it('shares one budget between all work of a tenant, and none with other tenants', async () => {
  const [shop, other] = [await world(), await world()];
  expect(await tenantOf(shop).chargeBackground(1)).toBe(0);
  await exhaust(shop);
  expect(await backgroundWork(runtime, shop.tenantId).charge()).toBeGreaterThan(1_000);
  expect(await backgroundWork(runtime, other.tenantId).charge()).toBe(0);
});

it('charges an import for each of its batches', async () => {
  const shop = await world();
  const { bindings, charged, sent } = recorded();
  const file = `Handle,Title,Variant Price\n${lines(250)}`;
  const init = { body: file, headers: { 'content-type': 'text/csv' } };
  const uploaded = await fetchWith(bindings, 'POST', '/v1/imports/products', shop.token, init);
  const { id }: { id: string } = await uploaded.json();
  while (sent.length > 0) await queue('imports', [{ body: sent.shift()?.[0] }], bindings);
  expect((await shop.get(`/imports/${id}`)).body).toMatchObject({ status: 'done', created: 250 });
  // A batch holds fewer products.
  expect(charged.length).toBeGreaterThan(1);
});

it('delays the next step of a rebuild while the budget is used up', async () => {
  const shop = await world();
  await shop.post('/products', { name: 'Cup', type: 'simple', price: 1 });
  const { bindings, charged, sent } = recorded();
  const start = { body: { tenantId: shop.tenantId, rebuild: 'start' }, id: `rebuild-${shop.slug}` };
  await queue('search-index', [start], bindings);
  await exhaust(shop);
  await queue('search-index', [start], bindings);
  const next = { tenantId: shop.tenantId, rebuild: { phase: 'spellings', after: '' }, run: start.id };
  expect(sent[0]).toEqual([next, { delaySeconds: 0 }]);
  expect(sent[1]?.[0]).toEqual(next);
  expect(sent[1]?.[1]).toMatchObject({ delaySeconds: expect.toSatisfy((s: number) => s >= 1 && s <= 5) });
  expect(charged).toHaveLength(2);
});

it('pauses for its own time alone while the tenant can not be reached', async () => {
  const shop = await world();
  const bindings = interceptBindings(['TENANT'], (name, call) =>
    name === 'TENANT.chargeBackground' ? Promise.reject(new Error('Network connection lost.')) : call(),
  );
  const work = backgroundWork({ ...runtime, env: bindings }, shop.tenantId);
  expect(await requireTenant(work.ctx)).toMatchObject({ slug: shop.slug });
  expect(await work.charge()).toBeLessThanOrEqual(5_000);
  await work.pause();
});

it('charges each page of an export', async () => {
  const shop = await world();
  const { bindings, charged } = recorded();
  expect((await fetchWith(bindings, 'GET', '/v1/exports/products', shop.token)).status).toBe(200);
  expect(charged).toHaveLength(1);
  const path = `/admin/v1/tenants/${shop.slug}/export`;
  expect((await fetchWith(bindings, 'GET', path, env.SUPER_ADMIN_TOKEN)).status).toBe(200);
  expect(charged).toHaveLength(2);
});

it('charges each chunk of a relisting', async () => {
  const shop = await world();
  const { bindings, charged } = recorded();
  await queue('relistings', [{ body: { tenantId: shop.tenantId } }], bindings);
  expect(charged).toHaveLength(1);
});

it('charges each part of a list index', async () => {
  const shop = await world();
  const { bindings, charged } = recorded();
  await shop.post('/products', { name: 'Cup', type: 'simple', price: 1 });
  await runInDurableObject(indexOf(shop), (index) => {
    Reflect.set(index, 'env', bindings);
  });
  await buildIndex(shop);
  expect(charged).toHaveLength(1);
});
