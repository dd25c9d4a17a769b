import type { Call } from '../kernel/call.ts';
import { id as newId } from '../kernel/crypto.ts';
import { batch, type Database, database } from '../kernel/database.ts';
import { type Endpoint, endpoint } from '../kernel/endpoint.ts';
import { offset, pageMeta } from '../kernel/pagination.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { pingDelivery } from './envelope.ts';
import type { Endpoint as EndpointObject } from './object.ts';
import { readableEvents, unreadable } from './permission.ts';
import { presentDelivery } from './present.ts';
import {
  Deliveries,
  Delivery,
  DeliveryParams,
  DeliveryQuery,
  Replayed,
  ReplayRange,
  WebhookParams,
} from './schemas.ts';
import { webhookById } from './store.ts';
import type { WebhookName } from './tables.ts';
import { endpointOf } from './tell.ts';

/** What every endpoint of webhooks declares. */
export const READ = { tag: 'Webhooks', access: 'webhooks:read', feature: 'webhooks' } as const;
export const WRITE = { ...READ, access: 'webhooks:write' } as const;

/** Works with the tenant's webhook and its object. */
export async function withWebhook<T>(
  { env, caller: { tenantId }, params }: Call<{ id: number }>,
  work: (db: Database, name: WebhookName, object: DurableObjectStub<EndpointObject>) => Promise<Result<T>>,
): Promise<Result<T>> {
  const db = database(env);
  const found = await webhookById(db, tenantId, params.id);
  if (!found.ok) return found;
  const name = { tenantId, webhookId: params.id };
  return work(db, name, endpointOf(env, name));
}

const ping = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks/{id}/ping',
    summary: 'Send a test event',
    description: 'Sends an event of type `ping`; how it went is among the deliveries.',
    params: WebhookParams,
    answer: Delivery,
    errors: ['webhook_not_found'],
  },
  (call) =>
    withWebhook(call, async (db, name, object) => {
      const eventId = call.once.ref ?? newId('evt');
      if (call.once.ref === null) await batch(db, call.once.mark(eventId));
      await object.accept(name, [pingDelivery(name.webhookId, eventId)]);
      const sent = await object.find(eventId);
      return sent.ok ? ok(presentDelivery(sent.delivery)) : fail('webhook_not_found');
    }),
);

const deliveries = endpoint(
  {
    ...READ,
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    summary: 'List deliveries with their attempts',
    description: 'Newest first; kept for 30 days.',
    params: WebhookParams,
    query: DeliveryQuery,
    answer: Deliveries,
    errors: ['webhook_not_found'],
  },
  (call) =>
    withWebhook(call, async (_db, _name, object) => {
      const { status, event: type, limit } = call.query;
      const { rows, total } = await object.list({ status, type, limit, offset: offset(call.query) });
      return ok({ data: rows.map(presentDelivery), meta: pageMeta(call.query, total) });
    }),
);

const replayOne = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/replay',
    summary: 'Send a delivery again',
    description:
      'Under the same `webhook-id`, whatever became of it. A paused webhook sends it once active. Needs the scope that reads its event.',
    params: DeliveryParams,
    answer: Delivery,
    errors: ['webhook_not_found', 'delivery_not_found'],
  },
  (call) =>
    withWebhook(call, async (_db, name, object) => {
      const readable = readableEvents(call.caller);
      const replayed = await object.replay(name, call.params.delivery_id, readable);
      if (replayed.ok) return ok(presentDelivery(replayed.delivery));
      const refused = replayed.reason === 'forbidden' && unreadable([replayed.type], readable);
      return refused || fail('delivery_not_found');
    }),
);

const replay = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks/{id}/replay',
    summary: 'Send all events of a range of time again',
    description:
      'Everything that happened from `from` to `to`, held or not, under the same `webhook-id`. A paused webhook sends it once active. Needs the scopes that read every event of the range.',
    params: WebhookParams,
    body: ReplayRange,
    answer: Replayed,
    errors: ['webhook_not_found'],
  },
  (call) =>
    withWebhook(call, async (_db, name, object) => {
      const readable = readableEvents(call.caller);
      const replayed = await object.replayRange(name, call.body.from, call.body.to, readable);
      if (replayed.ok) return ok({ replayed: replayed.replayed });
      return unreadable([replayed.type], readable) ?? fail('internal_error');
    }),
);

/** The deliveries of a webhook, test events and replays. */
export const deliveryEndpoints: readonly Endpoint[] = [ping, deliveries, replayOne, replay];
