/** Checkouts of agents, over REST and MCP, from their items to the buyer's payment. */
import { describe, expect, it } from 'vitest';
import {
  agentShop,
  amounts,
  BUYER,
  buyingAgent,
  codes,
  cupShop,
  expectNotFound,
  expectRefused,
  HOME,
  lineOf,
  openPage,
  otherAgent,
  payOnPage,
  published,
  ready,
  shipTo,
  TRANSPORTS,
} from '../../support/fixtures/agents/agent.ts';
import { agentOf } from '../../support/fixtures/agents/agent-shop.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { browse, shownTotal } from '../../support/fixtures/selling/checkout.ts';

describe.each(TRANSPORTS)('checkouts over %s', (transport) => {
  it('say what is missing until the buyer can pay, and are completed by the payment', async () => {
    const { agent, cup } = await cupShop(transport);
    const created = await agent.checkout.create(lineOf(cup));
    expect(created.status).toBe(transport === 'REST' ? 201 : 200);
    const { id } = created.body;
    expect(created.body.status).toBe('incomplete');
    expect(codes(created.body)).toEqual(
      [
        'field_required $.buyer.email',
        'field_required $.buyer.first_name',
        'field_required $.fulfillment.methods[0].destinations[0].address_country',
        'field_required $.fulfillment.methods[0].destinations[0].street_address',
        'field_required $.fulfillment.methods[0].destinations[0].postal_code',
        'field_required $.fulfillment.methods[0].destinations[0].address_locality',
      ].sort((a, b) => codes(created.body).indexOf(a) - codes(created.body).indexOf(b)),
    );
    expect(created.body.fulfillment.methods[0].destinations).toBeUndefined();

    const { body } = await agent.checkout.update(id, ready(cup));
    expect([body.status, codes(body)]).toEqual(['requires_escalation', ['payment_required']]);
    expect(body.messages[0].severity).toBe('requires_buyer_input');
    const [method] = body.fulfillment.methods;
    expect(method).toMatchObject({
      line_item_ids: [body.line_items[0].id],
      destinations: [{ id: 'dest_1', ...HOME }],
      selected_destination_id: 'dest_1',
      groups: [{ selected_option_id: 'standard', options: [{ id: 'standard' }] }],
    });
    expect(amounts(body.totals)).toEqual({ subtotal: 1000, fulfillment: 500, tax: 0, total: 1500 });

    expect((await payOnPage(body.continue_url)).location).toMatch(/\/thanks$/);
    const paid = await agent.checkout.get(id);
    expect(paid.body).toMatchObject({
      id,
      status: 'completed',
      line_items: [{ id: body.line_items[0].id, item: { id: cup } }],
      order: { id: expect.stringMatching(/^ord_/), permalink_url: expect.stringMatching(/^https:/) },
    });
    expect(amounts(paid.body.totals)).toEqual(amounts(body.totals));
    expect(paid.body).not.toHaveProperty('continue_url');
    expect((await agent.checkout.get(id)).body).toEqual(paid.body);
    const permalink = new URL(paid.body.order.permalink_url).pathname;
    expect((await browse(permalink)).text).toContain('is paid');
    const again = await browse(new URL(body.continue_url).pathname);
    expect(again.location).toMatch(/\/thanks$/);
  });

  it('open at the price of now, though it rose since the agent saw it', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    const { totals, continue_url } = (await agent.checkout.create(ready(cup))).body;
    expect((await shop.patch(`/products/${cup.slice(1)}`, { price: 12 })).status).toBe(200);
    published();
    const { page } = await openPage(continue_url);
    expect(Number(shownTotal(page))).toBe((amounts(totals).total ?? 0) + 200);
  });

  it('belong to one agent of one shop', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    const { id } = (await agent.checkout.create(ready(cup))).body;
    const elsewhere = await agentShop(transport);
    const stranger = otherAgent(shop, transport);
    for (const other of [stranger, buyingAgent(agentOf(elsewhere, shop.profile), transport)]) {
      expectNotFound(await other.checkout.get(id));
      expectNotFound(await other.checkout.update(id, ready(cup)));
      expectNotFound(await other.checkout.complete(id));
      expectNotFound(await other.checkout.cancel(id));
    }
    expectNotFound(await agent.cart.get(id));
    expect((await agent.checkout.get(id)).body.status).toBe('requires_escalation');
  });

  it('take over a cart, and stay the only one of it', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
    const cart = await agent.cart.create({ ...lineOf(cup, 2), buyer: BUYER, discounts: { codes: ['TEN'] } });
    const cart_id = cart.body.id;
    const checkout = await agent.checkout.create({ cart_id, ...lineOf(cup, 9), fulfillment: shipTo() });
    expect(checkout.body).toMatchObject({
      status: 'requires_escalation',
      line_items: cart.body.line_items,
      buyer: BUYER,
      discounts: cart.body.discounts,
    });
    const { id } = checkout.body;
    expect((await agent.checkout.create({ cart_id })).body).toEqual(checkout.body);
    await agent.checkout.update(id, ready(cup));
    expect((await agent.cart.get(cart_id)).body.line_items[0].quantity).toBe(1);
    await agent.checkout.cancel(id);
    const next = await agent.checkout.create({ cart_id, fulfillment: shipTo() });
    expect(next.body.id).not.toBe(id);
    expectNotFound(await agent.checkout.get(id));
    await payOnPage(next.body.continue_url);
    expectNotFound(await agent.cart.get(cart_id));
    expectNotFound(await agent.checkout.create({ cart_id }));
  });

  it('are returned again for their key, whatever became of them', async () => {
    const { agent, cup } = await cupShop(transport);
    const cart_id = (await agent.cart.create(lineOf(cup))).body.id;
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const created = await agent.checkout.create({ cart_id }, first);
    const updated = await agent.checkout.update(created.body.id, ready(cup), second);
    await agent.checkout.cancel(created.body.id);
    await payOnPage(
      (await agent.checkout.create({ cart_id, fulfillment: shipTo() })).body.continue_url,
      BUYER,
    );
    expect((await agent.checkout.create({ cart_id }, first)).body).toEqual(created.body);
    expect((await agent.checkout.update(created.body.id, ready(cup), second)).body).toEqual(updated.body);
    expectRefused(await agent.checkout.create({ cart_id, buyer: BUYER }, first), 409, 'idempotency_conflict');
    expectNotFound(await agent.checkout.create({ cart_id }));
  });

  it('tell items that are no longer sold', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = (await stockedProduct(shop)).body.id;
    published();
    const { id, continue_url } = (await agent.checkout.create(ready(`p${cup}`))).body;
    await shop.patch(`/products/${cup}`, { status: 'inactive' });
    published();
    const { body } = await agent.checkout.get(id);
    expect([body.status, codes(body)]).toEqual(['incomplete', ['out_of_stock $.line_items[0]']]);
    const page = await browse(new URL(continue_url).pathname);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('has sold out')]);
    const retried = await agent.checkout.update(id, ready(`p${cup}`));
    expect(codes(retried.body)).toEqual([
      'item_unavailable $.line_items',
      'line_items_required $.line_items',
    ]);
  });

  it('take the last of concurrent updates whole', async () => {
    const { agent, cup } = await cupShop(transport);
    const { id } = (await agent.checkout.create(ready(cup))).body;
    const quantities = [2, 3, 4];
    const updates = await Promise.all(
      quantities.map((quantity) => agent.checkout.update(id, { ...ready(cup), ...lineOf(cup, quantity) })),
    );
    for (const [n, { body }] of updates.entries()) {
      expect(body.line_items[0].quantity).toBe(quantities[n]);
      expect(amounts(body.totals).subtotal).toBe((quantities[n] ?? 0) * 1000);
    }
    const { body } = await agent.checkout.get(id);
    expect(quantities).toContain(body.line_items[0].quantity);
  });
});
