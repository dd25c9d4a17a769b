import type { Outcome } from './post.ts';
import { pauseReason } from './schedule.ts';

/**
 * What an Endpoint object remembers of its receiver: since when it only fails, until when it asked to be
 * left alone, and a pause that still has to be written to D1. Synchronous; times in ms.
 */
export class Health {
  constructor(private readonly kv: SyncKvStorage) {}

  /** The pause that follows from a failure and isn't in D1 yet. Nothing is sent meanwhile. */
  get pausing(): 'gone' | 'failing' | null {
    return this.kv.get<'gone' | 'failing'>('pausing') ?? null;
  }

  /** Until when the receiver asked for silence. */
  get quietUntil(): number {
    return this.kv.get<number>('quietUntil') ?? 0;
  }

  /** Takes in what came of an attempt. */
  note({ status, error, retryAfter }: Outcome, at: number): void {
    if (error === null) {
      this.kv.delete('failingSince');
      return;
    }
    const failingSince = this.kv.get<number>('failingSince') ?? at;
    this.kv.put('failingSince', failingSince);
    const reason = pauseReason(status, failingSince, at);
    if (reason) this.kv.put('pausing', reason);
    // "Too many requests" and "unavailable" are said of the receiver, not of this one delivery.
    if (retryAfter !== null && (status === 429 || status === 503)) this.kv.put('quietUntil', retryAfter);
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
    for (const key of ['pausing', 'failingSince', 'quietUntil']) this.kv.delete(key);
  }
}
