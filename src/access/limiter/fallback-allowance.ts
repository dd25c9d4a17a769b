import { second, type Usage } from './sliding-window.ts';

/**
 * What an isolate lets through by itself while the limiter can't be reached: at most a tenth of the
 * limit, and no more than was free when the limiter was last heard, so that one isolate alone never
 * exceeds the limit. Without I/O; times are ms of the isolate's clock.
 */
export class FallbackAllowance {
  /** How many more may pass until the limiter is heard again. */
  left = 0;
  /** How far the limiter's clock is ahead of this one's, at most. */
  private ahead = 0;
  private used = new Map<number, number>();

  /** The limiter was heard: `remaining` requests of `limit` were free then. */
  refill(remaining: number, limit: number): void {
    this.left = Math.min(remaining, Math.max(1, Math.floor(limit / 10)));
  }

  setClock(ahead: number): void {
    this.ahead = ahead;
  }

  /** Admits a request that arrives at `at`, or says that the allowance is used up. */
  admit(at: number): boolean {
    if (this.left <= 0) return false;
    this.left -= 1;
    this.count(second(at + this.ahead), 1);
    return true;
  }

  /** What was admitted since the last report, for the limiter. */
  report(): Usage {
    const usage = [...this.used];
    this.used = new Map();
    return usage;
  }

  /** A report did not arrive, or nobody knows: counting it twice is safe, forgetting it is not. */
  putBack(usage: Usage): void {
    for (const [when, count] of usage) this.count(when, count);
  }

  private count(when: number, count: number): void {
    this.used.set(when, (this.used.get(when) ?? 0) + count);
  }
}
