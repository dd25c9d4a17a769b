import type { Failure } from '../../kernel/core/errors.ts';
import { fail, type Result } from '../../kernel/core/result.ts';
import type { CartCoupon } from '../../promotions/index.ts';
import { applyCoupon } from '../object/edits.ts';
import type { CartState } from '../object/state.ts';

/** The wrong codes in a row after which a cart rejects every code for {@link LOCKOUT_MS}. */
const MAX_WRONG_CODES = 10;
const LOCKOUT_MS = 15 * 60_000;

/** Applies the coupon that was found for a code; `rate_limited` during the lockout. */
export function tryCoupon(state: CartState, found: Result<CartCoupon>, at: number): Result<CartState> {
  const { until } = state.head.guesses;
  if (at < until) {
    const retryAfter = Math.ceil((until - at) / 1000);
    return fail('rate_limited', { message: 'Too many wrong coupon codes.', retryAfter });
  }
  if (!found.ok) return found;
  const applied = applyCoupon(state, found.value, at);
  if (!applied.ok || applied.value === state) return applied;
  const head = { ...applied.value.head, guesses: { wrong: 0, until: 0 } };
  return { ok: true, value: { ...applied.value, head } };
}

/** Counts a wrong code; starts the lockout at the limit. */
export function countWrongCode(state: CartState, { code }: Failure, at: number): CartState {
  if (code !== 'coupon_not_found') return state;
  const wrong = state.head.guesses.wrong + 1;
  const guesses = wrong < MAX_WRONG_CODES ? { wrong, until: 0 } : { wrong: 0, until: at + LOCKOUT_MS };
  return { ...state, head: { ...state.head, guesses } };
}
