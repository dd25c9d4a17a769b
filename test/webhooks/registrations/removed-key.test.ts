import { expect, it } from 'vitest';
import { MINUTE } from '../../../src/kernel/core/clock.ts';
import {
  advanceAndRunAlarm,
  emitEvent,
  Receiver,
  subscribe,
  until,
} from '../../support/fixtures/webhooks.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

/** A webhook whose secret names a master key that this deployment doesn't have. */
async function withLostKey() {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  await storeOf(shop)
    .prepare("UPDATE webhooks SET secret = 'v9.' || substr(secret, 4) WHERE id = ?")
    .bind(id)
    .run();
  return { shop, receiver, id };
}

it('keeps what happened until a secret is rotated that was sealed under a master key that is gone', async () => {
  const { shop, receiver, id } = await withLostKey();
  const ping = await shop.post(`/webhooks/${id}/ping`);
  expect([ping.status, ping.body.status]).toEqual([200, 'pending']);
  const eventId = await emitEvent(shop);
  const stored = async () => (await shop.get(`/webhooks/${id}/deliveries`)).body.data;
  await until(async () => expect(await stored()).toHaveLength(2));
  expect(receiver.ids).toEqual([]);
  expect((await shop.post(`/webhooks/${id}/rotate-secret`)).status).toBe(200);
  await advanceAndRunAlarm(shop, id, 5 * MINUTE);
  await until(() => expect(receiver.ids).toContain(eventId));
});

it('sends again once a secret is rotated that was sealed under a master key that is gone', async () => {
  const { shop, receiver, id } = await withLostKey();
  expect((await shop.post(`/webhooks/${id}/rotate-secret`)).status).toBe(200);
  const eventId = await emitEvent(shop);
  await until(() => expect(receiver.ids).toContain(eventId));
  expect((await shop.post(`/webhooks/${id}/ping`)).status).toBe(200);
});
