/** Where new tenants are placed, and what a crash between the directory and the shard leaves. */
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE, moveClock, now } from '../../src/kernel/core/clock.ts';
import { database } from '../../src/kernel/data/database.ts';
import { forgetShard } from '../../src/kernel/shards/shard-map.ts';
import { tenants } from '../../src/tenants/index.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { runCron } from '../support/cron.ts';
import { beforeBatch, failStatements, STORES_RESPONSE } from '../support/faults/database.ts';
import { placedOn, rowsByDatabase } from '../support/shards/rows.ts';
import { admin, send, world } from '../support/world.ts';

/** Forgets what was measured of the shards, and which tenant has one for itself. */
const forgetMeasures = () => env.DB.prepare('DELETE FROM shards').run();

beforeEach(forgetMeasures);
afterEach(async () => {
  vi.restoreAllMocks();
  await forgetMeasures();
});

/** Records what the cron would have measured of a shard. */
const measured = (name: string, bytes: number, owner: number | null = null) =>
  env.DB.prepare('INSERT INTO shards (name, bytes, events, measured_at, owner_id) VALUES (?, ?, 0, ?, ?)')
    .bind(name, bytes, now(), owner)
    .run();

const newSlug = () => `t${crypto.randomUUID().slice(0, 12)}`;
const input = (slug: string, more: object = {}) => ({
  slug,
  name: 'New',
  currency: 'EUR',
  plan: 'growth',
  ...more,
});

/** Returns the shard with the fewest tenants, the first of equal ones. */
async function emptiest(): Promise<string> {
  const tenants = (name: string) =>
    env.DB.prepare('SELECT count(*) AS n FROM placements WHERE shard = ?').bind(name).first<number>('n');
  const [first, second] = await Promise.all([tenants('SHARD_01'), tenants('SHARD_02')]);
  return (second ?? 0) < (first ?? 0) ? 'SHARD_02' : 'SHARD_01';
}

/** Returns a call that creates a tenant with an Idempotency-Key. */
const keyedCreation =
  (slug: string, more: object = {}) =>
  () =>
    send('POST', '/admin/v1/tenants', {
      token: env.SUPER_ADMIN_TOKEN,
      headers: { 'idempotency-key': slug },
      body: input(slug, more),
    });

/** Makes a creation that dies before the tenant's row is written. */
async function breakOff(create: ReturnType<typeof keyedCreation>): Promise<void> {
  const heal = failStatements(/insert into "tenants"/);
  vi.spyOn(console, 'error').mockReturnValue();
  expect((await create()).status).toBe(503);
  heal();
}

it('gives a tenant to the shard with the fewest, and keeps its rows there alone', async () => {
  for (let n = 0; n < 4; n++) {
    const expected = await emptiest();
    const shop = await world();
    expect(await placedOn(shop)).toBe(expected);
    const elsewhere = Object.fromEntries(['DB', 'SHARD_01', 'SHARD_02'].map((name) => [name, 0]));
    for (const table of ['tenants', 'applications', 'tenant_secrets']) {
      expect(await rowsByDatabase(shop, table), table).toEqual({ ...elsewhere, [expected]: 1 });
    }
  }
});

it('leaves out a shard that is fuller, and one that a tenant has for itself', async () => {
  await measured('SHARD_01', 4 * 1024 ** 3);
  expect(await placedOn(await world())).toBe('SHARD_02');
  expect(await placedOn(await world())).toBe('SHARD_02');
  await forgetMeasures();
  await measured('SHARD_02', 0, 1);
  expect(await placedOn(await world())).toBe('SHARD_01');
  expect(await placedOn(await world({ plan: 'enterprise' }))).toBe('SHARD_01');
});

it('leaves out a shard that the cron has not measured for ten minutes', async () => {
  await measured('SHARD_01', 0);
  await measured('SHARD_02', 4 * 1024 ** 3);
  const before = "UPDATE shards SET measured_at = measured_at - ? WHERE name = 'SHARD_01'";
  await env.DB.prepare(before)
    .bind(11 * MINUTE)
    .run();
  expect(await placedOn(await world())).toBe('SHARD_02');
});

