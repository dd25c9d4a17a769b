import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { serve } from '../../../src/app.ts';

/** The bindings with storage, which a forged token must not access. */
const STORAGE = ['DB', 'SEARCH_DB', 'CACHE', 'TENANT', 'RATE_LIMITER'] as const;

/** An environment that records the use of storage, method by method: `DB.batch`. */
export interface RecordedBindings {
  readonly env: Env;
  readonly calls: string[];
  /** How many round trips went to a database: batches, and statements run by themselves. */
  readonly databaseTrips: () => number;
}

/** Intercepts each call of a binding by its name (`DB.batch`), and makes it or not. */
export type Interceptor = (name: string, call: () => unknown) => unknown;

type Inner = WeakMap<object, object>;

/** Returns an environment with these bindings behind an interceptor. */
export function interceptBindings(names: readonly (keyof Env)[], between: Interceptor): Env {
  const inner: Inner = new WeakMap();
  const bindings = names.map((name) => [name, watch(Object(env[name]), name, between, inner)] as const);
  return { ...env, ...Object.fromEntries(bindings) } as Env; // the same bindings, each behind a proxy
}

/** Returns the real bindings with a record of their calls, for `fetchWith`. */
export function recordedBindings(): RecordedBindings {
  const calls: string[] = [];
  return {
    env: interceptBindings(STORAGE, (name, call) => {
      calls.push(name);
      return call();
    }),
    calls,
    databaseTrips: () =>
      calls.filter((call) => /^(SEARCH_)?DB\.(batch|all|raw|run|first|exec)$/.test(call)).length,
  };
}

/** Proxies what is returned (sessions, statements, stubs) as well, and unwraps it when it is passed back. */
function watch(target: object, name: string, between: Interceptor, inner: Inner): object {
  const proxy = new Proxy(target, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key, of);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const real = args.map((arg) => unwrap(arg, inner));
        const result = between(`${name}.${String(key)}`, () => Reflect.apply(value, of, real));
        const plain = typeof result !== 'object' || result === null || result instanceof Promise;
        return plain || isThenable(result) ? result : watch(result, name, between, inner);
      };
    },
  });
  inner.set(proxy, target);
  return proxy;
}

const isThenable = (value: object): boolean => 'then' in value;

function unwrap(arg: unknown, inner: Inner): unknown {
  if (Array.isArray(arg)) return arg.map((one) => unwrap(one, inner));
  return typeof arg === 'object' && arg !== null ? (inner.get(arg) ?? arg) : arg;
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
