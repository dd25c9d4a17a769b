import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { serve } from '../../../src/app.ts';
import {
  type Interceptor,
  interceptBindings as intercept,
} from '../../../src/kernel/observe/intercepted-bindings.ts';
import { mainDatabases, searchDatabases } from '../../../src/kernel/shards/shard-names.ts';

/** The bindings of databases with the main schema, and of all databases. A second shard adds some. */
export const MAIN_DATABASES = mainDatabases(env) as readonly (keyof Env)[]; // the environment's type can't list shards
export const DATABASES = [...MAIN_DATABASES, ...(searchDatabases(env) as readonly (keyof Env)[])];

/** A call's name that is a batch of a database with the main schema. */
export const MAIN_BATCH = /^(?:DB|SHARD_\d\d)\.batch$/;

/** The bindings that the reads of a storefront use. */
const STORAGE = [...DATABASES, 'CACHE', 'TENANT', 'RATE_LIMITER'] as const;

/** An environment that records the use of storage, method by method: `DB.batch`. */
export interface RecordedBindings {
  readonly env: Env;
  readonly calls: string[];
  /** How many round trips went to a database: batches, and statements run by themselves. */
  readonly databaseTrips: () => number;
}

export type { Interceptor };

/** Returns an environment with these real bindings behind an interceptor. */
export const interceptBindings = (names: readonly (keyof Env)[], between: Interceptor): Env =>
  intercept(env, names, between);

/** Returns the real bindings with a record of the calls of some of them, for `fetchWith`. */
export function recordedBindings(names: readonly (keyof Env)[] = STORAGE): RecordedBindings {
  const calls: string[] = [];
  return {
    env: interceptBindings(names, (name, call) => {
      calls.push(name);
      return call();
    }),
    calls,
    databaseTrips: () =>
      calls.filter((call) => /^(DB|(SHARD|SEARCH)_\d\d)\.(batch|all|raw|run|first|exec)$/.test(call)).length,
  };
}

/**
 * Sends a request through the router with these bindings, and waits for what runs beside the answer.
 * Unlike `send` of world.ts it can be given watched or broken bindings.
 */
export async function fetchWith(
  bindings: Env,
  method: string,
  path: string,
  token: string | null,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  const ctx = createExecutionContext();
  const request = new Request(`https://api.example.com${path}`, { ...init, method, headers });
  const response = await serve(request, bindings, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}
