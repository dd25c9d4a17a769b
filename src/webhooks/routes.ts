import { z } from '@hono/zod-openapi';
import type { Call } from '../kernel/call.ts';
import { id as newId } from '../kernel/crypto.ts';
import { batch, type Database, database } from '../kernel/database.ts';
import { type Endpoint, endpoint } from '../kernel/endpoint.ts';
import { offset, pageMeta } from '../kernel/pagination.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { pingDelivery } from './envelope.ts';
import type { Endpoint as EndpointObject } from './object.ts';
import { eventsOf, permitted } from './permission.ts';
import { presentDelivery, presentWebhook } from './present.ts';
import type { WebhookName } from './registration.ts';
import {
  Deliveries,
  Delivery,
  DeliveryParams,
  DeliveryQuery,
  HOW_IT_ARRIVES,
  Replayed,
  ReplayRange,
  Webhook,
  WebhookCreate,
  WebhookParams,
  WebhookPatch,
  WebhookWithSecret,
} from './schemas.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  patchWebhook,
  rotateSecret,
  webhookById,
} from './store.ts';
import { endpointOf, tellChanged, tellDeleted } from './tell.ts';

const READ = { tag: 'Webhooks', access: 'webhooks:read', feature: 'webhooks' } as const;
const WRITE = { ...READ, access: 'webhooks:write' } as const;

/** Works with the tenant's webhook and its object. */
async function withWebhook<T>(
  { env, caller: { tenantId }, params }: Call<{ id: number }>,
  work: (db: Database, name: WebhookName, object: DurableObjectStub<EndpointObject>) => Promise<Result<T>>,
): Promise<Result<T>> {
  const db = database(env);
  const found = await webhookById(db, tenantId, params.id);
  if (!found.ok) return found;
  const name = { tenantId, webhookId: params.id };
  return work(db, name, endpointOf(env, name));
}

const list = endpoint(
  {
    ...READ,
    method: 'get',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    answer: z.object({ data: z.array(Webhook) }),
  },
  async ({ env, caller }) =>
    ok({ data: (await listWebhooks(database(env), caller.tenantId)).map(presentWebhook) }),
);

const create = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks',
    summary: 'Register a webhook',
    description: HOW_IT_ARRIVES,
    body: WebhookCreate,
    status: 201,
    answer: WebhookWithSecret,
    errors: ['webhook_not_found'],
  },
  async (call) => {
    const { env, caller, body, once } = call;
    const allowed = await permitted(call, body);
    if (!allowed.ok) return allowed;
    const created = await createWebhook(
      env,
      database(env),
      caller.tenantId,
      { ...body, ...allowed.value },
      once,
    );
    if (!created.ok) return created;
    return ok({ ...presentWebhook(created.value.row), secret: created.value.secret });
  },
);

const patch = endpoint(
  {
    ...WRITE,
    method: 'patch',
    path: '/v1/webhooks/{id}',
    summary: 'Update a webhook',
    description:
      'While `paused` nothing is sent; what happens is `held` for 30 days and can be replayed. Making it `active` does not send what was held. A new `url` needs the scopes of the events that go there.',
    params: WebhookParams,
    body: WebhookPatch,
    answer: Webhook,
    errors: ['webhook_not_found'],
  },
  async (call) => {
    const { env, caller, params, body } = call;
    const { tenantId } = caller;
    const allowed = await permitted(call, { url: body.url, events: await eventsOf(call) });
    if (!allowed.ok) return allowed;
    const patched = await patchWebhook(database(env), tenantId, params.id, { ...body, ...allowed.value });
    if (!patched.ok) return patched;
    const fresh = body.status === 'active' || body.url !== undefined;
    const told = await tellChanged(env, { tenantId, webhookId: params.id }, fresh);
    return told.ok ? ok(presentWebhook(patched.value)) : told;
  },
);

const remove = endpoint(
  {
    ...WRITE,
    method: 'delete',
    path: '/v1/webhooks/{id}',
    summary: 'Delete a webhook with its deliveries',
    params: WebhookParams,
    status: 204,
    errors: ['webhook_not_found'],
  },
  async ({ env, caller: { tenantId }, params }) => {
    const deleted = await deleteWebhook(database(env), tenantId, params.id);
    if (deleted.ok) await tellDeleted(env, { tenantId, webhookId: params.id });
    return deleted;
  },
);

const rotate = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks/{id}/rotate-secret',
    summary: "Replace a webhook's secret",
    description:
      'Answers the new secret, which is shown this once. For 24 hours deliveries carry two signatures, the second by the old one.',
    params: WebhookParams,
    answer: WebhookWithSecret,
    errors: ['webhook_not_found'],
  },
  (call) =>
    withWebhook(call, async (db, name) => {
      const rotated = await rotateSecret(call.env, db, name.tenantId, name.webhookId, call.once);
      if (!rotated.ok) return rotated;
      const told = await tellChanged(call.env, name, false);
      return told.ok ? ok({ ...presentWebhook(rotated.value.row), secret: rotated.value.secret }) : told;
    }),
);

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
    description: 'Under the same `webhook-id`, whatever became of it. A paused webhook sends it once active.',
    params: DeliveryParams,
    answer: Delivery,
    errors: ['webhook_not_found', 'delivery_not_found'],
  },
  (call) =>
    withWebhook(call, async (_db, name, object) => {
      const replayed = await object.replay(name, call.params.delivery_id);
      return replayed.ok ? ok(presentDelivery(replayed.delivery)) : fail('delivery_not_found');
    }),
);

const replay = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks/{id}/replay',
    summary: 'Send all events of a range of time again',
    description:
      'Everything that happened from `from` to `to`, held or not, under the same `webhook-id`. A paused webhook sends it once active.',
    params: WebhookParams,
    body: ReplayRange,
    answer: Replayed,
    errors: ['webhook_not_found'],
  },
  (call) =>
    withWebhook(call, async (_db, name, object) =>
      ok(await object.replayRange(name, call.body.from, call.body.to)),
    ),
);

/** Webhook registrations, their deliveries, and replays. */
export const webhookEndpoints: readonly Endpoint[] = [
  list,
  create,
  patch,
  remove,
  rotate,
  ping,
  deliveries,
  replayOne,
  replay,
];
