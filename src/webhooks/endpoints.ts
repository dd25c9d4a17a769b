import { readableEvents } from '../events/index.ts';
import type { Result } from '../kernel/core/result.ts';
import type { Call } from '../kernel/http/context.ts';
import { endpointOf } from './delivery/endpoint-client.ts';
import type { WebhookEndpoint } from './object/webhook-endpoint.ts';
import type { Audience } from './registrations/present.ts';
import { webhookById } from './registrations/store.ts';
import type { WebhookName } from './tables.ts';

/** Options that every webhook endpoint shares. */
export const READ = { tag: 'Webhooks', access: 'webhooks:read', feature: 'webhooks' } as const;
/** Those of an endpoint that changes or sends something. */
export const WRITE = { ...READ, access: 'webhooks:write' } as const;

/** A webhook of the tenant, its object, and how its deliveries are shown to the caller. */
interface CalledWebhook {
  readonly name: WebhookName;
  readonly object: DurableObjectStub<WebhookEndpoint>;
  readonly audience: Audience;
}

/** Runs `work` with the tenant's webhook, or returns `webhook_not_found`. */
export async function withWebhook<T>(
  call: Call<{ id: number }>,
  work: (webhook: CalledWebhook) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { env, tenantId, caller, params } = call;
  const found = await webhookById(call, params.id);
  if (!found.ok) return found;
  const name = { tenantId, webhookId: params.id };
  const audience = { readable: readableEvents(caller), isPaused: found.value.status === 'paused' };
  return work({ name, object: endpointOf(env, name), audience });
}
