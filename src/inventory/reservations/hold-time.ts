import { HOUR, MINUTE } from '../../kernel/core/clock.ts';
import type { Reservation } from '../tables.ts';

/** Lifetime of a reservation without an order, from the first call for that cart version (ms). */
export const HOLD_DURATION_MS = 15 * MINUTE;
/** Length of a cart's hold period (ms). */
const HOLD_PERIOD_MS = HOUR;
/** Longest time that a cart holds stock within a {@link HOLD_PERIOD_MS} (ms), however often it changes. */
const MAX_HELD_MS = 30 * MINUTE;

/** When the cart's hold period began, and when stock reserved now expires (ms). */
export interface HoldTime {
  readonly from: number;
  /** In the past when the cart has used up its time; nothing is held then. */
  readonly until: number;
}

/**
 * Returns until when stock is held for a cart version: {@link HOLD_DURATION_MS} from its first call. Later calls don't
 * extend it. The cart holds stock for at most {@link MAX_HELD_MS} in a {@link HOLD_PERIOD_MS}, unless it has
 * an order.
 */
export function holdTime(
  existing: readonly Reservation[],
  own: Reservation | undefined,
  at: number,
): HoldTime {
  const last = Math.max(0, ...existing.map(({ heldFrom }) => heldFrom));
  const from = last + HOLD_PERIOD_MS > at ? last : at;
  const latest = from + MAX_HELD_MS;
  // A reservation that an order owned expires later than `latest`: that is its row's retention, not a hold.
  if (own?.heldFrom === from && own.expiresAt <= latest) return { from, until: own.expiresAt };
  return { from, until: Math.min(at + HOLD_DURATION_MS, latest) };
}
