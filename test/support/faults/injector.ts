/** Faults in calls of bindings, decided by a seed: what a Worker reaches may fail in each way that a network can. */
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { type Interceptor, interceptBindings } from '../../../src/kernel/observe/intercepted-bindings.ts';
import { random } from '../seeded-random.ts';

/**
 * What happens to a call: it is refused before it takes effect, takes effect and its response is lost, is slow, or is
 * made twice; or the object that it calls is evicted from memory before it.
 */
export const FAULTS = ['refused', 'lost', 'slow', 'repeated', 'evicted'] as const;
export type Fault = (typeof FAULTS)[number];

/** Every binding of a store, an object or a queue; a new one is among them without being named here. */
export const BINDINGS = Object.keys(env).filter((name): name is keyof Env => {
  const binding: unknown = Reflect.get(env, name);
  return typeof binding === 'object' && binding !== null && !/^(ASSETS|IMAGES|MIGRATIONS)/.test(name);
});

/** Calls that only create objects in memory, and are synchronous. */
export const AT_ONCE =
  /\.(prepare|bind|withSession|getBookmark|idFromName|getByName|jurisdiction|dump)$|^(?!CACHE|MEDIA)[A-Z_]+\.get$/;

/** The longest that a slow call waits (ms). */
const MAX_DELAY_MS = 20;

/** Returns a number of 32 bits for a text (FNV-1a). */
const hashOf = (text: string): number =>
  [...text].reduce((hash, char) => Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193), 0x811c9dc5);

/** The error of a call that is refused, or whose response is lost: it says nothing of whether it took effect. */
export const connectionLost = (): Error => new Error('D1_ERROR: Network connection lost.');

/** Evicts an object from memory, if it is there. */
export async function evict(object: DurableObjectStub): Promise<void> {
  await evictDurableObject(object).catch((error: Error) => {
    if (!error.message.includes('not currently running')) throw error;
  });
}

const isObject = (target: object): target is DurableObjectStub => 'id' in target && 'name' in target;

/**
 * Injects faults into a share of all calls. The fate of a call depends on nothing but the seed, the name of the work
 * that makes it, and how many calls of this kind that work has made: so a seed repeats its faults, however the works
 * that run at once take turns.
 */
export class FaultInjector {
  /** How many faults of each kind were injected. */
  readonly injected: Record<Fault, number> = { refused: 0, lost: 0, slow: 0, repeated: 0, evicted: 0 };
  calls = 0;
  private readonly worked = new Map<string, number>();

  constructor(
    readonly seed: number,
    readonly share: number,
    private readonly options: InjectorOptions = {},
  ) {}

  /** Returns random numbers for one decision of this name; the same name draws others each time. */
  luck(name: string): () => number {
    const nth = (this.worked.get(name) ?? 0) + 1;
    this.worked.set(name, nth);
    return random(hashOf(`${this.seed} ${name} ${nth}`));
  }

  /** Returns the bindings of one work: a request, a message, a run of the cron, or all of one person. */
  worker(work: string): Env {
    const fate: Interceptor = (name, call, target) => {
      if (AT_ONCE.test(name)) return call();
      this.calls += 1;
      const luck = this.luck(`${work} ${name}`);
      return luck() < this.share ? this.fail({ call, target, luck }) : call();
    };
    const { bindings = env, spared = [] } = this.options;
    return interceptBindings(
      bindings,
      BINDINGS.filter((name) => !spared.includes(name)),
      fate,
    );
  }

  private async fail({ call, target, luck }: Failing): Promise<unknown> {
    const possible = isObject(target) ? FAULTS : FAULTS.filter((fault) => fault !== 'evicted');
    const fault = possible[Math.floor(luck() * possible.length)] ?? 'refused';
    this.injected[fault] += 1;
    if (fault === 'refused') throw connectionLost();
    if (fault === 'slow') await scheduler.wait(luck() * MAX_DELAY_MS);
    if (fault === 'evicted' && isObject(target)) await evict(target);
    const answer = await call();
    if (fault === 'lost') throw connectionLost();
    if (fault === 'repeated') await (async () => call())().catch(() => undefined);
    return answer;
  }
}

/** Options of a {@link FaultInjector}. */
export interface InjectorOptions {
  /** The bindings to inject faults into, in place of the Worker's own. */
  readonly bindings?: Env;
  /** Bindings that never fail. */
  readonly spared?: readonly (keyof Env)[];
}

interface Failing {
  readonly call: () => unknown;
  readonly target: object;
  readonly luck: () => number;
}
