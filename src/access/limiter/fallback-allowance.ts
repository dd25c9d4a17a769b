import { second, type Usage } from './sliding-window.ts';

/**
 * The requests that an isolate admits by itself while the limiter can't be reached: at most a tenth of the
 * limit, and no more than the limiter last reported as free, so that one isolate alone never exceeds the
 * limit. Without I/O; times are ms of the isolate's clock.
 */
export class FallbackAllowance {
  /** Requests left until the limiter responds again. */
  left = 0;
  /** Upper bound (ms) of how far the limiter's clock is ahead of this isolate's. */
  private ahead = 0;
  private used = new Map<number, number>();

  /** Resets the allowance after a response of the limiter: `remaining` requests of `limit` were free. */
  refill(remaining: number, limit: number): void {
    this.left = Math.min(remaining, Math.max(1, Math.floor(limit / 10)));
  }

  /** Learns how far (ms) the limiter's clock is ahead, so that requests are counted by its seconds. */
  setClock(ahead: number): void {
    this.ahead = ahead;
  }

  /** Admits a request that arrives at `at`. Returns false if the allowance is used up. */
  admit(at: number): boolean {
    if (this.left <= 0) return false;
    this.left -= 1;
    this.count(second(at + this.ahead), 1);
    return true;
  }

  /** Returns and resets the requests admitted since the last report. */
  report(): Usage {
    const usage = [...this.used];
    this.used = new Map();
    return usage;
  }

  /** Restores a report that may not have arrived. Counting it twice is safe; losing it is not. */
  putBack(usage: Usage): void {
    for (const [when, count] of usage) this.count(when, count);
  }

  private count(when: number, count: number): void {
    this.used.set(when, (this.used.get(when) ?? 0) + count);
  }
}
