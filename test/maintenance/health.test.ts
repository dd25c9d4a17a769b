import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { moveClock, now } from '../../src/kernel/core/clock.ts';
import { mainDatabases, searchDatabases } from '../../src/kernel/shards/shard-names.ts';
import { checkHealth } from '../../src/maintenance/health.ts';
import { runCron } from '../support/cron.ts';
import { fetchWith, interceptBindings } from '../support/faults/bindings.ts';

afterEach(() => void vi.restoreAllMocks());

/** The databases of further shards: `shard_02`. */
const FURTHER = [...mainDatabases(env), ...searchDatabases(env)]
  .filter((name) => name !== 'DB' && name !== 'SEARCH_01')
  .map((name) => name.toLowerCase());
const STORES = ['main_database', 'search_database', 'cache', 'media', 'objects', ...FURTHER];
const RELEASE = [
  ...['main_migrations', 'search_migrations', 'platform_token'],
  ...FURTHER.map((part) => `${part}_migrations`),
];

/** Returns the response to a path under these bindings; a fresh object of bindings has no earlier result. */
async function ask(path: string, bindings: Env) {
  const response = await fetchWith(bindings, 'GET', path, null);
  const body = await response.json<{
    status: string;
    checks: Record<string, string>;
    last_cron_at?: string;
  }>();
  return { code: response.status, ...body };
}

const failed = (checks: Record<string, string>) =>
  Object.keys(checks).filter((part) => checks[part] !== 'ok');

describe('GET /healthz', () => {
  it('lists each store as working', async () => {
    const { code, status, checks } = await ask('/healthz', { ...env });
    expect([code, status]).toEqual([200, 'ok']);
    expect(Object.keys(checks)).toEqual(STORES);
  });

  it.each([
    ['DB', 'main_database'],
    ['SEARCH_01', 'search_database'],
    ['CACHE', 'cache'],
    ['MEDIA', 'media'],
    ['TENANT', 'objects'],
  ] as const)('answers 503 and names the part when %s fails', async (binding, part) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = interceptBindings([binding], () => {
      throw new Error('D1_ERROR: secret details');
    });
    const { code, status, checks } = await ask('/healthz', broken);
    expect([code, status, failed(checks)]).toEqual([503, 'failed', [part]]);
    expect(JSON.stringify(logged.mock.calls)).not.toContain('secret details');
  });

  it('answers 503 when a binding is missing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { MEDIA: _, ...rest } = env;
    // A deployment without the binding.
    expect(failed((await ask('/healthz', rest as Env)).checks)).toEqual(['media']);
  });

  it.each([{}, { 'x-server-timing': '1' }])(
    'checks the stores once for many requests with %j',
    async (headers) => {
      let calls = 0;
      const counted = interceptBindings(['CACHE'], (_, call) => {
        calls++;
        return call();
      });
      for (let n = 0; n < 20; n++) {
        expect((await fetchWith(counted, 'GET', '/healthz', null, { headers })).status).toBe(200);
      }
      expect(calls).toBe(1);
    },
  );
});

it('checks again after the clock was set back', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let works = true;
  const bindings = interceptBindings(['CACHE'], (_, call) => {
    if (!works) throw new Error('KV is down');
    return call();
  });
  expect((await ask('/healthz', bindings)).code).toBe(200);
  works = false;
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  expect((await ask('/healthz', bindings)).code).toBe(503);
});

it('shows no result of long ago while a request checks that may have been cancelled', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let works = true;
  const bindings = interceptBindings(['CACHE'], (_, call) =>
    works ? call() : new Promise<never>(() => undefined),
  );
  expect((await ask('/healthz', bindings)).code).toBe(200);
  works = false;
  moveClock(6_000);
  void checkHealth(bindings);
  moveClock(4_500);
  expect((await ask('/healthz', bindings)).code).toBe(503);
});

describe('GET /readyz', () => {
  it('answers 200 when the stores work and the release has its migrations and token', async () => {
    const { code, checks } = await ask('/readyz', { ...env });
    expect([code, Object.keys(checks)]).toEqual([200, [...STORES, ...RELEASE]]);
  });

  it('says when the cron ran last', async () => {
    const before = now();
    await runCron();
    const { last_cron_at } = await ask('/readyz', { ...env });
    expect(Date.parse(last_cron_at ?? '')).toBeGreaterThanOrEqual(before);
  });

  it('answers 503 and names the cache when its binding is missing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { CACHE: _, ...rest } = env;
    // A deployment without the binding.
    const { code, checks, last_cron_at } = await ask('/readyz', rest as Env);
    expect([code, failed(checks), last_cron_at]).toEqual([503, ['cache'], null]);
  });

  it('answers 503 and names the cache when it does not respond', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const silent = interceptBindings(['CACHE'], () => new Promise<never>(() => undefined));
    const { code, checks, last_cron_at } = await ask('/readyz', silent);
    expect([code, failed(checks), last_cron_at]).toEqual([503, ['cache'], null]);
  });

  it('answers 503 while the last migration is not applied', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const last = env.MIGRATIONS_MAIN.at(-1)?.name ?? '';
    await env.DB.prepare('DELETE FROM d1_migrations WHERE name = ?').bind(last).run();
    try {
      const { code, checks } = await ask('/readyz', { ...env });
      expect([code, failed(checks)]).toEqual([503, ['main_migrations']]);
    } finally {
      await env.DB.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(last).run();
    }
  });

  it.each(['', 'short'])('answers 503 without a platform token of some length: %j', async (token) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { code, checks } = await ask('/readyz', { ...env, SUPER_ADMIN_TOKEN: token });
    expect([code, failed(checks)]).toEqual([503, ['platform_token']]);
  });
});
