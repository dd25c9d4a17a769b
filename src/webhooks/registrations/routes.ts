import { z } from '@hono/zod-openapi';
import { type EventType, readableEvents, unreadable } from '../../events/index.ts';
import { type Failed, invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { Call } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { notifyRegistrationChanged, notifyRegistrationDeleted } from '../delivery/endpoint-client.ts';
import { READ, WRITE, withWebhook } from '../endpoints.ts';
import { webhookExamples } from '../examples.ts';
import { filterProblem } from '../filter.ts';
import { guardUrl } from '../sending/url-guard.ts';
import type { WebhookFilter, WebhookRow } from '../tables.ts';
import { presentWebhook } from './present.ts';
import {
  DELIVERY_PROTOCOL,
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
  sendableEvents,
  webhookById,
} from './store.ts';

/** Returns the normalized URL, or a validation error if it may not be called. */
async function checkedUrl({ env, c }: Call, url: string): Promise<Result<string>> {
  const verdict = await guardUrl(env, url, { requestUrl: c.req.url });
  return verdict.ok ? ok(verdict.url) : invalid('url', verdict.problem);
}

const list = endpoint(
  {
    ...READ,
    method: 'get',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    answer: z.object({ data: z.array(Webhook) }),
    example: webhookExamples.list,
  },
  async (call) => ok({ data: (await listWebhooks(call)).map(presentWebhook) }),
);

const create = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks',
    summary: 'Register a webhook',
    description: DELIVERY_PROTOCOL,
    body: WebhookCreate,
    status: 201,
    answer: WebhookWithSecret,
    errors: ['webhook_not_found', 'quota_exceeded'],
    example: webhookExamples.create,
  },
  async (call) => {
    const { caller, body, once } = call;
    const readable = readableEvents(caller);
    const refused = unreadable(body.events, readable) ?? unsuited(body.filter, body.events);
    if (refused) return refused;
    const url = await checkedUrl(call, body.url);
    if (!url.ok) return url;
    const input = { ...body, url: url.value };
    const created = await createWebhook(call, { ...input, readable }, once);
    if (!created.ok) return created;
    return ok({ ...presentWebhook(created.value.row), secret: created.value.secret });
  },
);

const get = endpoint(
  {
    ...READ,
    method: 'get',
    path: '/v1/webhooks/{id}',
    summary: 'Get a webhook',
    params: WebhookParams,
    answer: Webhook,
    errors: ['webhook_not_found'],
    example: webhookExamples.get,
  },
  async (call) => {
    const found = await webhookById(call, call.params.id);
    return found.ok ? ok(presentWebhook(found.value)) : found;
  },
);

const patch = endpoint(
  {
    ...WRITE,
    method: 'patch',
    path: '/v1/webhooks/{id}',
    summary: 'Update a webhook',
    description:
      'While `paused`, nothing is sent: events are `held` for 30 days (above 5 GiB for 5) and can be replayed. Setting `active` does not send held events. A new `url` requires the read scope of every event that may still be sent there: current subscriptions, and those of the last 31 days, whose deliveries may be stored.',
    params: WebhookParams,
    body: WebhookPatch,
    answer: Webhook,
    errors: ['webhook_not_found', 'conflict'],
    example: webhookExamples.patch,
  },
  async (call) => {
    const { env, caller, params, body } = call;
    const name = { tenantId: caller.tenantId, webhookId: params.id };
    const readable = readableEvents(caller);
    const change = await checkedPatch(call, readable);
    if (!change.ok) return change;
    const patched = await patchWebhook(call, params.id, { ...change.value, readable });
    if (!patched.ok) return patched;
    const fresh = body.status === 'active' || body.url !== undefined;
    const notified = await notifyRegistrationChanged(env, name, fresh);
    return notified.ok ? ok(presentWebhook(patched.value)) : notified;
  },
);

/** Returns a validation error if none of the events has one of the filter's keys, or can have one of its values. */
function unsuited(filter: WebhookFilter | null, events: readonly EventType[]): Failed | null {
  const problem = filter && filterProblem(filter, events);
  return problem === null ? null : invalid('filter', problem);
}

/** Returns why a webhook may not be changed so: its filter, or scopes that a new URL requires. */
function refusedChange(
  before: WebhookRow,
  patch: WebhookPatch,
  readable: readonly EventType[],
): Failed | null {
  const { filter = before.filter, events = before.events, url } = patch;
  const isChanged = patch.filter !== undefined || patch.events !== undefined;
  const sent = url === undefined ? null : unreadable(sendableEvents(before), readable);
  return (isChanged ? unsuited(filter, events) : null) ?? sent;
}

/** Checks scopes before the DNS lookup of the URL; the write checks them again atomically. */
async function checkedPatch(
  call: Call<{ id: number }, unknown, WebhookPatch>,
  readable: readonly EventType[],
): Promise<Result<WebhookPatch>> {
  const { params, body } = call;
  const named = unreadable(body.events, readable);
  if (named) return named;
  const isPlain = body.url === undefined && body.events === undefined && body.filter === undefined;
  const before = isPlain ? null : await webhookById(call, params.id);
  if (!before) return ok(body);
  const refused = before.ok ? refusedChange(before.value, body, readable) : null;
  if (refused || body.url === undefined) return refused ?? ok(body);
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
    example: webhookExamples.remove,
  },
  async (call) => {
    const { env, tenantId, params } = call;
    const deleted = await deleteWebhook(call, params.id);
    if (deleted.ok) await notifyRegistrationDeleted(env, { tenantId, webhookId: params.id });
    return deleted;
  },
);

const rotate = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks/{id}/rotate-secret',
    id: 'rotateWebhookSecret',
    summary: "Rotate a webhook's secret",
    description:
      'Responds with the new secret, which is shown only once. For 24 hours deliveries carry two signatures, the second with the old secret. Another rotation within these 24 hours ends the signature of the first secret at once: a receiver that has only that one rejects deliveries, which are retried. Like a new URL, requires the read scope of every event that may still be sent.',
    params: WebhookParams,
    answer: WebhookWithSecret,
    errors: ['webhook_not_found'],
    example: webhookExamples.rotate,
  },
  (call) =>
    withWebhook(call, async ({ name, audience: { readable } }) => {
      const rotation = { id: name.webhookId, readable };
      const rotated = await rotateSecret(call, rotation, call.once);
      if (!rotated.ok) return rotated;
      const notified = await notifyRegistrationChanged(call.env, name, false);
      return notified.ok
        ? ok({ ...presentWebhook(rotated.value.row), secret: rotated.value.secret })
        : notified;
    }),
);

/** The endpoints for webhook registrations. */
export const webhookEndpoints: readonly Endpoint[] = [list, create, get, patch, remove, rotate];
