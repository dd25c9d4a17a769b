import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../../../src/events/index.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import {
  deliveries,
  emitEvent,
  Receiver,
  respondWith,
  subscribe,
  until,
  untilNewestIs,
  verify,
} from '../../support/fixtures/webhooks.ts';
import { world } from '../../support/world.ts';

describe('deliveries', () => {
  it('are pinged, listed, filtered and counted', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id, secret } = await subscribe(shop, receiver.url, ['stock.changed', 'product.updated']);
    const ping = await shop.post(`/webhooks/${id}/ping`);
    expect(ping).toMatchObject({ status: 200, body: { event: 'ping', status: expect.any(String) } });
    await untilNewestIs(shop, id, 'delivered');
    for (const request of receiver.received) {
      expect(verify(secret, request)).toMatchObject({ type: 'ping', data: { webhook_id: id } });
    }
    const stock = await emitEvent(shop, 'stock.changed');
    await until(async () => expect(await deliveries(shop, id, '?status=delivered')).toHaveLength(2));
    receiver.respond = respondWith(500);
    const product = await emitEvent(shop, 'product.updated');
    await untilNewestIs(shop, id, 'failed');
    const all = await shop.get(`/webhooks/${id}/deliveries?limit=2`);
    expect(all.body.meta).toMatchObject({ page: 1, limit: 2, total: 3, total_pages: 2 });
    expect(all.body.data.map((row: { event_id: string }) => row.event_id)).toEqual([product, stock]);
    // Ids have one form, whatever the event is, and the documented example too.
    for (const id of [ping.body.event_id, stock, exampleEvent('ping', {}).id]) {
      expect(id).toMatch(/^evt_[0-9a-f]{24}$/);
    }
    const [second] = (await shop.get(`/webhooks/${id}/deliveries?limit=2&page=2`)).body.data;
    expect(second).toMatchObject({ event: 'ping', attempts: 1, response_status: 204 });
    expect(await deliveries(shop, id, '?status=failed')).toMatchObject([
      {
        event_id: product,
        log: [{ response_status: 500, error: 'status_not_2xx', response_body: 'answer 500' }],
      },
    ]);
    expect(await deliveries(shop, id, '?event=stock.changed')).toMatchObject([{ event_id: stock }]);
    expect(await deliveries(shop, id, '?event=stock.changed&status=failed')).toEqual([]);
    for (const query of ['status=lost', 'event=x', 'page=0', 'limit=101']) {
      expect((await shop.get(`/webhooks/${id}/deliveries?${query}`)).status, query).toBe(422);
    }
  });

  it('are replayed singly, with the same bytes under the same id', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id, secret } = await subscribe(shop, receiver.url);
    await emitEvent(shop);
    const delivered = await untilNewestIs(shop, id, 'delivered');
    const replayed = await shop.post(`/webhooks/${id}/deliveries/${delivered.id}/replay`);
    expect(replayed).toMatchObject({ status: 200, body: { id: delivered.id, event_id: delivered.event_id } });
    await until(() => expect(receiver.received).toHaveLength(2));
    for (const request of receiver.received) verify(secret, request);
    const [first, again] = receiver.received;
    expect(again?.body).toBe(first?.body);
    expect(new Set(receiver.ids).size).toBe(1);
    expect(await untilNewestIs(shop, id, 'delivered')).toMatchObject({ attempts: 2 });
    const missing = await shop.post(`/webhooks/${id}/deliveries/999/replay`);
    expect(missing).toMatchObject({ status: 404, body: { code: 'delivery_not_found' } });
  });

  it('are replayed by range', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id } = await subscribe(shop, receiver.url);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push(await emitEvent(shop));
      moveClock(60_000);
    }
    await until(async () => expect(await deliveries(shop, id, '?status=delivered')).toHaveLength(3));
    const [, middle] = await deliveries(shop, id);
    const at = middle.occurred_at;
    expect((await shop.post(`/webhooks/${id}/replay`, { from: at, to: at })).body).toEqual({ replayed: 1 });
    await until(() => expect(receiver.ids).toEqual([...ids, middle.event_id]));
    for (const range of [{ from: at }, { from: at, to: '2020-01-01T00:00:00Z' }, { from: 'x', to: at }]) {
      expect((await shop.post(`/webhooks/${id}/replay`, range)).status).toBe(422);
    }
  });
});
