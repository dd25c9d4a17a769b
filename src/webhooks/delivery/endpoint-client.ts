import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { retry } from '../../kernel/core/retry.ts';
import type { WebhookName } from '../tables.ts';
import { logFields } from './cached-registration.ts';

/** The object of a webhook. */
export const endpointOf = (env: Env, { tenantId, webhookId }: WebhookName) =>
  env.WEBHOOK_ENDPOINT.getByName(`${tenantId}:${webhookId}`);

/**
 * Makes a change of a registration hold: once this answers, nothing is sent by the old one. `unavailable`
 * when the object can't be told; the change is in D1 and holds a minute later.
 */
export async function notifyRegistrationChanged(
  env: Env,
  name: WebhookName,
  fresh: boolean,
): Promise<Result<void>> {
  const told = await retry(() => endpointOf(env, name).changed(name, fresh));
  return told ? ok(undefined) : fail('unavailable');
}

/** Has the object of a deleted webhook forget everything; one that can't be told finds out by itself. */
export async function notifyRegistrationDeleted(env: Env, name: WebhookName): Promise<void> {
  try {
    await endpointOf(env, name).purge();
  } catch {
    console.warn(JSON.stringify({ event: 'endpoint_not_told', ...logFields(name) }));
  }
}
