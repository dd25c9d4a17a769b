import { HOUR, MINUTE } from '../kernel/core/clock.ts';
import type { Reservation } from './tables.ts';

/** How long stock is kept for a version of a cart whose order is not placed yet, from its first call on (ms). */
export const HOLD_MS = 15 * MINUTE;
/** In each period of so long (ms) … */
export const HOLD_PERIOD_MS = HOUR;
/** … a cart keeps stock for so long at most (ms), however often it is changed: else it could keep it for ever. */
export const MAX_HELD_MS = 30 * MINUTE;

/** When stock that is kept now is given back, and when the cart's hold period began (ms). */
export interface HoldTime {
  readonly from: number;
  /** Not after the present instant: then the cart has used up its time, and nothing is kept. */
  readonly until: number;
}

/**
 * Returns how long stock is kept for a version of a cart: {@link HOLD_MS} from its first call on, whatever calls
 * come later, and never longer than {@link MAX_HELD_MS} in a {@link HOLD_PERIOD_MS}. Only an order extends it.
 */
export function holdTime(
  existing: readonly Reservation[],
  mine: Reservation | undefined,
  at: number,
): HoldTime {
  const last = Math.max(0, ...existing.map(({ heldFrom }) => heldFrom));
  const from = last + HOLD_PERIOD_MS > at ? last : at;
  const latest = from + MAX_HELD_MS;
  // What was with an order ends later than any hold: it is kept for that order's sake, its stock is not.
  if (mine?.heldFrom === from && mine.expiresAt <= latest) return { from, until: mine.expiresAt };
  return { from, until: Math.min(at + HOLD_MS, latest) };
}
