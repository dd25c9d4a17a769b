import type { Failure } from '../../kernel/core/errors.ts';
import { fail, type Result } from '../../kernel/core/result.ts';
import type { CartCoupon } from '../../promotions/index.ts';
import { applyCoupon } from '../object/edits.ts';
import type { CartState } from '../object/state.ts';

/** After so many wrong codes in a row no code is taken for so long. */
const MOST_WRONG = 10;
const PAUSE = 15 * 60_000;

/** Holds the coupon that was found for a code, unless this cart has guessed too often. */
export function tryCoupon(state: CartState, found: Result<CartCoupon>, at: number): Result<CartState> {
  const { until } = state.head.guesses;
  if (at < until) {
    const retryAfter = Math.ceil((until - at) / 1000);
    return fail('rate_limited', { message: 'Too many wrong coupon codes.', retryAfter });
  }
  if (!found.ok) return found;
  const held = applyCoupon(state, found.value, at);
  if (!held.ok || held.value === state) return held;
  const head = { ...held.value.head, guesses: { wrong: 0, until: 0 } };
  return { ok: true, value: { ...held.value, head } };
}

/** Counts a wrong code. */
export function countGuess(state: CartState, { code }: Failure, at: number): CartState {
  if (code !== 'coupon_not_found') return state;
  const wrong = state.head.guesses.wrong + 1;
  const guesses = wrong < MOST_WRONG ? { wrong, until: 0 } : { wrong: 0, until: at + PAUSE };
  return { ...state, head: { ...state.head, guesses } };
}