it('gives no shard that others are on to a tenant for itself', async () => {
  await measured('SHARD_01', 4 * 1024 ** 3);
  await world();
  await measured('SHARD_02', 4 * 1024 ** 3);
  await world({ plan: 'enterprise' });
  const owned = env.DB.prepare('SELECT count(*) AS n FROM shards WHERE owner_id IS NOT NULL');
  expect(await owned.first('n')).toBe(0);
});

it('measures each shard by the cron', async () => {
  await runCron();
  const { results } = await env.DB.prepare('SELECT name, bytes, events FROM shards ORDER BY name').all();
  expect(results).toEqual([
    { name: 'SHARD_01', bytes: expect.any(Number), events: expect.any(Number) },
    { name: 'SHARD_02', bytes: expect.any(Number), events: expect.any(Number) },
  ]);
  expect(Number(results[0]?.bytes)).toBeGreaterThan(100_000);
});

it('completes a creation that died before the row was written, when the call is repeated', async () => {
  const slug = newSlug();
  const create = keyedCreation(slug);
  await breakOff(create);
  expect((await admin('GET', `/tenants/${slug}`)).status).toBe(404);
  const again = await create();
  expect([again.status, again.body.slug]).toEqual([201, slug]);
  expect((await create()).body).toEqual(again.body);
  expect((await admin('GET', `/tenants/${slug}`)).body).toEqual(again.body);
});

it('frees the slug and the hosts of a creation that died and was not repeated, and leaves other tenants', async () => {
  const [slug, other] = [newSlug(), await world()];
  await measured('SHARD_01', 0, other.tenantId);
  const host = `${slug}.example.com`;
  const settings = { ucp: { enabled: true, hosts: [host] } };
  const heal = failStatements(/insert into "tenants"/);
  vi.spyOn(console, 'error').mockReturnValue();
  expect((await admin('POST', '/tenants', input(slug, { settings }))).status).toBe(503);
  heal();
  expect((await admin('POST', '/tenants', input(slug))).body.code).toBe('slug_taken');
  moveClock(16 * MINUTE);
  await runCron();
  expect((await admin('POST', '/tenants', input(slug, { settings }))).status).toBe(201);
  expect((await admin('GET', `/tenants/${other.slug}`)).status).toBe(200);
  const owner = env.DB.prepare("SELECT owner_id FROM shards WHERE name = 'SHARD_01'");
  expect(await owner.first('owner_id')).toBe(other.tenantId);
});

it('leaves the hosts and its own shard to a creation that is repeated while it is given up', async () => {
  const slug = newSlug();
  const settings = { ucp: { enabled: true, hosts: [`${slug}.example.com`] } };
  const create = keyedCreation(slug, { settings });
  await breakOff(create);
  moveClock(16 * MINUTE);
  beforeBatch(/delete from "placements"/, async () => {
    expect((await create()).status).toBe(201);
    const own =
      'UPDATE shards SET owner_id = p.tenant_id FROM placements p WHERE p.slug = ? AND name = p.shard';
    await env.DB.prepare(own).bind(slug).run();
  });
  await measured('SHARD_01', 0);
  await measured('SHARD_02', 0);
  await runCron();
  expect((await admin('GET', `/tenants/${slug}`)).status).toBe(200);
  const owner = env.DB.prepare('SELECT p.slug FROM shards s JOIN placements p ON p.tenant_id = s.owner_id');
  expect(await owner.first('slug')).toBe(slug);
  const other = await admin('POST', '/tenants', input(newSlug(), { settings }));
  expect(other.body.code).toBe('host_taken');
});

