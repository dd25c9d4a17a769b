import type { Outcome } from '../sending/send.ts';
import type { Failing } from '../tables.ts';
import { pauseReason, unsentDelay } from './schedule.ts';

/** The backoff after unsent attempts: the instant (ms) of its end, and the consecutive count. */
type Unsent = { readonly until: number; readonly times: number };

/**
 * The state of a webhook's receiver in its object's storage: the current run of failures, its `Retry-After`,
 * and what D1 doesn't have yet. Synchronous; times in ms.
 */
export class Health {
  /**
   * The number of resets since the object was created; the results of attempts that began before a reset don't count.
   */
  resets = 0;

  constructor(private readonly kv: SyncKvStorage) {}

  /** The reason for a pause that is not in D1 yet; nothing is sent meanwhile. */
  get pausing(): 'gone' | 'failing' | null {
    return this.kv.get<'gone' | 'failing'>('pausing') ?? null;
  }

  /** The instant before which nothing is sent, because of `Retry-After` or unsent attempts. */
  get waitsUntil(): number {
    return Math.max(this.kv.get<number>('quietUntil') ?? 0, this.unsent?.until ?? 0);
  }

  private get unsent(): Unsent | null {
    return this.kv.get<Unsent>('unsent') ?? null;
  }

  /** Records an unsent attempt, and backs off exponentially. */
  noteUnsent(at: number): void {
    const { until, times } = this.unsent ?? { until: 0, times: 0 };
    // Attempts concurrent with the first failed one don't extend the backoff.
    if (until <= at) this.kv.put<Unsent>('unsent', { until: at + unsentDelay(times), times: times + 1 });
  }

  /** Records the outcome of an attempt. */
  note({ status, error, retryAfter }: Outcome, at: number): void {
    // A sent attempt resets the backoff.
    if (this.unsent?.times) this.kv.put<Unsent>('unsent', { ...this.unsent, times: 0 });
    if (error === null) {
      this.kv.delete('failing');
      return;
    }
    const { since, failures } = this.failing ?? { since: at, failures: 0 };
    const description = [status, error].filter((part) => part !== null).join(' ');
    this.kv.put<Failing>('failing', { since, failures: failures + 1, error: description });
    const reason = pauseReason(status, since, at);
    if (reason) this.kv.put('pausing', reason);
    // 429 and 503 concern the receiver as a whole, not this one delivery.
    if (retryAfter !== null && (status === 429 || status === 503)) this.kv.put('quietUntil', retryAfter);
  }

  /** The failures since the last success; null without any. */
  get failing(): Failing | null {
    return this.kv.get<Failing>('failing') ?? null;
  }

  /** Whether D1 has the current failures, or their end. */
  get isReported(): boolean {
    return (this.kv.get('told') ?? '') === fingerprint(this.failing);
  }

  /** Records that D1 has these failures. */
  markReported(failing: Failing | null): void {
    this.kv.put('told', fingerprint(failing));
  }

  /** Records that D1 has the pause. */
  markPaused(): void {
    this.kv.delete('pausing');
  }

  /** Discards the receiver's `Retry-After`, because a replay was requested. */
  clearRetryAfter(): void {
    this.kv.delete('quietUntil');
  }

  /** Resets failures and waits after a time in which the plan had no webhooks: nothing was sent then. */
  followPlan(excluded: boolean): void {
    if (excluded === (this.kv.get<boolean>('excluded') ?? false)) return;
    if (!excluded) this.reset();
    this.kv.put('excluded', excluded);
  }

  /** Resets failures and waits after the webhook is activated or gets a new URL. */
  reset(): void {
    this.resets += 1;
    for (const key of ['pausing', 'failing', 'quietUntil', 'unsent']) this.kv.delete(key);
  }
}

const fingerprint = (failing: Failing | null): string =>
  failing ? `${failing.failures} since ${failing.since}` : '';
