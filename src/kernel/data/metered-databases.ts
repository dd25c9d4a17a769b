import { keysOf } from '../core/records.ts';
import { type Interceptor, interceptBindings } from '../observe/intercepted-bindings.ts';

/** The methods that run statements. Others prepare a statement or open a session. */
const RUNS = /\.(?:batch|all|run|raw|first|exec)$/;

/** Bindings whose D1 databases are metered. */
export interface MeteredDatabases {
  readonly env: Env;
  /** Returns the database time (ms) of the calls that ended since the last `take`, and resets it. */
  take(): number;
}

/** The time (ms) that is counted for a call whose results have no `duration`: a single read of a few rows. */
const UNREPORTED_MS = 1;

/**
 * Returns the bindings with a meter of the time that D1 databases spend on their calls: the `duration` that D1 reports,
 * without the network and without waiting for others.
 */
export function meterDatabases(env: Env): MeteredDatabases {
  let used = 0;
  const between: Interceptor = (name, call) => {
    if (!RUNS.test(name)) return call();
    return (async () => {
      const result: unknown = await call();
      used += reportedMs(result) ?? UNREPORTED_MS;
      return result;
    })();
  };
  return {
    env: interceptBindings(env, d1Bindings(env), between),
    take: () => {
      const taken = used;
      used = 0;
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

/** Returns the duration (ms) that the results of a call report, or null if they have none. */
function reportedMs(result: unknown): number | null {
  const results: readonly { readonly meta?: Partial<D1Meta> }[] = [result].flat().map(Object);
  const durations = results.map(({ meta }) => meta?.duration).filter((ms) => ms !== undefined);
  return durations.length > 0 ? durations.reduce((sum, ms) => sum + ms, 0) : null;
}
