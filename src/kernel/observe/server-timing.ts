import { now } from '../core/clock.ts';
import { keysOf } from '../core/records.ts';
import { isShardName } from '../shards/shard-names.ts';
import { interceptBindings } from './intercepted-bindings.ts';

/** The request header, of any value, that asks for `Server-Timing` in the response. */
export const TIMING_HEADER = 'X-Server-Timing';

/** The metric to which the calls of a binding belong; every other binding with calls is a Durable Object. */
const METRICS: Readonly<Record<string, string>> = {
  DB: 'db',
  CACHE: 'kv',
  MEDIA: 'r2',
  IMAGES: 'images',
};

/** Bindings without calls of storage, and the one that serves static files. */
const IGNORED = new Set(['ASSETS', 'REQUEST_METRICS']);

/** What the calls of one metric took. */
interface Waits {
  calls: number;
  ms: number;
}

/** The bindings of one request, and what its calls of them took. */
interface TimedBindings {
  readonly env: Env;
  /**
   * Returns the value of `Server-Timing` (W3C Server Timing): durations in ms; those of concurrent calls are added
   * up.
   */
  header(): string;
}

/** Returns bindings that measure the calls of one request. */
export function timedBindings(env: Env): TimedBindings {
  const [startedAt, waits] = [now(), new Map<string, Waits>()];
  const names = keysOf(env).filter((name) => {
    const binding: unknown = env[name];
    return typeof binding === 'object' && binding !== null && !IGNORED.has(name);
  });
  const timed = interceptBindings(env, names, (name, call) => {
    const [begun, result] = [now(), call()];
    if (!isPromise(result)) return result;
    const metric = metricOf(name.split('.')[0] ?? '');
    const ended = () => add(waits, metric, now() - begun);
    result.then(ended, ended);
    return result;
  });
  return { env: timed, header: () => serialize(waits, now() - startedAt) };
}

/** Returns whether a value is a promise. That of an object's call is a function, whose properties are calls too. */
const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  (typeof value === 'object' || typeof value === 'function') &&
  value !== null &&
  'then' in value &&
  typeof value.then === 'function';

function metricOf(binding: string): string {
  if (isShardName(binding)) return 'db';
  if (/^SEARCH_\d\d$/.test(binding)) return 'search';
  return METRICS[binding] ?? (binding.endsWith('_QUEUE') ? 'queues' : 'objects');
}

function add(waits: Map<string, Waits>, metric: string, ms: number): void {
  const sum = waits.get(metric) ?? { calls: 0, ms: 0 };
  waits.set(metric, { calls: sum.calls + 1, ms: sum.ms + Math.max(0, ms) });
}

const serialize = (waits: ReadonlyMap<string, Waits>, total: number): string =>
  [
    ...[...waits].map(
      ([metric, { calls, ms }]) => `${metric};dur=${ms};desc="${calls} ${calls === 1 ? 'call' : 'calls'}"`,
    ),
    `total;dur=${Math.max(0, total)}`,
  ].join(', ');
