import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { MAX_PROFILES } from '../../../src/ucp/platforms/known-profiles.ts';
import {
  MAX_DISCOVERIES_OF_DOMAIN,
  MAX_DISCOVERIES_PER_MINUTE,
  type PermitRequest,
  type ProfileRequest,
} from '../../../src/ucp/platforms/platform-directory.ts';
import { isRemembered, platformProfile } from '../../../src/ucp/platforms/platform-profile.ts';
import { evict } from '../../support/faults/injector.ts';
import { Platform } from '../../support/fixtures/agents/platform.ts';
import { listen } from '../../support/runtime/internet.ts';

let tenantId = 9_000_000;

beforeEach(() => {
  tenantId += 1;
});

const directory = () => env.PLATFORM_DIRECTORY.getByName(String(tenantId));

const ask = (uri: string, more: Omit<ProfileRequest, 'uri'> = {}) => directory().profile({ uri, ...more });

/** Makes the directory know that a platform has proved who it is. */
const proved = (uri: string) =>
  directory().lease({ limits: [{ key: 'a', most: 5 }], reports: [], verified: [uri], waiting: 1, ahead: 0 });

describe("a platform's profile", () => {
  it('is fetched once, also for concurrent requests, and again after its lifetime', async () => {
    const platform = await Platform.create();
    const answers = await Promise.all([ask(platform.uri), ask(platform.uri), ask(platform.uri)]);
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(answers[0]).toMatchObject({
      profile: { uri: platform.uri, version: '2026-04-08', keys: [{ kid: 'platform-1' }] },
    });
    expect(platform.fetches).toBe(1);
    moveClock(5 * MINUTE - 5_000);
    await ask(platform.uri);
    expect(platform.fetches).toBe(1);
    moveClock(6_000);
    await ask(platform.uri);
    expect(platform.fetches).toBe(2);
  });

  it.each([
    ['no-store', MINUTE],
    ['public, max-age=5', MINUTE],
    ['public, max-age=120', 2 * MINUTE],
    ['public, max-age=999999999', 15 * MINUTE],
  ])('with %s is kept for %i ms', async (cacheControl, ttl) => {
    const platform = await Platform.create();
    platform.cacheControl = cacheControl;
    await ask(platform.uri);
    moveClock(ttl - 5_000);
    await ask(platform.uri);
    expect(platform.fetches).toBe(1);
    moveClock(6_000);
    await ask(platform.uri);
    expect(platform.fetches).toBe(2);
  });

  it('is refreshed before its time once a minute for each origin', async () => {
    const platform = await Platform.create();
    await ask(platform.uri);
    for (let n = 0; n < 5; n++) await ask(platform.uri, { refresh: true });
    expect(platform.fetches).toBe(2);
    const other = `${platform.uri}?other`;
    await ask(other);
    await ask(other, { refresh: true });
    expect(platform.fetches).toBe(3);
    moveClock(MINUTE);
    await ask(platform.uri, { refresh: true });
    expect(platform.fetches).toBe(4);
  });

  it('stays for the rest of its lifetime when it can not be refreshed, as a stranger may ask for that', async () => {
    const platform = await Platform.create();
    await ask(platform.uri);
    platform.respond = () => new Response('x', { status: 503 });
    expect(await ask(platform.uri, { refresh: true })).toMatchObject({ ok: true });
    expect(platform.fetches).toBe(2);
    moveClock(4 * MINUTE);
    expect(await ask(platform.uri)).toMatchObject({ ok: true, profile: { keys: [{ kid: 'platform-1' }] } });
    moveClock(MINUTE + 1_000);
    expect(await ask(platform.uri)).toMatchObject({ ok: false, code: 'profile_unreachable' });
  });
});

