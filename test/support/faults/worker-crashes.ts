/** Workers that die, or whose calls of bindings fail: what is kept must be right all the same. */
import { interceptBindings } from './bindings.ts';

/**
 * What a request from cart to order keeps something in. Not the limiter and the cache: what an isolate knows
 * of those it shares among requests, so that others would die along.
 */
const BINDINGS = ['DB', 'TENANT', 'CART', 'SEARCH_QUEUE', 'WEBHOOK_QUEUE'] as const;
/** What only makes objects in memory, and is not waited for. */
const AT_ONCE = /\.(prepare|bind|withSession|getBookmark|idFromName|getByName)$/;

/** What may become of a call: it is made never, once or twice, and answered or not. */
type Fate = <T>(name: string, call: () => Promise<T>) => Promise<T>;

const fated = (fate: Fate): Env =>
  interceptBindings(BINDINGS, (name, call) => (AT_ONCE.test(name) ? call() : fate(name, async () => call())));

const lost = () => new Error('D1_ERROR: Network connection lost.');

/** A Worker that dies at one of its calls. */
export interface CrashingWorker {
  readonly env: Env;
  /** Makes a call of something that is no binding: it may die there as well. */
  outward<T>(name: string, call: () => Promise<T>): Promise<T>;
  /** The calls that were made, by name; the last one is where it died. */
  readonly calls: string[];
  readonly died: () => boolean;
}

/**
 * A Worker that dies at its `nth` call of a binding (from 1): before the call does anything, or after it is
 * done, its answer unheard. From then on nothing that it does reaches a binding. Without `nth` it lives.
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
    // What is under way when another call dies is answered to nobody.
    const answer = await call();
    if (last || dead) die();
    return answer;
  };
  return { env: fated(fate), outward: fate, calls, died: () => dead };
}

/**
 * A Worker of whose calls this share goes wrong: as often as not each is refused before it does anything,
 * done with its answer lost, delayed, or done twice.
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
