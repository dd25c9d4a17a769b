/** Throttling of login attempts and registrations. Pure functions; times are in ms. */
import type { RateLimit } from '../../kernel/async/rate-limit.ts';
import { MINUTE } from '../../kernel/core/clock.ts';

/** Consecutive failed attempts at an account before delays begin. */
const FREE_ATTEMPTS = 5;
/** The longest delay between two attempts at one account (ms). Accounts are never locked. */
const MAX_DELAY_MS = 15 * MINUTE;
/** The retry delay suggested to an attempt that is rejected because the queue is full (ms). */
export const RETRY_DELAY_MS = 1_000;

/**
 * Returns the delay after the last of `wrong` consecutive failures: 1 s after the fifth, then doubled each time,
 * at most 15 minutes. That allows 14 attempts in ten minutes and 110 in a day.
 */
export const waitAfter = (wrong: number): number =>
  wrong < FREE_ATTEMPTS ? 0 : Math.min(1_000 * 2 ** Math.min(wrong - FREE_ATTEMPTS, 30), MAX_DELAY_MS);

/** The limit on failed attempts from one network, over all accounts of a tenant. */
export const FAILED_ATTEMPT_LIMIT: RateLimit = { burst: 20, intervalMs: 6_000 };
/** The limit on registrations from one network with one tenant. */
export const REGISTRATION_LIMIT: RateLimit = { burst: 10, intervalMs: 30_000 };
/** Returns the limit on all registrations with one tenant, from its plan's registrations per minute. */
export const tenantRegistrationLimit = (perMinute: number): RateLimit => ({
  burst: perMinute,
  intervalMs: MINUTE / perMinute,
});