describe('discovery', () => {
  it('of unknown platforms has a budget; known ones and trusted ones have none', async () => {
    const known = await Platform.create();
    await ask(known.uri);
    await proved(known.uri);
    moveClock(MINUTE + 2_000);
    const hosts = Array.from({ length: 5 }, () => `agent.${crypto.randomUUID()}.com`);
    let fetches = 0;
    for (const host of hosts) {
      listen(host, () => {
        fetches += 1;
        return new Response('x');
      });
    }
    const urlOf = (n: number) => `https://${hosts[n % hosts.length]}/${n}`;
    const asked = await Promise.all(
      Array.from({ length: MAX_DISCOVERIES_PER_MINUTE + 5 }, (_, n) => ask(urlOf(n))),
    );
    expect(fetches).toBe(MAX_DISCOVERIES_PER_MINUTE);
    const busy = asked.filter((answer) => !answer.ok && answer.code === 'busy');
    expect(busy).toHaveLength(5);
    expect(busy[0]).toMatchObject({ retryIn: expect.any(Number) });
    moveClock(4 * MINUTE);
    for (let n = 0; n < MAX_DISCOVERIES_PER_MINUTE; n++) await ask(`${urlOf(n)}-again`);
    // The known one's profile is stale by now.
    expect(await ask(known.uri)).toMatchObject({ ok: true });
    expect(known.fetches).toBe(2);
    expect(await ask((await Platform.create()).uri)).toMatchObject({ code: 'busy' });
    expect(await ask((await Platform.create()).uri, { trusted: true })).toMatchObject({ ok: true });
  });

  it("leaves discoveries to others when one domain's hosts use up its own", async () => {
    const names = Array.from({ length: MAX_DISCOVERIES_PER_MINUTE }, () => crypto.randomUUID());
    for (const name of names) listen(`${name}.wildcard.example.org`, () => new Response('x'));
    const asked = await Promise.all(names.map((name) => ask(`https://${name}.wildcard.example.org/profile`)));
    const busy = asked.filter((answer) => !answer.ok && answer.code === 'busy');
    expect(busy).toHaveLength(MAX_DISCOVERIES_PER_MINUTE - MAX_DISCOVERIES_OF_DOMAIN);
    expect(await ask((await Platform.create()).uri)).toMatchObject({ ok: true });
  });

  it('has a fixed number of places, the last for who proved nothing', async () => {
    const known = await Platform.create();
    await ask(known.uri);
    await proved(known.uri);
    const host = `${crypto.randomUUID()}.example.com`;
    listen(host, () => new Response('x'));
    for (let n = 0; n < MAX_PROFILES + 20; n++) await ask(`https://${host}/${n}`, { trusted: true });
    await runInDurableObject(directory(), (_, { storage }) => {
      const kept = storage.sql.exec<{ uri: string }>('SELECT uri FROM profiles').toArray();
      expect(kept).toHaveLength(MAX_PROFILES);
      expect(kept.map(({ uri }) => uri)).toContain(known.uri);
    });
  });

  it('has a place for a new platform when all are taken by those that have proved who they are', async () => {
    const host = `${crypto.randomUUID()}.example.com`;
    listen(host, () => new Response('x'));
    const taken = Array.from({ length: MAX_PROFILES }, (_, n) => `https://${host}/${n}`);
    for (const uri of taken) {
      await ask(uri, { trusted: true });
      await proved(uri);
      moveClock(1);
    }
    const [first, second] = [await Platform.create(), await Platform.create()];
    expect(await ask(first.uri)).toMatchObject({ ok: true, profile: { uri: first.uri } });
    expect(await ask(second.uri)).toMatchObject({ ok: true, profile: { uri: second.uri } });
    await proved(second.uri);
    await runInDurableObject(directory(), (_, { storage }) => {
      const kept = storage.sql.exec<{ uri: string }>('SELECT uri FROM profiles').toArray();
      // The new one replaces the one that was used longest ago, and newcomers have one place among them.
      expect(kept.map(({ uri }) => uri).sort()).toEqual([...taken.slice(1), second.uri].sort());
    });
  });

  it('leaves places to others when one domain has proved all of its own', async () => {
    const other = await Platform.create();
    await ask(other.uri);
    await proved(other.uri);
    const taken = Array.from(
      { length: MAX_PROFILES },
      (_, n) => `https://a${n}.${crypto.randomUUID()}.example.net/`,
    );
    for (const uri of taken) {
      moveClock(1);
      listen(new URL(uri).hostname, () => new Response('x'));
      await ask(uri, { trusted: true });
      await proved(uri);
    }
    await runInDurableObject(directory(), (_, { storage }) => {
      const kept = storage.sql.exec<{ uri: string }>('SELECT uri FROM profiles').toArray();
      expect(kept.map(({ uri }) => uri).sort()).toEqual([other.uri, ...taken.slice(1)].sort());
    });
  });

  it('forgets what is not used for a month', async () => {
    const platform = await Platform.create();
    await ask(platform.uri);
    const limits = [{ key: 'a', most: 5 }];
    await directory().lease({ limits, reports: [], verified: [], waiting: 2, ahead: 0 });
    moveClock(31 * DAY);
    expect(await runDurableObjectAlarm(directory())).toBe(true);
    await runInDurableObject(directory(), async (_, { storage }) => {
      for (const table of ['profiles', 'windows']) {
        expect(storage.sql.exec(`SELECT * FROM ${table}`).toArray()).toEqual([]);
      }
      expect(await storage.getAlarm()).toBeNull();
    });
  });
});

