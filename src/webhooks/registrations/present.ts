import type { z } from '@hono/zod-openapi';
import type { EventType } from '../../events/index.ts';
import { iso, isoOrNull } from '../../kernel/core/clock.ts';
import type { DeliveryView, SentDelivery } from '../delivery/delivery.ts';
import { forbidden } from '../object/refusals.ts';
import { fixedHeaders } from '../sending/send.ts';
import { SECRET_PREFIX } from '../sending/sign.ts';
import type { WebhookRow } from '../tables.ts';
import type { Delivery, DeliveryWithRequest, Webhook } from './schemas.ts';

/** Returns a webhook's API representation, which excludes the secret. */
export const presentWebhook = (row: WebhookRow): z.input<typeof Webhook> => ({
  id: row.id,
  url: row.url,
  description: row.description || null,
  events: row.events,
  status: row.status,
  filter: row.filter,
  ordered: row.ordered,
  secret_preview: `${SECRET_PREFIX}****${row.secretTail}`,
  paused_reason: row.pausedReason,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

/** What a delivery's representation depends on: the events that the caller may read, and its webhook's status. */
export interface Audience {
  readonly readable: readonly EventType[];
  readonly isPaused: boolean;
}

/**
 * Returns a delivery's API representation. Omits what the receiver responded unless its event is `readable`: a
 * receiver may echo the event. A paused webhook attempts nothing.
 */
export const presentDelivery = (
  view: DeliveryView,
  { readable, isPaused }: Audience,
): z.input<typeof Delivery> => ({
  id: view.id,
  event_id: view.eventId,
  event: view.type,
  status: view.status,
  attempts: view.attempts,
  response_status: view.responseStatus,
  occurred_at: iso(view.occurredAt),
  created_at: iso(view.createdAt),
  next_attempt_at: isPaused ? null : isoOrNull(view.nextAttemptAt),
  delivered_at: isoOrNull(view.deliveredAt),
  log: view.log.map(({ startedAt, endedAt, responseStatus, error, responseBody }) => ({
    started_at: iso(startedAt),
    duration_ms: endedAt === null ? null : endedAt - startedAt,
    response_status: responseStatus,
    error,
    response_body: forbidden([view.type], readable) ? null : responseBody,
  })),
});

/** Returns a delivery's API representation, with what its attempts send. */
export const presentSentDelivery = (
  sent: SentDelivery,
  audience: Audience,
): z.input<typeof DeliveryWithRequest> => ({
  ...presentDelivery(sent, audience),
  request: { headers: fixedHeaders(sent.eventId), body: sent.body },
});
