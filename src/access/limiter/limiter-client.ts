import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { retry } from '../../kernel/core/retry.ts';

/** The object that counts an application's requests. */
export const limiterOf = (env: Env, tenantId: number, applicationId: number) =>
  env.RATE_LIMITER.getByName(`${tenantId}:${applicationId}`);

/**
 * Makes a change of an application hold everywhere within two seconds. `unavailable` when its limiter
 * can't be told: the change is in D1 and will hold half a minute later.
 */
export async function notifyApplicationChanged(
  env: Env,
  tenantId: number,
  applicationId: number,
): Promise<Result<void>> {
  const told = await retry(() => limiterOf(env, tenantId, applicationId).reload(tenantId, applicationId));
  return told ? ok(undefined) : fail('unavailable');
}