describe('the permits of requests', () => {
  const NONE = { waiting: 0, ahead: 0, reports: [], verified: [] };
  const limits = (...of: [string, number][]) => of.map(([key, most]) => ({ key, most }));
  const lease = (request: Partial<PermitRequest> & Pick<PermitRequest, 'limits'>) =>
    directory().lease({ ...NONE, ...request });
  /** Asks for as many permits as requests wait; returns how many were granted. */
  const granted = async (waiting: number, ...of: [string, number][]) => {
    const permits = await lease({ limits: limits(...of), waiting });
    return permits.ok ? permits.grant.permits : 0;
  };

  it('are exact in every sliding minute', async () => {
    const counts = await Promise.all(Array.from({ length: 12 }, () => granted(1, ['a', 10])));
    expect(counts.filter((count) => count === 1)).toHaveLength(10);
    const refused = await lease({ limits: limits(['a', 10]), waiting: 1 });
    expect(refused.ok ? 0 : refused.retryIn).toBeGreaterThan(59_000);
    moveClock(59_000);
    expect(await granted(1, ['a', 10])).toBe(0);
    moveClock(5_000);
    expect(await granted(12, ['a', 10])).toBe(10);
  });

  it('are granted within all of the limits', async () => {
    expect(await granted(5, ['pool', 4], ['a', 3])).toBe(3);
    expect(await granted(1, ['pool', 4], ['a', 3])).toBe(0);
    expect(await granted(5, ['pool', 4], ['b', 3])).toBe(1);
    expect(await granted(1, ['pool', 4], ['c', 3])).toBe(0);
  });

  it('come back unused, and are counted once however often they are reported', async () => {
    const both = limits(['pool', 10], ['a', 10]);
    const first = await lease({ limits: both, waiting: 8 });
    if (!first.ok) throw new Error('No lease');
    const { id, grantedAt } = first.grant;
    const report = { id, usage: [[Math.floor(grantedAt / 1_000), 3]] as const };
    await evict(directory());
    const second = await lease({ limits: both, reports: [report, report], waiting: 10 });
    expect(second).toMatchObject({ ok: true, grant: { permits: 7 } });
    await evict(directory());
    expect(await lease({ limits: both, reports: [report], waiting: 1 })).toMatchObject({ ok: false });
  });
});

it("is remembered by tenant: one tenant's budget is not another's", async () => {
  const platform = await Platform.create();
  const one = { env, tenantId };
  expect((await platformProfile(one, platform.uri)).ok).toBe(true);
  expect((await platformProfile(one, platform.uri)).ok).toBe(true);
  expect(platform.fetches).toBe(1);
  tenantId += 1;
  expect((await platformProfile({ env, tenantId }, platform.uri)).ok).toBe(true);
  expect(platform.fetches).toBe(2);
});

it('is forgotten by an isolate that has read many large ones since', async () => {
  const platform = await Platform.create();
  const versions = Array.from({ length: 20 }, () => ({
    version: '2026-04-08',
    extends: 'com.example.parent',
  }));
  const capabilities = Object.fromEntries(
    Array.from({ length: 90 }, (_, n) => [`com.example.c${n}`, versions]),
  );
  platform.respond = () => Response.json({ ucp: { version: '2026-04-08', capabilities } });
  const tenants = Array.from({ length: 25 }, () => ({ env, tenantId: ++tenantId }));
  for (const one of tenants) expect((await platformProfile(one, platform.uri)).ok).toBe(true);
  const known = tenants.map((one) => isRemembered(one, platform.uri));
  expect([known[0], known.at(-1)]).toEqual([false, true]);
});
