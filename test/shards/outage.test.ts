/** A shard that is down stops its tenants alone, and a statement that a left shard refuses goes to the present one. */
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { database, rows, run } from '../../src/kernel/data/database.ts';
import { learnShard } from '../../src/kernel/shards/shard-map.ts';
import { deliveryOverview } from '../../src/webhooks/index.ts';
import { runCron } from '../support/cron.ts';
import { fetchWith, interceptBindings, MAIN_DATABASES } from '../support/faults/bindings.ts';
import { fiveCups } from '../support/fixtures/catalog/products.ts';
import { rowsByDatabase, shopOn } from '../support/shards/rows.ts';
import { admin, type World, world } from '../support/world.ts';

afterEach(() => void vi.restoreAllMocks());

let served: World;
let stopped: World;

beforeAll(async () => {
  served = await shopOn('SHARD_01', world);
  stopped = await shopOn('SHARD_02', world);
  await Promise.all([fiveCups(served), fiveCups(stopped)]);
});

/** Both shops, each on its shard. */
const both = () => ({ served, stopped });

/** The bindings while the databases of the second shard can't be reached. */
const withoutSecond = () =>
  interceptBindings(['SHARD_02', 'SEARCH_02'], () => {
    throw new Error('D1_ERROR: Network connection lost.');
  });

it('refuses the tenants of a shard that is down, and serves the others', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const shops = both();
  const answers = async (shop: World, path: string) =>
    (await fetchWith(withoutSecond(), 'GET', `/v1${path}`, shop.token)).status;
  for (const path of ['/orders', '/customers', '/products?q=cup', '/settings']) {
    expect([path, await answers(shops.served, path)]).toEqual([path, 200]);
    expect([path, await answers(shops.stopped, path)]).toEqual([path, 503]);
  }
});

it('finds the tenants of the other shards by name, and those of a shard that is down by their slugs', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const shops = both();
  for (const [name, shop] of Object.entries(shops)) {
    await admin('PATCH', `/tenants/${shop.slug}`, { name: `${name} ${shop.tenantId}` });
  }
  const find = async (q: string): Promise<TenantPage> => {
    const path = `/admin/v1/tenants?q=${encodeURIComponent(q)}`;
    const response = await fetchWith(withoutSecond(), 'GET', path, env.SUPER_ADMIN_TOKEN);
    expect(response.status).toBe(200);
    return response.json();
  };
  const byName = await find(`served ${shops.served.tenantId}`);
  expect(byName.data.map(({ slug }) => slug)).toEqual([shops.served.slug]);
  expect((await find(`stopped ${shops.stopped.tenantId}`)).meta.total).toBe(0);
  const bySlug = await find(shops.stopped.slug);
  expect(bySlug.unavailable).toEqual([{ slug: shops.stopped.slug, shard: 'SHARD_02' }]);
});

interface TenantPage {
  readonly data: { slug: string }[];
  readonly unavailable: { slug: string; shard: string }[];
  readonly meta: { total: number };
}

it('names the tenants of a shard that is down in the list of all', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const shops = both();
  const bindings = withoutSecond();
  const listed: { slug: string }[] = [];
  const missing: { slug: string; shard: string }[] = [];
  // Files of this runtime leave their tenants behind, which may fill more than one page.
  for (let page = 1, total = 1; listed.length + missing.length < total; page++) {
    const path = `/admin/v1/tenants?limit=100&page=${page}`;
    const response = await fetchWith(bindings, 'GET', path, env.SUPER_ADMIN_TOKEN);
    expect(response.status).toBe(200);
    const { data, unavailable, meta } = await response.json<TenantPage>();
    expect(data.length + unavailable.length).toBe(Math.min(100, meta.total - 100 * (page - 1)));
    listed.push(...data);
    missing.push(...unavailable);
    total = meta.total;
  }
  expect(listed.map(({ slug }) => slug)).toContain(shops.served.slug);
  expect(missing).toContainEqual({ slug: shops.stopped.slug, shard: 'SHARD_02' });
});

it('shows the platform what is up while a shard does not respond', async () => {
  const { stopped: shop } = both();
  const silent = interceptBindings(['SHARD_02', 'SEARCH_02'], (name, call) =>
    /\.(batch|all|raw|run|first)$/.test(name) ? new Promise(() => undefined) : call(),
  );
  const path = `/admin/v1/tenants?q=${shop.slug}`;
  const [response, overview] = await Promise.all([
    fetchWith(silent, 'GET', path, env.SUPER_ADMIN_TOKEN),
    deliveryOverview(silent),
  ]);
  expect(await response.json()).toMatchObject({ unavailable: [{ slug: shop.slug, shard: 'SHARD_02' }] });
  expect(overview.unavailable).toEqual(['SHARD_02']);
});

