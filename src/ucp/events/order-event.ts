import { createHash } from 'node:crypto';
import { z } from 'zod';
import { now } from '../../kernel/core/clock.ts';
import { type AgentProtocol, keepPlatform } from '../../webhooks/index.ts';
import { signingKey } from '../keys/signing-keys.ts';
import { orderSnapshot } from '../orders/order-snapshot.ts';
import { envelope } from '../protocol/envelope.ts';
import { signatureHeaders } from '../signatures/sign.ts';

const ORDER = 'dev.ucp.shopping.order';
/** The envelope of the event's order: the order capability alone. */
const UCP = envelope('success', new Set([ORDER]), ORDER);

/** The part of a stored event that names its order. */
const OrderEvent = z.object({ data: z.object({ id: z.string() }) });

/**
 * Makes the request of an order's event (`order_event_webhook`): the order as it is now, whatever the event was,
 * signed with the tenant's current key (RFC 9421). Null if the order no longer exists.
 */
export const orderEventRequest: AgentProtocol = async (ctx, platform, attempt) => {
  const { id: orderId } = OrderEvent.parse(JSON.parse(attempt.body)).data;
  const [order, signer] = await Promise.all([
    orderSnapshot(ctx, { orderId, profile: platform.profile }),
    signingKey(ctx),
    keepPlatform(ctx, ctx.webhookId),
  ]);
  if (!order) return null;
  const body = JSON.stringify({ ucp: UCP, ...order });
  const id = uuidOf(attempt.eventId);
  const headers = new Headers({
    'content-type': 'application/json',
    'user-agent': 'Storefront-Edge-UCP/1',
    'ucp-agent': `profile="${platform.business}"`,
    'webhook-id': id,
    'idempotency-key': id,
    'webhook-timestamp': String(Math.floor(attempt.occurredAt / 1_000)),
  });
  const signed = await signatureHeaders(
    { method: 'POST', url: new URL(platform.url), headers },
    ['ucp-agent', 'idempotency-key', 'webhook-id', 'webhook-timestamp', 'content-type'],
    { body: new TextEncoder().encode(body), signer, at: now() },
  );
  return { headers: { ...Object.fromEntries(headers), ...signed }, body };
};

/** Returns the UUID of an event (RFC 9562, version 8: of our own making), the same in every attempt. */
function uuidOf(eventId: string): string {
  const bytes = createHash('sha256').update(eventId).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
