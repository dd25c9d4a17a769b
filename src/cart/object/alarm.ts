import { now } from '../../kernel/core/clock.ts';
import { abandonedAt } from './abandonment.ts';
import { type CartState, EXPIRED_RETENTION_MS, expiresAt } from './state.ts';

/**
 * Returns when a cart next needs its alarm (ms): when it expires, is to be deleted, or counts as abandoned, which is
 * reported after `reportsAfter` only.
 */
export function dueAt(state: CartState, reportsAfter: number): number {
  const at = now();
  const until = expiresAt(state);
  const due = until <= at ? until + EXPIRED_RETENTION_MS : until;
  return Math.min(due, Math.max(abandonedAt(state, at), reportsAfter));
}

/** The alarm of one Cart object, which goes off once, at the earliest time that it was set to. */
export class CartAlarm {
  private at = Number.POSITIVE_INFINITY;

  constructor(private readonly storage: DurableObjectStorage) {}

  /** Sets the alarm to a time (ms), unless it is set to an earlier one. */
  setBy(at: number): void {
    if (at >= this.at) return;
    this.at = at;
    void this.storage.setAlarm(at);
  }

  /** Records that the alarm went off, so that it can be set anew. */
  wentOff(): void {
    this.at = Number.POSITIVE_INFINITY;
  }
}
