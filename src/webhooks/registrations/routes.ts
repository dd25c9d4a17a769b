import { z } from '@hono/zod-openapi';
import type { EventType } from '../../events/index.ts';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import type { Call } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { notifyRegistrationChanged, notifyRegistrationDeleted } from '../delivery/endpoint-client.ts';
import { guardUrl } from '../delivery/url-guard.ts';
import { READ, WRITE, withWebhook } from '../endpoints.ts';
import { readableEvents, sendableEvents, unreadable } from './authorize-subscription.ts';
import { presentWebhook } from './present.ts';
import {
  HOW_IT_ARRIVES,
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

/** A URL that may be called, as it is kept; 422 for another. */
async function checkedUrl({ env, c }: Call, url: string): Promise<Result<string>> {
  const verdict = await guardUrl(env, url, c.req.url);
  return verdict.ok ? ok(verdict.url) : invalid('url', verdict.problem);
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
    errors: ['webhook_not_found', 'quota_exceeded'],
  },
  async (call) => {
    const { env, caller, body, once } = call;
    const readable = readableEvents(caller);
    const refused = unreadable(body.events, readable);
    if (refused) return refused;
    const url = await checkedUrl(call, body.url);
    if (!url.ok) return url;
    const input = { ...body, url: url.value };
    const created = await createWebhook(env, database(env), caller.tenantId, input, readable, once);
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
      'While `paused` nothing is sent; what happens is `held` for 30 days and can be replayed. Making it `active` does not send what was held. A new `url` needs the read scope of every event that may still be sent there: those that it subscribes to, and those that it did in the last 31 days, whose deliveries may be stored.',
    params: WebhookParams,
    body: WebhookPatch,
    answer: Webhook,
    errors: ['webhook_not_found', 'conflict'],
  },
  async (call) => {
    const { env, caller, params, body } = call;
    const name = { tenantId: caller.tenantId, webhookId: params.id };
    const readable = readableEvents(caller);
    const change = await checkedPatch(call, readable);
    if (!change.ok) return change;
    const patched = await patchWebhook(database(env), caller.tenantId, params.id, change.value, readable);
    if (!patched.ok) return patched;
    const fresh = body.status === 'active' || body.url !== undefined;
    const told = await notifyRegistrationChanged(env, name, fresh);
    return told.ok ? ok(presentWebhook(patched.value)) : told;
  },
);

/** Refuses early what the write would refuse, before anybody's resolver is asked about the URL. */
async function checkedPatch(
  call: Call<{ id: number }, unknown, WebhookPatch>,
  readable: readonly EventType[],
): Promise<Result<WebhookPatch>> {
  const { env, caller, params, body } = call;
  const named = unreadable(body.events, readable);
  if (named || body.url === undefined) return named ?? ok(body);
  const before = await webhookById(database(env), caller.tenantId, params.id);
  const sent = before.ok ? unreadable(sendableEvents(before.value), readable) : null;
  if (sent) return sent;
  const url = await checkedUrl(call, body.url);
  return url.ok ? ok({ ...body, url: url.value }) : url;
}

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
    if (deleted.ok) await notifyRegistrationDeleted(env, { tenantId, webhookId: params.id });
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
      'Answers the new secret, which is shown this once. For 24 hours deliveries carry two signatures, the second by the old one. Needs the read scope of every event that may still be sent, as a new URL does.',
    params: WebhookParams,
    answer: WebhookWithSecret,
    errors: ['webhook_not_found'],
  },
  (call) =>
    withWebhook(call, async (db, name) => {
      const rotated = await rotateSecret(call.env, db, name, readableEvents(call.caller), call.once);
      if (!rotated.ok) return rotated;
      const told = await notifyRegistrationChanged(call.env, name, false);
      return told.ok ? ok({ ...presentWebhook(rotated.value.row), secret: rotated.value.secret }) : told;
    }),
);

/** Webhook registrations, their deliveries, and replays; what queues gave up on. */
export const webhookEndpoints: readonly Endpoint[] = [list, create, patch, remove, rotate];
