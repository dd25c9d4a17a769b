import { newEventId, unreadable } from '../../events/index.ts';
import { rowsBefore } from '../../kernel/core/pagination.ts';
import { type Failed, fail, ok } from '../../kernel/core/result.ts';
import { batch } from '../../kernel/data/database.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { READ, WRITE, withWebhook } from '../endpoints.ts';
import { webhookExamples } from '../examples.ts';
import type { Forbidden, NotFound } from '../object/refusals.ts';
import { type Audience, presentDelivery, presentSentDelivery } from '../registrations/present.ts';
import {
  Deliveries,
  Delivery,
  DeliveryParams,
  DeliveryQuery,
  DeliveryWithRequest,
  deliveryPages,
  Replayed,
  ReplayRange,
  WebhookParams,
} from '../registrations/schemas.ts';
import { pingDelivery, subjectIn } from './envelope.ts';

/** Returns why a delivery is not shown to the caller. */
const refusalOf = (refused: NotFound | Forbidden, { readable }: Audience): Failed =>
  (refused.reason === 'forbidden' && unreadable([refused.type], readable)) || fail('delivery_not_found');

const ping = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks/{id}/ping',
    summary: 'Send a test event',
    description: 'Sends an event of type `ping`; its outcome appears in the list of deliveries.',
    params: WebhookParams,
    answer: Delivery,
    errors: ['webhook_not_found'],
    example: webhookExamples.ping,
  },
  (call) =>
    withWebhook(call, async ({ name, object, audience }) => {
      const eventId = call.once.ref ?? newEventId();
      if (call.once.ref === null) await batch(call.db, call.once.mark(eventId));
      await object.accept(name, [pingDelivery(name.webhookId, eventId)]);
      const sent = await object.find(eventId);
      return sent.ok ? ok(presentDelivery(sent.delivery, audience)) : fail('webhook_not_found');
    }),
);

const deliveries = endpoint(
  {
    ...READ,
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    summary: 'List deliveries with their attempts',
    description:
      'Lists deliveries of the last 30 days (above 5 GiB of the last 5), newest first. `response_body` requires the scope that reads the event.',
    params: WebhookParams,
    query: DeliveryQuery,
    answer: Deliveries,
    errors: ['webhook_not_found'],
    example: webhookExamples.deliveries,
  },
  (call) =>
    withWebhook(call, async ({ object, audience }) => {
      const { status, event: type } = call.query;
      const page = deliveryPages.pageOf(call.query);
      const wanted = { limit: page.limit + 1, offset: rowsBefore(page), before: page.after };
      const { rows, total } = await object.list({ status, type, ...wanted });
      const shown = deliveryPages.cut(rows, page, { total, key: ({ id }) => id });
      return ok({ data: shown.rows.map((row) => presentDelivery(row, audience)), meta: shown.meta });
    }),
);

const get = endpoint(
  {
    ...READ,
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
    id: 'getWebhookDelivery',
    summary: 'Get a delivery with its request',
    description: 'Requires the scope that reads its event.',
    params: DeliveryParams,
    answer: DeliveryWithRequest,
    errors: ['webhook_not_found', 'delivery_not_found'],
    example: webhookExamples.getDelivery,
  },
  (call) =>
    withWebhook(call, async ({ object, audience }) => {
      const read = await object.read(call.params.delivery_id, audience.readable);
      return read.ok ? ok(presentSentDelivery(read.delivery, audience)) : refusalOf(read, audience);
    }),
);

const replayOne = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/replay',
    summary: 'Replay a delivery',
    description:
      'Sends the delivery again under the same `webhook-id`, regardless of its status. A paused webhook sends it once active. Requires the scope that reads its event.',
    params: DeliveryParams,
    answer: Delivery,
    errors: ['webhook_not_found', 'delivery_not_found'],
    example: webhookExamples.replayOne,
  },
  (call) =>
    withWebhook(call, async ({ name, object, audience }) => {
      const replayed = await object.replay(name, call.params.delivery_id, audience.readable);
      if (!replayed.ok) return refusalOf(replayed, audience);
      // A receiver may have echoed the buyer's data: erasure reaches a stored idempotent response.
      call.c.set('concerns', subjectIn(replayed.delivery.body));
      return ok(presentDelivery(replayed.delivery, audience));
    }),
);

const replay = endpoint(
  {
    ...WRITE,
    method: 'post',
    path: '/v1/webhooks/{id}/replay',
    id: 'replayWebhookEvents',
    summary: 'Replay the events of a time range',
    description:
      'Sends again all events that occurred from `from` to `to` (both included), held ones too, under the same `webhook-id`. A paused webhook sends them once active. Requires the scopes that read every event in the range.',
    params: WebhookParams,
    body: ReplayRange,
    answer: Replayed,
    errors: ['webhook_not_found'],
    example: webhookExamples.replay,
  },
  (call) =>
    withWebhook(call, async ({ name, object, audience: { readable } }) => {
      const replayed = await object.replayRange(name, call.body, readable);
      if (replayed.ok) return ok({ replayed: replayed.replayed });
      return unreadable([replayed.type], readable) ?? fail('internal_error');
    }),
);

/** The endpoints for deliveries, test events and replays. */
export const deliveryEndpoints: readonly Endpoint[] = [ping, deliveries, get, replayOne, replay];
