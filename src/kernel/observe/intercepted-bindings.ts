/**
 * Intercepts each call of a binding by its name (`DB.batch`), and makes it or not. `target` is the object whose method
 * is called.
 */
export type Interceptor = (name: string, call: () => unknown, target: object) => unknown;

/** What the proxies of one environment share. */
interface Watching {
  readonly between: Interceptor;
  /** The object behind each proxy. */
  readonly inner: WeakMap<object, object>;
}

/** Returns an environment in which these bindings are behind an interceptor. The others are `env`'s own. */
export function interceptBindings(env: Env, names: readonly (keyof Env)[], between: Interceptor): Env {
  const watching: Watching = { between, inner: new WeakMap() };
  const bindings = names.map((name) => [name, watch(Object(env[name]), name, watching)] as const);
  return { ...env, ...Object.fromEntries(bindings) } as Env; // the same bindings, each behind a proxy
}

/** Proxies what is returned (sessions, statements, stubs) as well, and unwraps it when it is passed back. */
function watch(target: object, name: string, watching: Watching): object {
  const { between, inner } = watching;
  const proxy = new Proxy(target, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key, of);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const real = args.map((arg) => unwrap(arg, inner));
        const result = between(`${name}.${String(key)}`, () => Reflect.apply(value, of, real), of);
        const plain = typeof result !== 'object' || result === null || result instanceof Promise;
        return plain || isThenable(result) ? result : watch(result, name, watching);
      };
    },
  });
  inner.set(proxy, target);
  return proxy;
}

const isThenable = (value: object): boolean => 'then' in value;

function unwrap(arg: unknown, inner: Watching['inner']): unknown {
  if (Array.isArray(arg)) return arg.map((one) => unwrap(one, inner));
  return typeof arg === 'object' && arg !== null ? (inner.get(arg) ?? arg) : arg;
}
