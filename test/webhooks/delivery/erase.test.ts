import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { relay } from '../../../src/events/relay.ts';
import { WebhookEndpoint } from '../../../src/index.ts';
import { DAY } from '../../../src/kernel/core/clock.ts';
import { database, run } from '../../../src/kernel/data/database.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { redactDeliveries } from '../../../src/webhooks/index.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import {
  advanceAndRunAlarm,
  commitEvent,
  deliveries,
  emitEvent,
  objectOf,
  Receiver,
  subscribe,
  untilNewestIs,
} from '../../support/fixtures/webhooks.ts';
import { world } from '../../support/world.ts';

/** Erases the person in an event and its deliveries, as an erasure does. */
async function redact(tenantId: number, eventId: string): Promise<void> {
  const erased = sql`UPDATE outbox SET data = '{"email":null}' WHERE id = ${eventId}`;
  await run(database(env, tenantId), erased);
  await redactDeliveries(tenantContext({ env, ctx: { waitUntil: () => undefined } }, tenantId), [eventId]);
}

it('redacts an event that reaches a webhook after the erasure, but was read before it', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url, ['order.paid']);
  const { accept } = WebhookEndpoint.prototype;
  const spy = vi.spyOn(WebhookEndpoint.prototype, 'accept').mockImplementationOnce(async function (
    this: WebhookEndpoint,
    name,
    events,
  ) {
    await redact(shop.tenantId, events[0]?.eventId ?? '');
    return accept.call(this, name, events);
  });
  await emitEvent(shop, 'order.paid', { email: 'ada@example.com' });
  await untilNewestIs(shop, id, 'delivered');
  spy.mockRestore();
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.email)).toEqual([null]);
});

it('keeps no response of a receiver to an event that was redacted while it was sent', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url, ['order.paid']);
  const eventId = await commitEvent(shop, 'order.paid', { email: 'ada@example.com' });
  receiver.respond = async ({ body }) => {
    await redact(shop.tenantId, eventId);
    return new Response(body);
  };
  await relay(env, database(env, shop.tenantId), [{ tenantId: shop.tenantId, eventId, type: 'order.paid' }]);
  await untilNewestIs(shop, id, 'delivered');
  const [delivery] = await deliveries(shop, id);
  const { body } = await shop.get(`/webhooks/${id}/deliveries/${delivery.id}`);
  expect(JSON.stringify(body)).not.toContain('ada@');
});

it('deletes the response of a receiver to an event that is redacted later', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url, ['order.paid']);
  receiver.respond = ({ body }) => new Response(body);
  const eventId = await emitEvent(shop, 'order.paid', { email: 'ada@example.com' });
  const { id: delivery, log } = await untilNewestIs(shop, id, 'delivered');
  expect(log[0].response_body).toContain('ada@');
  await redact(shop.tenantId, eventId);
  const { body } = await shop.get(`/webhooks/${id}/deliveries/${delivery}`);
  expect(JSON.stringify(body)).not.toContain('ada@');
});

it('remembers an erased event that has not arrived for 30 days', async () => {
  const shop = await world();
  const { id } = await subscribe(shop, new Receiver().url, ['order.paid']);
  await redact(shop.tenantId, await commitEvent(shop, 'order.paid', { email: 'ada@example.com' }));
  const remembered = () =>
    runInDurableObject(
      objectOf(shop, id),
      (_, { storage }) => storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM redactions').one().n,
    );
  expect(await remembered()).toBe(1);
  await advanceAndRunAlarm(shop, id, 29 * DAY);
  expect(await remembered()).toBe(1);
  await advanceAndRunAlarm(shop, id, 2 * DAY);
  expect(await remembered()).toBe(0);
});

it('hands an erased event to the webhooks that may have it, and to no others', async () => {
  const [shop, { url }] = [await world(), new Receiver()];
  const present = await subscribe(shop, url, ['order.paid', 'product.updated']);
  const former = await subscribe(shop, url, ['order.paid']);
  const other = await subscribe(shop, url, ['product.updated', 'order.cancelled']);
  await shop.patch(`/webhooks/${former.id}`, { events: ['product.updated'] });
  for (const type of ['order.paid', 'product.updated'] as const)
    await redact(shop.tenantId, await commitEvent(shop, type, { email: 'ada@example.com' }));
  const types = ({ id }: { readonly id: number }) =>
    runInDurableObject(objectOf(shop, id), (_, { storage }) =>
      storage.sql
        .exec<{ body: string }>('SELECT body FROM redactions')
        .toArray()
        .map(({ body }) => JSON.parse(body).type)
        .sort(),
    );
  const both = ['order.paid', 'product.updated'];
  expect([await types(present), await types(former), await types(other)]).toEqual([
    both,
    both,
    ['product.updated'],
  ]);
});

it('redacts all events of a person with one call of each webhook: an invocation has 1,000 subrequests', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url, ['order.paid']);
  await subscribe(shop, receiver.url, ['order.cancelled']);
  const sent = await emitEvent(shop, 'order.paid', { email: 'ada@example.com' });
  await untilNewestIs(shop, id, 'delivered');
  const older = await Promise.all(
    Array.from({ length: 130 }, () => commitEvent(shop, 'order.cancelled', { email: 'ada@example.com' })),
  );
  await run(
    database(env, shop.tenantId),
    sql`UPDATE outbox SET data = '{"email":null}' WHERE tenant_id = ${shop.tenantId}`,
  );
  const calls: string[] = [];
  const counted = interceptBindings(['WEBHOOK_ENDPOINT'], (name, call) => {
    if (name.endsWith('.redact')) calls.push(name);
    return call();
  });
  const ctx = tenantContext({ env: counted, ctx: { waitUntil: () => undefined } }, shop.tenantId);
  await redactDeliveries(ctx, [...older, sent]);
  expect(calls).toHaveLength(2);
  const [delivery] = await deliveries(shop, id);
  const { body } = await shop.get(`/webhooks/${id}/deliveries/${delivery.id}`);
  expect(JSON.parse(body.request.body).data).toMatchObject({ email: null });
});
