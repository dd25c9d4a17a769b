import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { database, run } from '../../../src/kernel/data/database.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { redactDeliveries } from '../../../src/webhooks/index.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import {
  commitEvent,
  deliveries,
  emitEvent,
  Receiver,
  subscribe,
  untilNewestIs,
} from '../../support/fixtures/webhooks.ts';
import { world } from '../../support/world.ts';

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
