/** Workers that crash, or whose calls of bindings fail: stored data must be consistent all the same. */
import { interceptBindings } from './bindings.ts';

/**
 * What a request from cart to order keeps something in. Not the limiter and the cache: what an isolate knows
 * of those it shares among requests, so that others would die along.
 */
const BINDINGS = ['DB', 'TENANT', 'CART', 'SEARCH_QUEUE', 'WEBHOOK_QUEUE'] as const;
/** Calls that only create objects in memory, and are synchronous. */
const AT_ONCE = /\.(prepare|bind|withSession|getBookmark|idFromName|getByName)$/;

/** What happens to a call: it is made never, once or twice, and returns or throws. */
type Fate = <T>(name: string, call: () => Promise<T>) => Promise<T>;

const fated = (fate: Fate): Env =>
  interceptBindings(BINDINGS, (name, call) => (AT_ONCE.test(name) ? call() : fate(name, async () => call())));

const lost = () => new Error('D1_ERROR: Network connection lost.');

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
    throw lost();
  };
  const fate: Fate = async (name, call) => {
    if (dead) throw lost();
    const last = calls.push(name) === nth;
    if (last && when === 'before') die();
    // The response of a call that is pending at the crash is lost.
    const answer = await call();
    if (last || dead) die();
    return answer;
  };
  return { env: fated(fate), external: fate, calls, crashed: () => dead };
}

/**
 * Returns a Worker of whose calls this share fails: rejected before it takes effect, made with its response
 * lost, delayed, or made twice, each equally often.
 */
export function unreliableWorker(random: () => number, share: number): Env {
  return fated(async (_, call) => {
    const luck = random();
    if (luck >= share) return call();
    switch (Math.floor((luck / share) * 4)) {
      case 0:
        throw lost();
      case 1:
        await call();
        throw lost();
      case 2:
        await scheduler.wait(random() * 20);
        return call();
      default: {
        const answer = await call();
        await call().catch(() => undefined);
        return answer;
      }
    }
  });
}
