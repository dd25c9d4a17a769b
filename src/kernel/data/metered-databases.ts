import { keysOf } from '../core/records.ts';
import { type Interceptor, interceptBindings, intercepted } from '../observe/intercepted-bindings.ts';
import { databaseAt } from './database.ts';
import type { TenantDatabase } from './tenant-context.ts';

/** The methods that run statements. Others prepare a statement or open a session. */
const RUNS = /\.(?:batch|all|run|raw|first|exec)$/;

/** What calls took of D1 databases: their time (ms), and the rows that they read. */
interface DatabaseUse {
  readonly ms: number;
  readonly rows: number;
}

/** A meter of calls of D1 databases. */
interface Meter {
  /** Returns what the calls took that ended since the last `take`. */
  take(): DatabaseUse;
}

/** Bindings whose D1 databases are metered. */
interface MeteredDatabases extends Meter {
  readonly env: Env;
}

/** A tenant's database that is metered. */
interface MeteredTenant extends Meter {
  readonly ctx: TenantDatabase;
}

/** What is counted for a call whose results report nothing: a single read of a few rows. */
const UNREPORTED: DatabaseUse = { ms: 1, rows: 1 };
/** What is counted for a call that D1 ended because of the CPU time it took, after which the database restarts. */
const ENDED: DatabaseUse = { ms: 30_000, rows: 30_000_000 };
const IS_ENDED = /exceeded its CPU time limit/;

/**
 * Returns the bindings with a meter of what their calls take of D1 databases, as D1 reports it: the time is without the
 * network and without waiting for others.
 */
export function meterDatabases(env: Env): MeteredDatabases {
  const { between, take } = startMeter();
  return { env: interceptBindings(env, d1Bindings(env), between), take };
}

/** Returns a tenant's database with the same meter. */
export function meterDatabase({ tenantId, db }: TenantDatabase): MeteredTenant {
  const { d1, take } = meterD1(db.$client);
  return { ctx: { tenantId, db: databaseAt(d1) }, take };
}

/** Returns a D1 database, or a session of one, with the same meter. */
export function meterD1<D1 extends object>(metered: D1): Meter & { readonly d1: D1 } {
  const { between, take } = startMeter();
  return { d1: intercepted(metered, 'db', between), take };
}

/** Returns an interceptor that counts what the calls take. */
function startMeter(): Meter & { readonly between: Interceptor } {
  let used: DatabaseUse = { ms: 0, rows: 0 };
  const between: Interceptor = (name, call) => {
    if (!RUNS.test(name)) return call();
    return (async () => {
      try {
        const result: unknown = await call();
        used = sum([used, ...reportedUses(result)]);
        return result;
      } catch (error) {
        if (IS_ENDED.test(String(error))) used = sum([used, ENDED]);
        throw error;
      }
    })();
  };
  return {
    between,
    take: () => {
      const taken = used;
      used = { ms: 0, rows: 0 };
      return taken;
    },
  };
}

/** Returns the names of all bindings of D1 databases. */
const d1Bindings = (env: Env): (keyof Env)[] =>
  keysOf(env).filter((name) => {
    const binding: unknown = env[name];
    return typeof binding === 'object' && binding !== null && 'withSession' in binding;
  });

const sum = (uses: readonly DatabaseUse[]): DatabaseUse =>
  uses.reduce((all, { ms, rows }) => ({ ms: all.ms + ms, rows: all.rows + rows }));

/** Returns what the results of a call report that they took. */
function reportedUses(result: unknown): readonly DatabaseUse[] {
  const results: readonly { readonly meta?: Partial<D1Meta> }[] = [result].flat().map(Object);
  const uses = results.flatMap(({ meta }) =>
    meta?.duration === undefined ? [] : [{ ms: meta.duration, rows: meta.rows_read ?? 0 }],
  );
  return uses.length > 0 ? uses : [UNREPORTED];
}
