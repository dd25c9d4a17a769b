import main from '../../migrations/main/meta/_journal.json' with { type: 'json' };
import search from '../../migrations/search/meta/_journal.json' with { type: 'json' };
import { inTime } from '../kernel/async/in-time.ts';
import { iso, isRecent, now } from '../kernel/core/clock.ts';
import { errorName, log } from '../kernel/core/log.ts';
import { databaseNames, mainDatabases, searchDatabases, shardNames } from '../kernel/shards/shard-names.ts';

/** Whether each part of the service works, by the part's name. */
export type Health = Readonly<Record<string, 'ok' | 'failed'>>;

/** Throws unless one part of the service works. */
type Check = (env: Env) => Promise<unknown>;

type Checks = Readonly<Record<string, Check>>;

/** The stores and objects that every tenant needs, each asked for something small that need not exist. */
const STORES: Checks = {
  main_database: (env) => env.DB.prepare('SELECT 1').first(),
  search_database: (env) => env.SEARCH_01.prepare('SELECT 1').first(),
  cache: (env) => env.CACHE.get('health'),
  media: (env) => env.MEDIA.head('health'),
  objects: (env) => env.TENANT.getByName('health').ping(),
};

/** What a release needs beside the stores: its migrations and the platform's secret. */
const RELEASE: Checks = {
  main_migrations: (env) => demandMigrations(env.DB, main.entries),
  search_migrations: (env) => demandMigrations(env.SEARCH_01, search.entries),
  platform_token: async (env) => {
    if ((env.SUPER_ADMIN_TOKEN ?? '').length < MIN_TOKEN_LENGTH) throw new RangeError('too short');
  },
};

/** The databases beside `DB` and `SEARCH_01`, each of which some tenants need: `shard_02`, `search_02`. */
const shardStores = (env: Env): Checks =>
  Object.fromEntries(
    furtherDatabases(env).map(({ part, db }) => [part, () => db.prepare('SELECT 1').first()]),
  );

/** The migrations of these databases: `shard_02_migrations`. */
const shardMigrations = (env: Env): Checks =>
  Object.fromEntries(
    furtherDatabases(env).map(({ part, db, known }) => [
      `${part}_migrations`,
      () => demandMigrations(db, known),
    ]),
  );

const furtherDatabases = (env: Env) =>
  [
    ...mainDatabases(env).map((name) => ({ name, known: main.entries })),
    ...searchDatabases(env).map((name) => ({ name, known: search.entries })),
  ]
    .filter(({ name }) => !(name in NAMED_PARTS))
    .map(({ name, known }) => {
      // wrangler.toml binds databases alone under these names.
      const db = Reflect.get(env, name) as D1Database;
      return { part: name.toLowerCase(), db, known };
    });

/** Returns whether a part is one that only the tenants of a shard need. */
export const isShardPart = (part: string): boolean => /^(?:shard|search)_\d\d$/.test(part);

/** The parts of the databases of every deployment; those of further shards are named as their bindings. */
const NAMED_PARTS: Readonly<Record<string, string>> = { DB: 'main_database', SEARCH_01: 'search_database' };

/** Returns whether a part of each shard failed, so that no tenant is served. */
export const everyShardFails = (env: Env, checks: Health): boolean =>
  shardNames(env).every((shard) =>
    databaseNames(env, shard).some((name) => checks[NAMED_PARTS[name] ?? name.toLowerCase()] === 'failed'),
  );

/** The shortest platform token: 32 characters of base62 hold 190 bits. */
const MIN_TOKEN_LENGTH = 32;

/** A check that takes longer (ms) counts as failed. */
const CHECK_TIMEOUT_MS = 3_000;

/** Anyone may ask, so an isolate checks once in this time (ms). */
const RESULT_MAX_AGE_MS = 5_000;
/** While one request checks, others get a result that was begun within this time (ms): the request may be cancelled. */
const LAST_RESULT_MAX_AGE_MS = 2 * RESULT_MAX_AGE_MS;

/** Throws unless the last migration that this release knows was applied by wrangler. */
async function demandMigrations(db: D1Database, known: readonly { readonly tag: string }[]): Promise<void> {
  const applied = await db
    .prepare('SELECT 1 FROM d1_migrations WHERE name = ?')
    .bind(`${known.at(-1)?.tag}.sql`)
    .first();
  if (!applied) throw new RangeError('not applied');
}

/** The KV key of the platform's last cron run. Tenants' keys begin with their id. */
const CRON_KEY = 'platform:cron';

/** After this time (s) without a run, the last one is forgotten. */
const CRON_TTL_S = 24 * 60 * 60;

/** Records that the cron ran now. */
export const recordCron = (env: Env): Promise<void> =>
  env.CACHE.put(CRON_KEY, iso(now()), { expirationTtl: CRON_TTL_S });

/**
 * Returns when the cron ran last, or `null` if it didn't for a day, or KV can't say. KV may show a run a minute or more
 * late.
 */
const lastCron = (env: Env): Promise<string | null> =>
  inTime(CHECK_TIMEOUT_MS, async () => env.CACHE.get(CRON_KEY)).catch(() => null);

async function outcome([part, check]: [string, Check], env: Env): Promise<[string, 'ok' | 'failed']> {
  try {
    // An async function rejects where a check throws, as for a missing binding.
    await inTime(CHECK_TIMEOUT_MS, async () => check(env));
    return [part, 'ok'];
  } catch (error) {
    log('health_check_failed', { part, name: errorName(error) });
    return [part, 'failed'];
  }
}

const run = async (checks: Checks, env: Env): Promise<Health> =>
  Object.fromEntries(await Promise.all(Object.entries(checks).map((check) => outcome(check, env))));

/**
 * Returns a function that does `work`, or returns a result of the last five seconds. Results are shared, not
 * running work: that ends with the request that began it. While one request works, others get the last result,
 * unless that is older than ten seconds.
 */
function cached<T>(work: (env: Env) => Promise<T>): (env: Env) => Promise<T> {
  let last: { readonly env: Env; readonly result: T; readonly at: number } | null = null;
  let begunAt = 0;
  return async (env) => {
    const known = last?.env === env && isRecent(last.at, LAST_RESULT_MAX_AGE_MS) ? last : null;
    if (known && isRecent(begunAt, RESULT_MAX_AGE_MS)) return known.result;
    const at = now();
    begunAt = at;
    const result = await work(env);
    last = { env, result, at };
    return result;
  };
}

/** Checks the databases, KV, R2 and Durable Objects: whether this deployment can serve requests. */
export const checkHealth = cached((env) => run({ ...STORES, ...shardStores(env) }, env));

/**
 * Checks all of {@link checkHealth}, that all databases have this release's migrations, and the platform's
 * token. Returns also when the cron ran last (ISO 8601): a new deployment is ready before its first run.
 */
export const checkReadiness = cached(async (env) => {
  const [checks, lastCronAt] = await Promise.all([
    run({ ...STORES, ...shardStores(env), ...RELEASE, ...shardMigrations(env) }, env),
    lastCron(env),
  ]);
  return { checks, lastCronAt };
});
