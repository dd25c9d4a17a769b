/**
 * Intercepts each call of a binding by its name (`DB.batch`), and makes it or not. `target` is the object whose method
 * is called. Calls such as `prepare` return at once: an interceptor returns a promise only for those that return one.
 */
export type Interceptor = (name: string, call: () => unknown, target: object) => unknown;

/** What the proxies of one environment share. */
interface Interception {
  readonly intercept: Interceptor;
  /** The object behind each proxy. */
  readonly inner: WeakMap<object, object>;
}

/** Returns an environment in which these bindings are behind an interceptor. The others are `env`'s own. */
export function interceptBindings(env: Env, names: readonly (keyof Env)[], intercept: Interceptor): Env {
  const shared: Interception = { intercept, inner: new WeakMap() };
  const bindings = names.map((name) => [name, wrap(Object(env[name]), name, shared)] as const);
  return { ...env, ...Object.fromEntries(bindings) } as Env; // the same bindings, each behind a proxy
}

/** Returns one object behind an interceptor, for which its calls begin with `name`. */
export const intercepted = <Target extends object>(
  target: Target,
  name: string,
  intercept: Interceptor,
): Target => wrap(target, name, { intercept, inner: new WeakMap() }) as Target; // the same object, behind a proxy

/** Proxies what is returned (sessions, statements, stubs) as well, and unwraps it when it is passed back. */
function wrap(target: object, name: string, shared: Interception): object {
  const { intercept, inner } = shared;
  const proxy = new Proxy(target, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key, of);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const real = args.map((arg) => unwrap(arg, inner));
        const result = intercept(`${name}.${String(key)}`, () => Reflect.apply(value, of, real), of);
        const isWrapped = typeof result === 'object' && result !== null && !isThenable(result);
        return isWrapped ? wrap(result, name, shared) : result;
      };
    },
  });
  inner.set(proxy, target);
  return proxy;
}

const isThenable = (value: object): boolean => 'then' in value;

function unwrap(arg: unknown, inner: Interception['inner']): unknown {
  if (Array.isArray(arg)) return arg.map((one) => unwrap(one, inner));
  return typeof arg === 'object' && arg !== null ? (inner.get(arg) ?? arg) : arg;
}
