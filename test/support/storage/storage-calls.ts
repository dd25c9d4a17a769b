import { env } from 'cloudflare:workers';
import { type Interceptor, interceptBindings } from '../faults/bindings.ts';

/** What one request cost in storage, its work after the response included. */
export interface StorageCalls {
  /** Round trips to a D1 database: batches, and statements by themselves. */
  database: number;
  search: number;
  /** Rows that D1 reports as read and as written, indexes included. */
  read: number;
  written: number;
  /** Calls of Durable Objects, but for the limiter's leases and the request log, which many requests share. */
  objects: number;
  /** Reads and writes of KV and of R2. */
  cache: number;
  media: number;
  /** Calls that send messages to queues. */
  queues: number;
}

/** Objects whose calls serve many requests: leases and the log of requests. */
const SHARED_OBJECTS = ['RATE_LIMITER', 'REQUEST_LOG'];

/** Every binding of a store, an object or a queue; a new one is counted without being named here. */
const BINDINGS = Object.keys(env).filter((name): name is keyof Env => {
  const binding: unknown = Reflect.get(env, name);
  const isObject = typeof binding === 'object' && binding !== null;
  return isObject && name !== 'ASSETS' && !name.startsWith('MIGRATIONS') && !SHARED_OBJECTS.includes(name);
});

/** The calls that reach a store; others prepare a statement or name an object. */
const TRIP = /\.(batch|all|raw|run|first|exec)$/;
const NAMING = /\.(get|getByName|idFromName|idFromString|newUniqueId|jurisdiction)$/;
/**
 * Calls whose answer an isolate uses for all requests of a time: a tenant's state for half a second, for agents its row
 * and the permits of a platform for a second, the platform's profile for ten.
 */
const SHARED = new Set([
  ...['TENANT.current', 'TENANT.row'],
  ...['PLATFORM_DIRECTORY.lease', 'PLATFORM_DIRECTORY.profile'],
]);

/** Returns the real bindings, and what their calls amount to so far. */
export function countStorageCalls(): { readonly env: Env; readonly calls: StorageCalls } {
  const calls: StorageCalls = {
    database: 0,
    search: 0,
    read: 0,
    written: 0,
    objects: 0,
    cache: 0,
    media: 0,
    queues: 0,
  };
  const between: Interceptor = (name, call) => {
    const [binding = ''] = name.split('.');
    if (/^(?:DB|SHARD_\d\d)$/.test(binding)) return TRIP.test(name) ? trip(calls, 'database', call) : call();
    if (/^SEARCH_\d\d$/.test(binding)) return TRIP.test(name) ? trip(calls, 'search', call) : call();
    if (binding === 'CACHE') calls.cache += 1;
    else if (binding === 'MEDIA') calls.media += 1;
    else if (binding.endsWith('_QUEUE')) calls.queues += 1;
    else if (!NAMING.test(name) && !SHARED.has(name)) calls.objects += 1;
    return call();
  };
  return { env: interceptBindings(BINDINGS, between), calls };
}

async function trip(
  calls: StorageCalls,
  store: 'database' | 'search',
  call: () => unknown,
): Promise<unknown> {
  calls[store] += 1;
  const result = await call();
  for (const one of Array.isArray(result) ? result : [result]) {
    // Results of `raw` and `first` have no figures.
    const meta: Partial<D1Meta> = one?.meta ?? {};
    calls.read += meta.rows_read ?? 0;
    calls.written += meta.rows_written ?? 0;
  }
  return result;
}
