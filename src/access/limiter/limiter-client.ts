import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { retry } from '../../kernel/core/retry.ts';

/** Returns a stub of the application's RateLimiter object. */
export const limiterOf = (env: Env, tenantId: number, applicationId: number) =>
  env.RATE_LIMITER.getByName(`${tenantId}:${applicationId}`);

/**
 * Makes a committed change of an application take effect everywhere within two seconds. `unavailable` if its
 * limiter can't be reached; the change then takes effect within half a minute.
 */
export async function notifyApplicationChanged(
  env: Env,
  tenantId: number,
  applicationId: number,
): Promise<Result<void>> {
  const notified = await retry(() => limiterOf(env, tenantId, applicationId).reload(tenantId, applicationId));
  return notified ? ok(undefined) : fail('unavailable');
}
