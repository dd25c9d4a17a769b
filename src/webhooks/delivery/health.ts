import type { Failing } from '../tables.ts';
import { pauseReason, unsentDelay } from './schedule.ts';
import type { Outcome } from './send.ts';

/** Until when (ms) attempts wait because some could not leave, and how often in a row that was so. */
type Unsent = { readonly until: number; readonly times: number };

/**
 * What a WebhookEndpoint object remembers of its receiver: since when it only fails, until when it asked to be
 * left alone, and what of that still has to be written to D1. Synchronous; times in ms.
 */
export class Health {
  constructor(private readonly kv: SyncKvStorage) {}

  /** The pause that follows from a failure and isn't in D1 yet. Nothing is sent meanwhile. */
  get pausing(): 'gone' | 'failing' | null {
    return this.kv.get<'gone' | 'failing'>('pausing') ?? null;
  }

  /** Until when nothing is sent: the receiver asked for silence, or attempts could not leave. */
  get waitsUntil(): number {
    return Math.max(this.kv.get<number>('quietUntil') ?? 0, this.unsent?.until ?? 0);
  }

  private get unsent(): Unsent | null {
    return this.kv.get<Unsent>('unsent') ?? null;
  }

  /** Notes that an attempt never left: the next one waits, longer each time in a row. */
  noteUnsent(at: number): void {
    const { until, times } = this.unsent ?? { until: 0, times: 0 };
    // Attempts that ran beside the first one that failed tell nothing new.
    if (until <= at) this.kv.put<Unsent>('unsent', { until: at + unsentDelay(times), times: times + 1 });
  }

  /** Takes in what came of an attempt. */
  note({ status, error, retryAfter }: Outcome, at: number): void {
    // It left: the next one that doesn't begins with a short wait again.
    if (this.unsent?.times) this.kv.put<Unsent>('unsent', { ...this.unsent, times: 0 });
    if (error === null) {
      this.kv.delete('failing');
      return;
    }
    const { since, failures } = this.failing ?? { since: at, failures: 0 };
    const how = [status, error].filter((part) => part !== null).join(' ');
    this.kv.put<Failing>('failing', { since, failures: failures + 1, error: how });
    const reason = pauseReason(status, since, at);
    if (reason) this.kv.put('pausing', reason);
    // "Too many requests" and "unavailable" are said of the receiver, not of this one delivery.
    if (retryAfter !== null && (status === 429 || status === 503)) this.kv.put('quietUntil', retryAfter);
  }

  /** The failures since the last success; null when there are none. */
  get failing(): Failing | null {
    return this.kv.get<Failing>('failing') ?? null;
  }

  /** Whether D1 knows of the failures, or that they are over. */
  get isTold(): boolean {
    return (this.kv.get('told') ?? '') === wordOf(this.failing);
  }

  /** These failures are in D1. */
  told(failing: Failing | null): void {
    this.kv.put('told', wordOf(failing));
  }

  /** The pause is in D1. */
  paused(): void {
    this.kv.delete('pausing');
  }

  /** Somebody asks for deliveries now: the receiver's wish for silence is over. */
  endQuiet(): void {
    this.kv.delete('quietUntil');
  }

  /** A new start: the webhook was activated or has a new URL. */
  forgive(): void {
    for (const key of ['pausing', 'failing', 'quietUntil']) this.kv.delete(key);
  }
}

const wordOf = (failing: Failing | null): string =>
  failing ? `${failing.failures} since ${failing.since}` : '';
