import { afterCharge, delayBefore, type RateLimit, storedState } from '../async/rate-limit.ts';
import { BoundedMap } from '../core/bounded-map.ts';
import { now } from '../core/clock.ts';

/** The allowance of requests that read storage although nothing is known of their sender: 60, then one a second. */
export const ANONYMOUS_LOOKUPS: RateLimit = { burst: 60, intervalMs: 1_000 };

/** The most keys that a throttle remembers; the oldest are evicted. */
const MAX_KEYS = 10_000;

/** Returns the key of a network's requests for one thing; that of the unknown network ("") stays "". */
export const networkKey = (network: string, what: string): string =>
  network === '' ? '' : `${network} ${what}`;

/**
 * Limits what networks do: their failures, or their requests for one thing ({@link networkKey}); or what sessions do.
 * Kept only in the isolate's memory, so that no request costs storage. The unknown network ("") is never limited: it
 * would be everybody's.
 */
export class NetworkThrottle {
  /** When all that was counted under each key has expired (ms since the epoch). */
  private readonly expirations = new BoundedMap<string, number>(MAX_KEYS);

  constructor(private readonly limit: RateLimit) {}

  /** Returns how long (whole seconds) to wait before the next attempt under a key; 0 if there is no need. */
  retryAfter(key: string): number {
    return Math.ceil(delayBefore(this.limit, this.stateOf(key), now()) / 1_000);
  }

  /** Counts a failure or a request. */
  record(key: string): void {
    if (key === '') return;
    this.expirations.set(key, afterCharge(this.limit, this.stateOf(key), now()));
  }

  /** Forgets what was counted under a key, after a success. */
  clear(key: string): void {
    this.expirations.delete(key);
  }

  private stateOf(key: string): number {
    return storedState(this.limit, this.expirations.get(key) ?? 0, now());
  }
}