it('gives no creation up whose repetition is under way', async () => {
  const slug = newSlug();
  const create = keyedCreation(slug);
  await breakOff(create);
  moveClock(16 * MINUTE);
  beforeBatch(/insert into "tenants"/, async () => {
    await runCron();
  });
  expect((await create()).status).toBe(201);
  // What an isolate remembers of a tenant's place is a few seconds old at most.
  moveClock(3_000);
  expect((await admin('GET', `/tenants/${slug}`)).status).toBe(200);
});

it('leaves the hosts to a change that came after a creation which is repeated', async () => {
  const [slug, other] = [newSlug(), await world()];
  const hosts = (name: string) => ({ ucp: { enabled: true, hosts: [`${name}-${slug}.example.com`] } });
  const create = keyedCreation(slug, { settings: hosts('a') });
  const claim = async (tenant: string, name: string) =>
    (await admin('PATCH', `/tenants/${tenant}`, { settings: hosts(name) })).status;
  const heal = failStatements(STORES_RESPONSE);
  expect((await create()).status).toBe(201);
  heal();
  expect(await claim(slug, 'b')).toBe(200);
  moveClock(MINUTE);
  const again = await create();
  expect([again.status, again.body.settings.ucp]).toMatchObject([201, hosts('b').ucp]);
  expect([await claim(other.slug, 'b'), await claim(other.slug, 'a')]).toEqual([409, 200]);
  moveClock(MINUTE);
  // The host that it had then is another tenant's by now.
  expect((await create()).status).toBe(201);
});

it('completes a creation whose row was written', async () => {
  const slug = newSlug();
  const heal = failStatements(/update "placements" set "state"/);
  vi.spyOn(console, 'error').mockReturnValue();
  expect((await admin('POST', '/tenants', input(slug))).status).toBe(503);
  heal();
  moveClock(16 * MINUTE);
  await runCron();
  expect((await admin('GET', `/tenants/${slug}`)).status).toBe(200);
});

it('keeps the host of the last settings after a change that died on its way', async () => {
  const [shop, other] = [await world(), await world()];
  const [first, second] = [`a-${shop.slug}.example.com`, `b-${shop.slug}.example.com`];
  const hosts = (...names: string[]) => ({ settings: { ucp: { enabled: true, hosts: names } } });
  expect((await admin('PATCH', `/tenants/${shop.slug}`, hosts(first))).status).toBe(200);
  expect((await admin('PATCH', `/tenants/${other.slug}`, hosts(first))).body.code).toBe('host_taken');
  const heal = failStatements(/update "tenants" set/);
  vi.spyOn(console, 'error').mockReturnValue();
  expect((await admin('PATCH', `/tenants/${shop.slug}`, hosts(second))).status).toBe(503);
  heal();
  expect((await admin('PATCH', `/tenants/${other.slug}`, hosts(second))).body.code).toBe('host_taken');
  moveClock(6 * MINUTE);
  await runCron();
  expect((await admin('PATCH', `/tenants/${other.slug}`, hosts(second))).status).toBe(200);
  expect((await admin('PATCH', `/tenants/${other.slug}`, hosts(first))).body.code).toBe('host_taken');
});

it('asks the directory for a tenant that an isolate does not know, and refuses one that nobody placed', async () => {
  const shop = await world();
  forgetShard(shop.tenantId);
  expect(await database(env, shop.tenantId).select({ id: tenants.id }).from(tenants)).toContainEqual({
    id: shop.tenantId,
  });
  await expect(
    database(env, 123_456_789)
      .select({ id: tenants.id })
      .from(tenants)
      .then(() => 'read'),
  ).rejects.toThrow();
});

it('is asked again for a slug that an isolate remembers, so that a deployment can be emptied and restored', async () => {
  const shop = await world();
  expect((await admin('GET', `/tenants/${shop.slug}`)).status).toBe(200);
  const named = (slug: string) =>
    env.DB.prepare('UPDATE placements SET slug = ? WHERE tenant_id = ?').bind(slug, shop.tenantId).run();
  await named(newSlug());
  moveClock(3_000);
  expectProblem(await admin('GET', `/tenants/${shop.slug}`), 404, 'tenant_not_found');
  await named(shop.slug);
});
