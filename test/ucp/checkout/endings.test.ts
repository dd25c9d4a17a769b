/** How checkouts of agents end, over REST and MCP: completed or cancelled, once. */
import { describe, expect, it, vi } from 'vitest';
import { Cart } from '../../../src/index.ts';
import { fail } from '../../../src/kernel/core/result.ts';
import { expectConsistent } from '../../support/auditor/index.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import {
  agentShop,
  BUYER,
  codes,
  cupShop,
  expectInvalid,
  expectNotFound,
  expectRefused,
  filledIn,
  lineOf,
  NOT_MODIFIABLE,
  openPage,
  payOnPage,
  published,
  ready,
  shipTo,
  TRANSPORTS,
} from '../../support/fixtures/agents/agent.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { browse } from '../../support/fixtures/selling/checkout.ts';

describe.each(TRANSPORTS)('ended checkouts over %s', (transport) => {
  it('are final once completed', async () => {
    const { agent, cup } = await cupShop(transport);
    const { id, continue_url } = (await agent.checkout.create(ready(cup))).body;
    await payOnPage(continue_url);
    expectRefused(await agent.checkout.update(id, ready(cup)), 409, NOT_MODIFIABLE);
    expectRefused(await agent.checkout.complete(id), 409, NOT_MODIFIABLE);
    expectRefused(await agent.checkout.cancel(id), 409, NOT_MODIFIABLE);
    expect((await agent.checkout.get(id)).body.status).toBe('completed');
  });

  it('stay completed with their order when the shop cancels that, and sell nothing twice', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    const cart_id = (await agent.cart.create({ ...lineOf(cup), buyer: BUYER })).body.id;
    const { id, continue_url } = (await agent.checkout.create({ cart_id, fulfillment: shipTo() })).body;
    await payOnPage(continue_url);
    const { expires_at: _, ...completed } = (await agent.checkout.get(id)).body;
    await shop.post(`/orders/${completed.order.id}/cancel`);
    expect((await agent.order(completed.order.id)).body.line_items).toMatchObject([{ status: 'removed' }]);
    const { body } = await agent.checkout.get(id);
    expect(body).toMatchObject(completed);
    expect(body).not.toHaveProperty('continue_url');
    expectRefused(await agent.checkout.update(id, ready(cup)), 409, NOT_MODIFIABLE);
    expectRefused(await agent.checkout.complete(id), 409, NOT_MODIFIABLE);
    expectRefused(await agent.checkout.cancel(id), 409, NOT_MODIFIABLE);
    expectNotFound(await agent.cart.get(cart_id));
    expectNotFound(await agent.cart.update(cart_id, lineOf(cup)));
    expectNotFound(await agent.checkout.create({ cart_id, fulfillment: shipTo() }));
    const { headers } = await browse(new URL(continue_url).pathname);
    expect(headers.get('location')).toMatch(/\/thanks$/);
    await expectConsistent(shop);
  });

  it('stay completed when the shop cancels their order before the cart knows that it is paid', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    const { id, continue_url } = (await agent.checkout.create(ready(cup))).body;
    const notices = vi.spyOn(Cart.prototype, 'orderStatus').mockReturnValue(fail('unavailable'));
    await payOnPage(continue_url);
    const [order] = (await shop.get('/orders')).body.data;
    await shop.post(`/orders/${order.id}/cancel`);
    notices.mockRestore();
    expectRefused(await agent.checkout.update(id, ready(cup)), 409, NOT_MODIFIABLE);
    expect((await agent.checkout.get(id)).body).toMatchObject({
      status: 'completed',
      order: { id: order.id },
    });
    const { headers } = await browse(new URL(continue_url).pathname);
    expect(headers.get('location')).toMatch(/\/thanks$/);
  });

  it('are final once cancelled, and their link ends', async () => {
    const { agent, cup } = await cupShop(transport);
    const { id, continue_url } = (await agent.checkout.create(ready(cup))).body;
    const once = crypto.randomUUID();
    const cancelled = await agent.checkout.cancel(id, once);
    expect(cancelled.body).toMatchObject({ id, status: 'canceled', line_items: [{ quantity: 1 }] });
    expect(cancelled.body).not.toHaveProperty('continue_url');
    expect((await agent.checkout.cancel(id, once)).body).toEqual(cancelled.body);
    expectRefused(await agent.checkout.cancel(id), 409, NOT_MODIFIABLE);
    expectRefused(await agent.checkout.update(id, ready(cup)), 409, NOT_MODIFIABLE);
    expectRefused(await agent.checkout.complete(id), 409, NOT_MODIFIABLE);
    expect((await agent.checkout.get(id)).body.status).toBe('canceled');
    expect((await browse(new URL(continue_url).pathname)).status).toBe(410);
  });

  it('are gone once their cart changes after they were cancelled, and never show what it holds then', async () => {
    const { agent, cup } = await cupShop(transport);
    const cart_id = (await agent.cart.create({ ...lineOf(cup), buyer: BUYER })).body.id;
    const { id } = (await agent.checkout.create({ cart_id, fulfillment: shipTo() })).body;
    const once = crypto.randomUUID();
    const cancelled = await agent.checkout.cancel(id, once);
    expect((await agent.checkout.get(id)).body).toEqual(cancelled.body);
    await agent.cart.update(cart_id, lineOf(cup, 5));
    expectNotFound(await agent.checkout.get(id));
    expectNotFound(await agent.checkout.update(id, ready(cup)));
    expect((await agent.checkout.cancel(id, once)).body).toEqual(cancelled.body);
    const next = (await agent.checkout.create({ cart_id, fulfillment: shipTo() })).body;
    expect(next).toMatchObject({ status: 'incomplete', line_items: [{ quantity: 5 }] });
    expect((await agent.checkout.get(next.id)).body).toEqual(next);
  });

  it('leave nothing but the country of their destination to the next checkout of the cart', async () => {
    const { agent, cup } = await cupShop(transport);
    const cart_id = (await agent.cart.create({ ...lineOf(cup), buyer: BUYER })).body.id;
    const first = (await agent.checkout.create({ cart_id, fulfillment: shipTo() })).body;
    await agent.checkout.cancel(first.id);
    const next = (await agent.checkout.create({ cart_id })).body;
    expect(next.totals).toEqual(first.totals);
    expect([next.status, codes(next)]).toEqual([
      'incomplete',
      ['street_address', 'postal_code', 'address_locality'].map(
        (field) => `field_required $.fulfillment.methods[0].destinations[0].${field}`,
      ),
    ]);
  });

  it('leave no complaint about their delivery to the next checkout of the cart', async () => {
    const { agent, cup } = await cupShop(transport);
    const items = [...lineOf(cup).line_items, { item: { id: 'v999999' }, quantity: 1 }];
    const cart_id = (await agent.cart.create({ line_items: items, buyer: BUYER })).body.id;
    const wrong = { methods: [{ type: 'shipping', destinations: [], selected_destination_id: 'nowhere' }] };
    const first = (await agent.checkout.create({ cart_id, fulfillment: wrong })).body;
    expect(codes(first)).toContain('invalid_destination $.fulfillment.methods[0].selected_destination_id');
    await agent.checkout.cancel(first.id);
    const next = (await agent.checkout.create({ cart_id, fulfillment: shipTo() })).body;
    expect(codes(next)).toEqual(['item_unavailable $.line_items']);
  });

  it('take their link away from the cart when they are cancelled, until the cart has another checkout', async () => {
    const { agent, cup } = await cupShop(transport);
    const cart_id = (await agent.cart.create({ ...lineOf(cup), buyer: BUYER })).body.id;
    const { id } = (await agent.checkout.create({ cart_id, fulfillment: shipTo() })).body;
    await agent.checkout.cancel(id);
    expect((await agent.cart.get(cart_id)).body).not.toHaveProperty('continue_url');
    expect((await agent.cart.update(cart_id, lineOf(cup, 2))).body).not.toHaveProperty('continue_url');
    await agent.checkout.create({ cart_id, fulfillment: shipTo() });
    const { continue_url } = (await agent.cart.get(cart_id)).body;
    expect((await browse(new URL(continue_url).pathname)).status).toBe(303);
    expect((await agent.cart.cancel(cart_id)).body).not.toHaveProperty('continue_url');
    expect((await browse(new URL(continue_url).pathname)).status).toBe(410);
  });

  it('end a pending order when they are cancelled', async () => {
    const { agent, cup } = await cupShop(transport);
    const { id, continue_url } = (await agent.checkout.create(ready(cup))).body;
    const { path, page } = await openPage(continue_url);
    const total = /name="shown_total" value="(\d+)"/.exec(page.text)?.[1] ?? '';
    await browse(path, { ...filledIn(page), shown_total: total, action: 'decline' });
    const pending = await agent.checkout.get(id);
    expect([pending.body.status, codes(pending.body)]).toEqual(['requires_escalation', ['payment_required']]);
    expectRefused(await agent.checkout.update(id, ready(cup)), 409, NOT_MODIFIABLE);
    expect((await agent.checkout.cancel(id)).body.status).toBe('canceled');
  });

  it('are completed by the agent where nothing has to be paid', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const gift = `p${(await stockedProduct(shop, { name: 'Sample', type: 'virtual', price: 0 })).body.id}`;
    published();
    const { id } = (await agent.checkout.create(lineOf(gift))).body;
    expect((await agent.checkout.complete(id)).body.status).toBe('incomplete');
    const free = { ...lineOf(gift), buyer: BUYER, context: { address_country: 'DE' } };
    expect((await agent.checkout.update(id, free)).body.status).toBe('ready_for_complete');
    const once = crypto.randomUUID();
    const completed = await agent.checkout.complete(id, {}, once);
    expect(completed.body).toMatchObject({ id, status: 'completed', order: { label: '#1001' } });
    expect((await agent.checkout.complete(id, {}, once)).body).toEqual(completed.body);
    expectRefused(await agent.checkout.complete(id, { ap2: 1 }, once), 409, 'idempotency_conflict');
    const { data } = (await shop.get('/orders')).body;
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ payment_status: 'paid', agent: { profile: shop.profile } });
  });

  it.each(['before', 'while'])(
    'say that a code was used up elsewhere %s they were completed',
    async (when) => {
      const { agent, ...shop } = await agentShop(transport);
      const song = `p${(await stockedProduct(shop, { name: 'Song', type: 'virtual', price: 5 })).body.id}`;
      await shop.post('/coupons', { code: 'GIFT', kind: 'percent', value: 100, max_uses: 1 });
      published();
      const free = {
        ...lineOf(song),
        buyer: BUYER,
        context: { address_country: 'DE' },
        discounts: { codes: ['GIFT'] },
      };
      const [first, second] = [await agent.checkout.create(free), await agent.checkout.create(free)];
      const useUp = async () =>
        expect((await agent.checkout.complete(first.body.id)).body.status).toBe('completed');
      const once = crypto.randomUUID();
      if (when === 'before') await useUp();
      else {
        beforeBatch(/insert into "orders"/i, useUp);
        expectRefused(await agent.checkout.complete(second.body.id, {}, once), 503, 'unavailable');
      }
      const { body } = await agent.checkout.complete(second.body.id, {}, once);
      expect(body.status).toBe('requires_escalation');
      expect(codes(body)).toEqual(['payment_required', 'discount_code_expired $.discounts.codes[0]']);
      expect((await shop.get('/orders')).body.meta.total).toBe(1);
    },
  );

  it('say that a code is used up for this buyer', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const song = `p${(await stockedProduct(shop, { name: 'Song', type: 'virtual', price: 5 })).body.id}`;
    const code = { code: 'GIFT', kind: 'percent', value: 100, max_uses_per_customer: 1 };
    expect((await shop.post('/coupons', code)).status).toBe(201);
    published();
    const free = {
      ...lineOf(song),
      buyer: BUYER,
      context: { address_country: 'DE' },
      discounts: { codes: ['GIFT'] },
    };
    const [first, second] = [await agent.checkout.create(free), await agent.checkout.create(free)];
    expect((await agent.checkout.complete(first.body.id)).body.status).toBe('completed');
    const refused = await agent.checkout.complete(second.body.id);
    expect(refused.body.status).toBe('incomplete');
    expect(codes(refused.body)).toEqual(['discount_code_user_ineligible $.discounts.codes[0]']);
    const { discounts: _, ...paid } = free;
    await agent.checkout.update(second.body.id, paid);
    const { body } = await agent.checkout.complete(second.body.id);
    expect([body.status, codes(body)]).toEqual(['requires_escalation', ['payment_required']]);
    expect((await shop.get('/orders')).body.meta.total).toBe(1);
  });

  it('are for the buyer to pay once an offer is used up for them', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const song = `p${(await stockedProduct(shop, { name: 'Song', type: 'virtual', price: 5 })).body.id}`;
    const offer = { name: 'Gift', effect: { kind: 'percent', value: 100 }, max_uses_per_customer: 1 };
    expect((await shop.post('/promotions', { ...offer, trigger: 'automatic' })).status).toBe(201);
    published();
    const free = { ...lineOf(song), buyer: BUYER, context: { address_country: 'DE' } };
    const [first, second] = [await agent.checkout.create(free), await agent.checkout.create(free)];
    expect((await agent.checkout.complete(first.body.id)).body.status).toBe('completed');
    const { body } = await agent.checkout.complete(second.body.id);
    expect([body.status, codes(body)]).toEqual(['requires_escalation', ['payment_required']]);
    expect((await shop.get('/orders')).body.meta.total).toBe(1);
  });

  it('leave the payment to the buyer', async () => {
    const { agent, cup } = await cupShop(transport);
    const { id } = (await agent.checkout.create(ready(cup))).body;
    const once = crypto.randomUUID();
    const { body } = await agent.checkout.complete(id, { payment: { instruments: [] } }, once);
    expect([body.status, codes(body)]).toEqual(['requires_escalation', ['payment_required']]);
  });

  it('take no credential of a payment', async () => {
    const { agent, cup } = await cupShop(transport);
    const paidBy = (token: string) => ({
      payment: { instruments: [{ id: 'i', handler_id: 'h', type: 'card', credential: { token } }] },
    });
    const { id } = (await agent.checkout.create(ready(cup, paidBy('secret-1')))).body;
    const once = crypto.randomUUID();
    for (const answer of [
      await agent.checkout.update(id, ready(cup, paidBy('secret-2'))),
      await agent.checkout.complete(id, paidBy('secret-3'), once),
    ]) {
      expect([answer.body.status, codes(answer.body)]).toEqual(['requires_escalation', ['payment_required']]);
      expect(JSON.stringify(answer.body)).not.toContain('secret');
    }
    expectRefused(await agent.checkout.complete(id, paidBy('secret-4'), once), 409, 'idempotency_conflict');
    expectInvalid(await agent.checkout.complete(id, { payment: { instruments: [{ id: 'i' }] } }));
  });
});
