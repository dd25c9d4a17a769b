import { beforeEach, describe, expect, it } from 'vitest';
import { markPaid } from '../../../src/orders/index.ts';
import { expectMoneyToAddUp } from '../../support/auditor/index.ts';
import { createProduct, NEWEST, stockOf } from '../../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  readReturn,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { eventsOfType, placedOrder } from '../../support/fixtures/selling/orders.ts';
import { cupShop, onHand, refund, soldCups, statusOf, unit } from '../../support/fixtures/selling/refunds.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

beforeEach(silenceConsole);

describe('stock', () => {
  it('comes back for the units that say so', async () => {
    const sold = await soldCups();
    await refund(sold, unit(1, { restock: true }));
    expect(await onHand(sold.item)).toBe(8);
    await refund(sold, unit(1, { restock: false }));
    expect(await onHand(sold.item)).toBe(8);
    const reasons = (await eventsOfType(sold.shop, 'stock.changed')).map(({ reason }) => reason);
    expect(reasons.slice(-1)).toEqual(['order_refunded']);
  });

  it('comes back for several lines of one product', async () => {
    const shop = await world();
    const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
    const line = (id: number, quantity: number) => ({ id, quantity, subtotal: 1000 * quantity });
    const { row } = await placedOrder(shop, cup, { quantity: 3, lines: [line(1, 1), line(2, 2)] });
    await markPaid(contextOf(shop), row.id, { provider: 'sandbox', reference: 'r' });
    expect(await stockOf(cup)).toEqual({ on_hand: 6, reserved: 0 });
    const items = [1, 2].map((id) => ({ line_id: id, quantity: id, restock: true }));
    expect((await shop.post(`/orders/${row.id}/refunds`, { items })).status).toBe(201);
    expect(await stockOf(cup)).toEqual({ on_hand: 9, reserved: 0 });
  });

  it('comes back with a cancellation for what no refund has covered', async () => {
    const sold = await soldCups();
    await refund(sold, unit(1, { restock: true }));
    await refund(sold, unit(1));
    const { body } = await sold.shop.post(`/orders/${sold.id}/cancel`);
    expect(body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
    expect(body.refunds.at(-1)).toMatchObject({
      source: 'cancellation',
      status: 'succeeded',
      amount: 14.9,
      shipping: 4.9,
      items: [{ line_id: 1, quantity: 1, restock: true, amount: 10 }],
    });
    expect(await onHand(sold.item)).toBe(9);
    expect(await eventsOfType(sold.shop, 'order.cancelled')).toHaveLength(1);
    await expectMoneyToAddUp(sold.shop);
  });

  it('comes back for an order of which everything was refunded, when it is cancelled', async () => {
    const sold = await soldCups();
    await refund(sold, { amount: 34.9 });
    expect(await statusOf(sold)).toEqual(['paid', 'refunded']);
    const { body } = await sold.shop.post(`/orders/${sold.id}/cancel`);
    expect(body).toMatchObject({ status: 'cancelled', payment_status: 'refunded', cancel_reason: 'tenant' });
    expect(await onHand(sold.item)).toBe(10);
    expect(await eventsOfType(sold.shop, 'order.refunded')).toHaveLength(1);
  });

  it('of bundles and bookings comes back in their parts', async () => {
    const { shop } = await cupShop();
    const [body, lens] = [
      await createProduct(shop, { name: 'Body', stock: 9 }),
      await createProduct(shop, { name: 'Lens', stock: 9 }),
    ];
    const kit = await createProduct(shop, {
      name: 'Kit',
      type: 'bundled',
      bundle_groups: [
        { title: 'Camera', items: [{ product_id: body.body.id, quantity: 3 }] },
        { title: 'Lens', items: [{ product_id: lens.body.id }] },
      ],
    });
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString();
    const slot = { from: day(1), to: day(2) };
    const tour = await createProduct(shop, {
      name: 'Tour',
      type: 'booking',
      booking: { timezone: 'Europe/Berlin', slots: [{ ...slot, capacity: 4 }] },
    });
    const [camera, glass] = kit.body.bundle_groups;
    const bundle_options = { [camera.id]: [camera.items[0].id], [glass.id]: [glass.items[0].id] };
    const cart_token = await cartWith(shop, kit, 2, { options: { bundle_options } });
    await cartWith(shop, tour, 3, { cart_token, options: { booking: slot } });
    const { order_id: id } = readReturn(await submitCheckout(await checkoutPath(shop, cart_token), 'pay'));
    const places = async () => (await shop.get(`/products/${tour.body.id}`, NEWEST)).body.stock;
    expect([await onHand(body.body.id), await onHand(lens.body.id), await places()]).toEqual([3, 7, 1]);
    const items = [
      { line_id: 1, quantity: 1, restock: true },
      { line_id: 2, quantity: 2, restock: true },
    ];
    expect((await refund({ shop, id }, { items })).status).toBe(201);
    expect([await onHand(body.body.id), await onHand(lens.body.id), await places()]).toEqual([6, 8, 3]);
    await expectMoneyToAddUp(shop);
  });
});
