import { BoundedMap } from '../core/bounded-map.ts';
import { MAX_CLOCK_STEP_MS, now } from '../core/clock.ts';
import { type Failed, fail } from '../core/result.ts';

/** The longest wait (ms): a tenant that takes more than that is forgiven the rest. */
const MAX_WAIT_MS = 60_000;

/** How many tenants an isolate remembers. */
const MAX_TENANTS = 10_000;

/** How much a tenant may take, in any unit. */
interface AllowanceTerms {
  readonly atOnce: number;
  /** From then on. */
  readonly aSecond: number;
  /** What the refusal says. */
  readonly message: string;
}

/** What each tenant may take of a database for which others wait. Counted in this isolate. */
export class Allowance {
  /** When each tenant is allowed what it has taken (ms since the epoch). */
  private readonly allowedAt = new BoundedMap<number, number>(MAX_TENANTS);
  private readonly burstMs: number;

  constructor(private readonly terms: AllowanceTerms) {
    this.burstMs = (terms.atOnce / terms.aSecond) * 1_000;
  }

  /** Returns `rate_limited` while a tenant has taken too much, else null. */
  refusal(tenantId: number): Failed | null {
    const at = now();
    const waitMs = this.allowedAtOf(tenantId, at) - at - this.burstMs;
    const { message } = this.terms;
    return waitMs > 0 ? fail('rate_limited', { message, retryAfter: Math.ceil(waitMs / 1_000) }) : null;
  }

  /** Counts what a tenant has taken. */
  count(tenantId: number, amount: number): void {
    const at = now();
    const until = Math.max(this.allowedAtOf(tenantId, at), at) + (amount / this.terms.aSecond) * 1_000;
    this.allowedAt.set(tenantId, Math.min(until, at + this.burstMs + MAX_WAIT_MS));
  }

  /** Returns when a tenant is allowed what it has taken; 0 if a clock that was set back since has counted it. */
  private allowedAtOf(tenantId: number, at: number): number {
    const allowedAt = this.allowedAt.get(tenantId) ?? 0;
    return allowedAt > at + this.burstMs + MAX_WAIT_MS + MAX_CLOCK_STEP_MS ? 0 : allowedAt;
  }
}
