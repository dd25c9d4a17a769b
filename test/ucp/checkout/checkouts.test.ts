/** Checkouts of agents, over REST and MCP, up to the buyer's payment. */
import { describe, expect, it } from 'vitest';
import { browse } from '../../support/fixtures/checkout.ts';
import { stockedProduct } from '../../support/fixtures/products.ts';
import {
  agentShop,
  amounts,
  BUYER,
  buyingAgent,
  expectNotFound,
  expectRefused,
  filledIn,
  HOME,
  lineOf,
  openPage,
  otherAgent,
  payOnPage,
  published,
  ready,
  shipTo,
  TRANSPORTS,
  type Transport,
} from '../../support/fixtures/ucp.ts';
import { agentOf } from '../../support/ucp.ts';

const NOT_MODIFIABLE = 'checkout_not_modifiable';

/** A shop with a stocked cup of 10.00, by the id that agents use. */
async function cupShop(transport: Transport, options: Parameters<typeof agentShop>[1] = {}) {
  const shop = await agentShop(transport, options);
  const cup = `v${(await stockedProduct(shop)).body.id}`;
  published();
  return { ...shop, cup };
}

const codes = (body: { messages?: { code: string; path?: string }[] }) =>
  (body.messages ?? []).map(({ code, path }) => (path ? `${code} ${path}` : code));

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
        'field_required $.buyer.last_name',
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

  it('are final once completed', async () => {
    const { agent, cup } = await cupShop(transport);
    const { id, continue_url } = (await agent.checkout.create(ready(cup))).body;
    await payOnPage(continue_url);
    expectRefused(await agent.checkout.update(id, ready(cup)), 409, NOT_MODIFIABLE);
    expectRefused(await agent.checkout.complete(id), 409, NOT_MODIFIABLE);
    expectRefused(await agent.checkout.cancel(id), 409, NOT_MODIFIABLE);
    expect((await agent.checkout.get(id)).body.status).toBe('completed');
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
    const next = await agent.checkout.create({ cart_id });
    expect(next.body.id).not.toBe(id);
    expectNotFound(await agent.checkout.get(id));
    await payOnPage(next.body.continue_url);
    expectNotFound(await agent.cart.get(cart_id));
    expectNotFound(await agent.checkout.create({ cart_id }));
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

  it('leave the payment to the buyer', async () => {
    const { agent, cup } = await cupShop(transport);
    const { id } = (await agent.checkout.create(ready(cup))).body;
    const once = crypto.randomUUID();
    const { body } = await agent.checkout.complete(id, { payment: { instruments: [] } }, once);
    expect([body.status, codes(body)]).toEqual(['requires_escalation', ['payment_required']]);
    const paid = { instruments: [{ id: 'i', handler_id: 'h', type: 'card', credential: { type: 'card' } }] };
    for (const refused of [
      await agent.checkout.complete(id, { payment: paid }),
      await agent.checkout.update(id, ready(cup, { payment: paid })),
      await agent.checkout.create(ready(cup, { payment: paid })),
    ]) {
      expect(refused.body.code === 'invalid_request' || refused.body.code === -32602).toBe(true);
    }
  });

  it('show the buyer what the agent gathered, but not what another browser typed', async () => {
    const methods = [
      { id: 'slow', name: 'Parcel', price: 5 },
      { id: 'fast', name: 'Express', price: 12 },
    ];
    const { agent, cup, ...shop } = await cupShop(transport, { settings: { shipping: { methods } } });
    await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
    const { body } = await agent.checkout.create(
      ready(cup, {
        buyer: { ...BUYER, phone_number: '+4930123' },
        discounts: { codes: ['TEN'] },
        fulfillment: shipTo(HOME, { groups: [{ id: 'parcel', selected_option_id: 'fast' }] }),
      }),
    );
    const { path, page } = await openPage(body.continue_url);
    expect(page.text).toContain('TEN');
    expect(filledIn(page)).toMatchObject({
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      line1: '12 St James Square',
      postal_code: '10115',
      city: 'Berlin',
      country: 'DE',
      phone: '+4930123',
      shipping_method: 'fast',
    });
    await browse(path, { ...filledIn(page), note: 'Ring twice', action: 'update' });
    expect((await browse(path)).text).toContain('Ring twice');
    expect((await browse(path, undefined, { headers: { cookie: '' } })).text).not.toContain('Ring twice');
  });

  it('keep the destinations that an update refers to, and choose an option', async () => {
    const methods = [
      { id: 'slow', name: 'Parcel', price: 5, min_days: 2, max_days: 4 },
      { id: 'fast', name: 'Express', price: 12 },
    ];
    const { agent, cup } = await cupShop(transport, { settings: { shipping: { methods } } });
    const two = [
      { id: 'home', ...HOME },
      { ...HOME, postal_code: '20095' },
    ];
    const payload = ready(cup, { fulfillment: { methods: [{ type: 'shipping', destinations: two }] } });
    const { id, ...created } = (await agent.checkout.create(payload)).body;
    expect(codes(created)).toContain('field_required $.fulfillment.methods[0].selected_destination_id');
    const chosen = await agent.checkout.update(id, {
      ...payload,
      fulfillment: {
        methods: [
          {
            id: 'shipping',
            line_item_ids: [],
            selected_destination_id: 'home',
            groups: [{ id: 'parcel', selected_option_id: 'fast' }],
          },
        ],
      },
    });
    const [method] = chosen.body.fulfillment.methods;
    expect(method).toMatchObject({
      selected_destination_id: 'home',
      destinations: [{ id: 'home' }, { id: 'dest_1' }],
    });
    expect(method.groups[0]).toMatchObject({
      selected_option_id: 'fast',
      options: [
        { id: 'slow', title: 'Parcel', description: 'Arrives in 2–4 days', totals: [{ amount: 500 }] },
        { id: 'fast', title: 'Express', totals: [{ amount: 1200 }] },
      ],
    });
    expect(amounts(chosen.body.totals)).toMatchObject({ fulfillment: 1200, total: 2200 });
    const wrong = await agent.checkout.update(id, {
      ...payload,
      fulfillment: { methods: [{ selected_destination_id: 'nowhere' }] },
    });
    expect(codes(wrong.body)).toContain(
      'invalid_destination $.fulfillment.methods[0].selected_destination_id',
    );
    expect(wrong.body.status).toBe('incomplete');
  });

  it('tell an address that the shop does not deliver to', async () => {
    const methods = [{ id: 'de', name: 'Parcel', price: 5, countries: ['DE'] }];
    const { agent, cup } = await cupShop(transport, { settings: { shipping: { methods } } });
    const away = shipTo({ ...HOME, address_country: 'France' });
    const { body } = await agent.checkout.create(ready(cup, { fulfillment: away }));
    expect([body.status, codes(body)]).toEqual([
      'incomplete',
      ['address_undeliverable $.fulfillment.methods[0].selected_destination_id'],
    ]);
    const unknown = shipTo({ ...HOME, address_country: 'Atlantis' });
    const nowhere = await agent.checkout.update(body.id, ready(cup, { fulfillment: unknown }));
    expect(codes(nowhere.body)).toContain('address_undeliverable $.fulfillment.methods[0].destinations');
  });

  it('ask the buyer for the address if the agent can not send one', async () => {
    const capabilities = { 'dev.ucp.shopping.checkout': [{ version: '2026-04-08' }] };
    const { agent, cup } = await cupShop(transport, { platform: { capabilities } });
    const { body } = await agent.checkout.create(ready(cup, { discounts: { codes: ['X'] } }));
    expect(body.status).toBe('requires_escalation');
    expect(body.messages[0]).toMatchObject({ code: 'field_required', severity: 'requires_buyer_input' });
    for (const extension of ['fulfillment', 'discounts']) expect(body).not.toHaveProperty(extension);
    expect(Object.keys(body.ucp.capabilities)).toEqual(['dev.ucp.shopping.checkout']);
  });

  it('keep the consent of the buyer, and refuse claims that mean nothing here', async () => {
    const { agent, cup } = await cupShop(transport);
    const consent = { analytics: true, marketing: false };
    const payload = ready(cup, {
      buyer: { ...BUYER, consent },
      context: { eligibility: ['com.example.gold'] },
    });
    const { body } = await agent.checkout.create(payload);
    expect(body.buyer.consent).toEqual(consent);
    expect(codes(body)).toEqual(['eligibility_not_accepted $.context.eligibility[0]', 'payment_required']);
    expect(body.status).toBe('requires_escalation');
    expect((await agent.checkout.update(body.id, ready(cup))).body.buyer.consent).toBeUndefined();
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
      'item_unavailable $.line_items[0]',
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
