import type { Result } from '../kernel/core/result.ts';
import type { Call } from '../kernel/http/context.ts';
import { endpointOf } from './delivery/endpoint-client.ts';
import type { WebhookEndpoint } from './object/webhook-endpoint.ts';
import { webhookById } from './registrations/store.ts';
import type { WebhookName } from './tables.ts';

/** Options that every webhook endpoint shares. */
export const READ = { tag: 'Webhooks', access: 'webhooks:read', feature: 'webhooks' } as const;
/** Those of an endpoint that changes or sends something. */
export const WRITE = { ...READ, access: 'webhooks:write' } as const;

/** Runs `work` with the tenant's webhook, its object and whether it is paused, or returns `webhook_not_found`. */
export async function withWebhook<T>(
  call: Call<{ id: number }>,
  work: (
    name: WebhookName,
    object: DurableObjectStub<WebhookEndpoint>,
    isPaused: boolean,
  ) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { env, tenantId, params } = call;
  const found = await webhookById(call, params.id);
  if (!found.ok) return found;
  const name = { tenantId, webhookId: params.id };
  return work(name, endpointOf(env, name), found.value.status === 'paused');
}
