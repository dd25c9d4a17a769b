import { fail, ok, type Result } from '../kernel/result.ts';

/**
 * Makes a change of an application hold everywhere within two seconds. `unavailable` when its limiter
 * can't be told: the change is in D1 and will hold half a minute later.
 */
export async function applicationChanged(
  env: Env,
  tenantId: number,
  applicationId: number,
): Promise<Result<void>> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      await env.RATE_LIMITER.getByName(`${tenantId}:${applicationId}`).reload(tenantId, applicationId);
      return ok(undefined);
    } catch {
      // The next try takes a new stub.
    }
  }
  return fail('unavailable');
}
