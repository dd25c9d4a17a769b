/** Bindings that behave normally and count calls. */

/** Storage calls since the last reset. A D1 call is one round trip, as is a batch. */
export interface Counts {
  d1: number;
  /** The first statement of each D1 call. */
  trips: string[];
  kv: number;
  limiter: number;
  /** Calls of request logs, which get what a few seconds gathered. */
  log: number;
  /** Calls of other Durable Objects. */
  objects: number;
  rowsRead: number;
  /** Each query that was run, with its parameters. */
  queries: { database: string; sql: string; params: unknown[] }[];
}

/** The bindings of databases. */
const DATABASE = /^(?:DB|(?:SHARD|SEARCH)_\d\d)$/;

const none = (): Counts => ({
  d1: 0,
  trips: [],
  kv: 0,
  limiter: 0,
  log: 0,
  objects: 0,
  rowsRead: 0,
  queries: [],
});

/** The counts of the Durable Objects that have one of their own. */
const COUNTED_APART: Readonly<Record<string, 'limiter' | 'log'>> = {
  RATE_LIMITER: 'limiter',
  REQUEST_LOG: 'log',
};

let counts = none();

/** Returns the counts and resets them. */
export function taken(): Counts {
  const all = counts;
  counts = none();
  return all;
}

/** The wrapped statement of each counting statement, for batches. */
const behind = new WeakMap<object, { real: D1PreparedStatement; sql: string; noted: () => void }>();

/** Returns a statement that counts one round trip when it runs outside a batch. */
function statement(
  database: string,
  real: D1PreparedStatement,
  sql: string,
  params: unknown[],
): D1PreparedStatement {
  const noted = () => counts.queries.push({ database, sql, params });
  const counting = new Proxy(real, {
    get(target, key) {
      const method = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      if (key === 'bind')
        return (...values: unknown[]) => statement(database, target.bind(...values), sql, values);
      return async (...args: unknown[]) => {
        counts.d1 += 1;
        counts.trips.push(sql);
        noted();
        const result = await method.apply(target, args);
        counts.rowsRead += result?.meta?.rows_read ?? 0;
        return result;
      };
    },
  });
  behind.set(counting, { real, sql, noted });
  return counting;
}

function d1<T extends D1Database | D1DatabaseSession>(database: string, real: T): T {
  return new Proxy(real, {
    get(target, key) {
      const method = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      if (key === 'prepare') return (sql: string) => statement(database, target.prepare(sql), sql, []);
      if (key === 'withSession') {
        return (...args: unknown[]) => d1(database, Reflect.apply(method, target, args));
      }
      if (key !== 'batch') return method.bind(target);
      return async (list: D1PreparedStatement[]) => {
        counts.d1 += 1;
        counts.trips.push(list[0] ? (behind.get(list[0])?.sql ?? '') : '');
        for (const one of list) behind.get(one)?.noted();
        const results = await target.batch(list.map((one) => behind.get(one)?.real ?? one));
        for (const { meta } of results) counts.rowsRead += meta.rows_read;
        return results;
      };
    },
  });
}

const kv = (real: KVNamespace): KVNamespace =>
  new Proxy(real, {
    get(target, key) {
      const method = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        counts.kv += 1;
        return Reflect.apply(method, target, args);
      };
    },
  });

/** Returns a namespace whose stubs count each method call. */
function objects<T extends object>(real: T, count: () => void): T {
  return new Proxy(real, {
    get(target, key) {
      const method = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const made = Reflect.apply(method, target, args);
        if (key !== 'get' && key !== 'getByName') return made;
        return new Proxy(made, {
          get(stub, name) {
            // Called on the stub itself, because a stub's methods come from its own proxy.
            return (...call: unknown[]) => {
              count();
              return stub[name](...call);
            };
          },
        });
      };
    },
  });
}

const known = new WeakMap<object, Env>();

/** Returns the environment with counting bindings. */
export function counted(env: Env): Env {
  const before = known.get(env);
  if (before) return before;
  const counting: Record<string, unknown> = { ...env };
  for (const [name, binding] of Object.entries(env)) {
    if (DATABASE.test(name)) counting[name] = d1(name, binding);
    else if (name === 'CACHE') counting[name] = kv(binding);
    else if (typeof binding?.idFromName === 'function') {
      counting[name] = objects(binding, () => {
        counts[COUNTED_APART[name] ?? 'objects'] += 1;
      });
    }
  }
  // Same names, and bindings with the same behaviour.
  const result = counting as unknown as Env;
  known.set(env, result);
  return result;
}
