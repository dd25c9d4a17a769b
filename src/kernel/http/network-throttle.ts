import { BoundedMap } from '../core/bounded-map.ts';
import { now } from '../core/clock.ts';

/** What a throttle allows under one key: `burst` at once, then one after each interval (ms). */
interface Allowance {
  readonly burst: number;
  readonly intervalMs: number;
}

/** The allowance of requests that read storage although nothing is known of their sender: 60, then one a second. */
export const ANONYMOUS_LOOKUPS: Allowance = { burst: 60, intervalMs: 1_000 };

/** The most keys that a throttle remembers; the oldest are evicted. */
const MAX_KEYS = 10_000;

/** Returns the key of a network's requests for one thing; that of the unknown network ("") stays "". */
export const networkKey = (network: string, what: string): string =>
  network === '' ? '' : `${network} ${what}`;

/**
 * Limits what networks do (GCRA, ITU-T I.371): their failures, or their requests for one thing ({@link networkKey}).
 * Kept only in the isolate's memory, so that no request costs storage. The unknown network ("") is never limited: it
 * would be everybody's.
 */
export class NetworkThrottle {
  /** When all that was counted under each key has expired (ms since the epoch). */
  private readonly expirations = new BoundedMap<string, number>(MAX_KEYS);

  constructor(private readonly allowed: Allowance) {}

  /** Returns how long (whole seconds) to wait before the next attempt under a key; 0 if there is no need. */
  retryAfter(key: string): number {
    const { burst, intervalMs } = this.allowed;
    const wait = (this.expirations.get(key) ?? 0) + intervalMs - burst * intervalMs - now();
    return Math.max(0, Math.ceil(wait / 1_000));
  }

  /** Counts a failure or a request. */
  record(key: string): void {
    if (key === '') return;
    const until = Math.max(this.expirations.get(key) ?? 0, now()) + this.allowed.intervalMs;
    this.expirations.set(key, until);
  }

  /** Forgets what was counted under a key, after a success. */
  clear(key: string): void {
    this.expirations.delete(key);
  }
}
