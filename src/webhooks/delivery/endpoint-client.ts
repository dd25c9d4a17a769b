import { retry } from '../../kernel/async/retry.ts';
import { log } from '../../kernel/core/log.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import { logFields } from '../object/cached-registration.ts';
import type { WebhookName } from '../tables.ts';

/** Returns the stub of a webhook's object. */
export const endpointOf = (env: Env, { tenantId, webhookId }: WebhookName) =>
  tenantObject(env.WEBHOOK_ENDPOINT, { tenantId, name: `${tenantId}:${webhookId}` });

/**
 * Notifies the object of a changed registration: once this returns, nothing is sent under the old one.
 * Returns `unavailable` when the object can't be reached; the change in D1 then takes effect within a minute.
 */
export async function notifyRegistrationChanged(
  env: Env,
  name: WebhookName,
  fresh: boolean,
): Promise<Result<void>> {
  const notified = await retry(() => endpointOf(env, name).changed(name, fresh));
  return notified ? ok(undefined) : fail('unavailable');
}

/** Purges the object of a deleted webhook; an unreachable object purges itself when it reads D1 again. */
export async function notifyRegistrationDeleted(env: Env, name: WebhookName): Promise<void> {
  const notified = await retry(() => endpointOf(env, name).purge());
  if (!notified) log('endpoint_not_notified', logFields(name));
}
