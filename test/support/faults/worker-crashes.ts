/** Workers that crash at one of their calls: stored data must be consistent all the same. */
import { interceptBindings, MAIN_DATABASES } from './bindings.ts';
import { AT_ONCE, connectionLost } from './injector.ts';

/**
 * What a request from cart to order stores something in. Not the limiter and the cache: an isolate shares
 * what it knows of them among requests, so a crash there would take other requests with it.
 */
const BINDINGS = [
  ...MAIN_DATABASES,
  ...(['TENANT', 'CART', 'STOCK_WRITER', 'SEARCH_QUEUE', 'WEBHOOK_QUEUE'] as const),
];

/** What happens to a call: it is made or not, and returns or throws. */
type Fate = <T>(name: string, call: () => Promise<T>) => Promise<T>;

const fated = (fate: Fate): Env =>
  interceptBindings(BINDINGS, (name, call) => (AT_ONCE.test(name) ? call() : fate(name, async () => call())));

/** A Worker that crashes at one of its calls. */
export interface CrashingWorker {
  readonly env: Env;
  /** Makes an external call; the Worker may crash there as well. */
  external<T>(name: string, call: () => Promise<T>): Promise<T>;
  /** The calls that were made, by name; it crashed at the last one. */
  readonly calls: string[];
  readonly crashed: () => boolean;
}

/**
 * Returns a Worker that crashes at its `nth` call of a binding (from 1): before the call takes effect, or after
 * it, with its response lost. From then on no call reaches a binding. Without `nth` it never crashes.
 */
export function crashingWorker(
  nth = Number.POSITIVE_INFINITY,
  when: 'before' | 'after' = 'before',
): CrashingWorker {
  const calls: string[] = [];
  let dead = false;
  const die = (): never => {
    dead = true;
    throw connectionLost();
  };
  const fate: Fate = async (name, call) => {
    if (dead) throw connectionLost();
    const last = calls.push(name) === nth;
    if (last && when === 'before') die();
    // The response of a call that is pending at the crash is lost.
    const answer = await call();
    if (last || dead) die();
    return answer;
  };
  return { env: fated(fate), external: fate, calls, crashed: () => dead };
}
