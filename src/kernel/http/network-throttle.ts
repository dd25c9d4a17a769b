import { BoundedMap } from '../core/bounded-map.ts';
import { now } from '../core/clock.ts';

/** How many failures a throttle allows a network: `burst` at once, then one after each interval (ms). */
interface AllowedFailures {
  readonly burst: number;
  readonly intervalMs: number;
}

/** The allowance of requests that read storage although nothing is known of their sender: 60, then one a second. */
export const ANONYMOUS_LOOKUPS: AllowedFailures = { burst: 60, intervalMs: 1_000 };

/** The most networks that a throttle remembers; the oldest are evicted. */
const MAX_NETWORKS = 10_000;

/**
 * Limits the failures of networks (GCRA, ITU-T I.371). Kept only in the isolate's memory, so that no request costs
 * storage. The unknown network ("") is never limited: it would be everybody's.
 */
export class NetworkThrottle {
  /** When each network's failures have expired (ms since the epoch). */
  private readonly expirations = new BoundedMap<string, number>(MAX_NETWORKS);

  constructor(private readonly allowed: AllowedFailures) {}

  /** Returns how long (ms) a network must wait before its next attempt; 0 if it need not. */
  delay(network: string): number {
    const { burst, intervalMs } = this.allowed;
    return Math.max(0, (this.expirations.get(network) ?? 0) + intervalMs - burst * intervalMs - now());
  }

  /** Counts a failure. */
  record(network: string): void {
    if (network === '') return;
    const until = Math.max(this.expirations.get(network) ?? 0, now()) + this.allowed.intervalMs;
    this.expirations.set(network, until);
  }

  /** Forgets a network's failures after a success. */
  clear(network: string): void {
    this.expirations.delete(network);
  }
}
