import main from '../../migrations/main/meta/_journal.json' with { type: 'json' };
import search from '../../migrations/search/meta/_journal.json' with { type: 'json' };
import { now } from '../kernel/core/clock.ts';
import { errorName, log } from '../kernel/core/log.ts';

/** Whether each part of the service works, by the part's name. */
export type Health = Readonly<Record<string, 'ok' | 'failed'>>;

/** Throws unless one part of the service works. */
type Check = (env: Env) => Promise<unknown>;

/** The stores and objects, each asked for something small that need not exist. */
const STORES: Readonly<Record<string, Check>> = {
  main_database: (env) => env.DB.prepare('SELECT 1').first(),
  search_database: (env) => env.SEARCH_DB.prepare('SELECT 1').first(),
  cache: (env) => env.CACHE.get('health'),
  media: (env) => env.MEDIA.head('health'),
  objects: (env) => env.TENANT.getByName('health').ping(),
};

/** What a release needs beside the stores: its migrations and the platform's secret. */
const RELEASE: Readonly<Record<string, Check>> = {
  main_migrations: (env) => demandMigrations(env.DB, main.entries),
  search_migrations: (env) => demandMigrations(env.SEARCH_DB, search.entries),
  platform_token: async (env) => {
    if ((env.SUPER_ADMIN_TOKEN ?? '').length < MIN_TOKEN_LENGTH) throw new RangeError('too short');
  },
};

/** The shortest platform token: 32 characters of base62 hold 190 bits. */
const MIN_TOKEN_LENGTH = 32;

/** A check that takes longer (ms) counts as failed. */
const CHECK_TIMEOUT_MS = 3_000;

/** Anyone may ask, so an isolate checks once in this time (ms). */
const RESULT_MAX_AGE_MS = 5_000;

/** Throws unless the last migration that this release knows was applied by wrangler. */
async function demandMigrations(db: D1Database, known: readonly { readonly tag: string }[]): Promise<void> {
  const applied = await db
    .prepare('SELECT 1 FROM d1_migrations WHERE name = ?')
    .bind(`${known.at(-1)?.tag}.sql`)
    .first();
  if (!applied) throw new RangeError('not applied');
}

async function outcome([part, check]: [string, Check], env: Env): Promise<[string, 'ok' | 'failed']> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new RangeError('timed out')), CHECK_TIMEOUT_MS);
  try {
    // A missing binding throws at once, an unreachable one rejects.
    await Promise.race([(async () => check(env))(), late.promise]);
    return [part, 'ok'];
  } catch (error) {
    log('health_check_failed', { part, name: errorName(error) });
    return [part, 'failed'];
  } finally {
    clearTimeout(timer);
  }
}

const run = async (checks: Readonly<Record<string, Check>>, env: Env): Promise<Health> =>
  Object.fromEntries(await Promise.all(Object.entries(checks).map((check) => outcome(check, env))));

/**
 * Returns a function that runs the checks, or returns a result of the last five seconds. Results are shared, not
 * running checks: those end with the request that began them. While one request checks anew, others get the
 * last result.
 */
function cached(checks: Readonly<Record<string, Check>>): (env: Env) => Promise<Health> {
  let last: { readonly env: Env; readonly health: Health } | null = null;
  let begunAt = 0;
  return async (env) => {
    if (last?.env === env && now() - begunAt < RESULT_MAX_AGE_MS) return last.health;
    begunAt = now();
    const health = await run(checks, env);
    last = { env, health };
    return health;
  };
}

/** Checks the databases, KV, R2 and Durable Objects: whether this deployment can serve requests. */
export const checkHealth = cached(STORES);

/** Checks all of {@link checkHealth}, that both databases have this release's migrations, and the platform's token. */
export const checkReadiness = cached({ ...STORES, ...RELEASE });
