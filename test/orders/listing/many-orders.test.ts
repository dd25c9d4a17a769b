/** What the lists of a shop with many orders read: as much as the page needs, however many there are. */
import { expect, it } from 'vitest';
import { markPaid } from '../../../src/orders/index.ts';
import { copyOrders } from '../../support/fixtures/selling/orders.ts';
import { contextOf, storeOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import type { World } from '../../support/world.ts';
import { threeOrders } from './three-orders.ts';

const MANY = 1_000;

/** The rows that D1 reads for a list of orders. */
async function rowsOf(shop: World, query: string): Promise<number> {
  const { read } = await measureDatabase(async () => {
    expect((await shop.get(`/orders?${query}`)).status).toBe(200);
  });
  return read;
}

/** A shop with many orders, each placed at a time of its own. */
async function manyOrders() {
  const three = await threeOrders();
  await copyOrders(three.shop, MANY);
  await storeOf(three.shop)
    .prepare('UPDATE orders SET created_at = created_at + number WHERE tenant_id = ?')
    .bind(three.shop.tenantId)
    .run();
  return three;
}

it('tells how many orders have each state, as these change', async () => {
  const { shop, ids } = await threeOrders();
  const [ada = '', zoe = '', bob = ''] = ids;
  const changes = [
    () => shop.patch(`/orders/${ada}`, { archived: true }),
    () => shop.patch(`/orders/${ada}`, { archived: false }),
    () => markPaid(contextOf(shop), bob, { provider: 'sandbox', reference: bob }),
    () => shop.post(`/orders/${bob}/fulfilments`, {}),
    () => shop.post(`/orders/${bob}/refunds`, { amount: 1 }),
    () => shop.patch(`/orders/${bob}`, { archived: true }),
    () => shop.post(`/orders/${zoe}/cancel`),
  ];
  const states = [
    ...['', 'status=pending', 'status=paid', 'status=cancelled', 'payment_status=unpaid,paid'],
    ...['payment_status=partially_refunded', 'fulfilment_status=fulfilled'],
    ...['archived=true', 'archived=false', 'status=paid&archived=true', 'fulfilment_status=unfulfilled'],
  ];
  for (const change of [async () => null, ...changes]) {
    await change();
    for (const state of states) {
      const { data, meta } = (await shop.get(`/orders?${state}`)).body;
      expect([state, meta.total]).toEqual([state, data.length]);
    }
  }
  const { data } = (await shop.get('/orders')).body;
  const now = data.map((order: { status: string }) => order.status);
  expect(now.sort()).toEqual(['cancelled', 'paid', 'pending']);
});

it('counts orders without reading each of them', async () => {
  const { shop } = await manyOrders();
  expect((await shop.get('/orders?limit=1')).body.meta.total).toBe(MANY + 3);
  for (const query of ['', 'archived=false', 'payment_status=paid&archived=false'])
    expect(await rowsOf(shop, `limit=1&${query}`), query).toBeLessThan(100);
});
