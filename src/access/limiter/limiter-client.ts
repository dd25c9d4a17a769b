import { retry } from '../../kernel/async/retry.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import { type ApplicationName, applicationKey } from '../token.ts';

/** Returns a stub of the application's RateLimiter object. */
export const limiterOf = (env: Env, application: ApplicationName) =>
  tenantObject(env.RATE_LIMITER, { tenantId: application.tenantId, name: applicationKey(application) });

/**
 * Makes a committed change of an application take effect everywhere within two seconds. `unavailable` if its
 * limiter can't be reached; the change then takes effect within half a minute.
 */
export async function notifyApplicationChanged(env: Env, name: ApplicationName): Promise<Result<void>> {
  const notified = await retry(() => limiterOf(env, name).reload(name));
  return notified ? ok(undefined) : fail('unavailable');
}

/**
 * Returns the requests of an application counted in the last 60 seconds, or `null` if its limiter can't be
 * reached.
 */
export async function usageOf(env: Env, name: ApplicationName): Promise<number | null> {
  try {
    return (await limiterOf(env, name).usage()).used;
  } catch {
    return null;
  }
}