it('ends what broke off of other tenants while a shard is down', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { stopped: shop } = both();
  // Its turn comes after that of the tenant whose shard is down.
  const other = await shopOn('SHARD_01', world);
  const slug = `t${crypto.randomUUID().slice(0, 12)}`;
  const [claimed, kept] = [`a-${slug}.example.com`, `b-${slug}.example.com`];
  const [id, directory] = [shop.tenantId, env.DB];
  await directory.batch([
    directory
      .prepare("UPDATE placements SET state = 'creating', created_at = 0 WHERE tenant_id = ?")
      .bind(id),
    directory
      .prepare(
        `INSERT INTO placements (tenant_id, slug, shard, state, created_at)
         SELECT max(tenant_id) + 1, ?, 'SHARD_01', 'creating', 0 FROM placements WHERE tenant_id < 1e9`,
      )
      .bind(slug),
    directory
      .prepare('INSERT INTO tenant_hosts (host, tenant_id, pending_at) VALUES (?, ?, 1), (?, ?, 1)')
      .bind(kept, id, claimed, other.tenantId),
  ]);
  await runCron({ bindings: withoutSecond() });
  const input = { slug, name: 'New', currency: 'EUR', plan: 'growth' };
  expect((await admin('POST', '/tenants', input)).status).toBe(201);
  const { results } = await directory
    .prepare('SELECT host FROM tenant_hosts WHERE host IN (?, ?)')
    .bind(kept, claimed)
    .all();
  expect(results).toEqual([{ host: kept }]);
  // It is completed once the shard is back.
  await runCron();
  const { body } = await admin('GET', `/tenants/${shop.slug}`);
  expect(body.slug).toBe(shop.slug);
});

it('reports the service as degraded, not as failed', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const healthy = await fetchWith({ ...env }, 'GET', '/healthz', null);
  expect([healthy.status, await healthy.json()]).toMatchObject([200, { status: 'ok' }]);
  const response = await fetchWith(withoutSecond(), 'GET', '/healthz', null);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: 'degraded',
    checks: { main_database: 'ok', shard_01: 'ok', shard_02: 'failed', search_02: 'failed' },
  });
});

it('reports the service as failed when no shard is left', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const shards = MAIN_DATABASES.filter((name) => name !== 'DB');
  const down = interceptBindings(shards, () => {
    throw new Error('D1_ERROR: Network connection lost.');
  });
  const response = await fetchWith(down, 'GET', '/healthz', null);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    status: 'failed',
    checks: { main_database: 'ok', shard_01: 'failed', shard_02: 'failed', search_02: 'ok' },
  });
});

it('asks the directory where a tenant is after the clock was set back', async () => {
  const { stopped: shop } = both();
  const counters = sql`SELECT count(*) AS n FROM tenants WHERE id = ${shop.tenantId}`;
  // What the isolate learnt before the tenant left that shard.
  learnShard(shop.tenantId, 'SHARD_01');
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  expect(await rows(database(env, shop.tenantId), counters)).toEqual([{ n: 1 }]);
});

it('sends a statement again to the shard that the directory names, when the one that was left refuses it', async () => {
  const { stopped: shop } = both();
  const left: D1Database = Reflect.get(env, 'SHARD_01');
  await left
    .prepare(
      `CREATE TRIGGER left_by_tenant BEFORE INSERT ON order_counters WHEN NEW.tenant_id = ${shop.tenantId}
       BEGIN SELECT RAISE(ABORT, 'tenant_moved'); END`,
    )
    .run();
  try {
    learnShard(shop.tenantId, 'SHARD_01');
    const db = database(env, shop.tenantId);
    await run(db, sql`INSERT INTO order_counters (tenant_id, last) VALUES (${shop.tenantId}, 7)`);
    expect(await rowsByDatabase(shop, 'order_counters')).toMatchObject({ SHARD_01: 0, SHARD_02: 1 });
    const counters = sql`SELECT last FROM order_counters WHERE tenant_id = ${shop.tenantId}`;
    expect(await rows(database(env, shop.tenantId), counters)).toEqual([{ last: 7 }]);
  } finally {
    await left.prepare('DROP TRIGGER left_by_tenant').run();
  }
});
