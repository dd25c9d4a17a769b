/** Where the goods of an agent's checkout go, over REST and MCP. */
import { describe, expect, it } from 'vitest';
import {
  amounts,
  codes,
  cupShop,
  filledIn,
  HOME,
  openPage,
  payOnPage,
  published,
  ready,
  shipTo,
  TRANSPORTS,
} from '../../support/fixtures/agents/agent.ts';
import { browse, shownTotal } from '../../support/fixtures/selling/checkout.ts';
import { promote } from '../../support/fixtures/selling/promotions.ts';

describe.each(TRANSPORTS)('deliveries over %s', (transport) => {
  it('keep the destinations that an update refers to, and choose an option', async () => {
    const methods = [
      { id: 'slow', name: 'Parcel', price: 5, min_days: 2, max_days: 4 },
      { id: 'fast', name: 'Express', price: 12, max_days: 1 },
      { id: 'sea', name: 'Ship', price: 14, min_days: 30 },
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
        { id: 'fast', title: 'Express', description: 'Arrives in up to 1 day', totals: [{ amount: 1200 }] },
        { id: 'sea', title: 'Ship', description: 'Arrives in 30 days or more', totals: [{ amount: 1400 }] },
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

  it('refuse an option that the shop does not offer, until one of the options is selected', async () => {
    const methods = [
      { id: 'slow', name: 'Parcel', price: 5 },
      { id: 'near', name: 'Bicycle', price: 3, countries: ['AT'] },
    ];
    const { agent, cup } = await cupShop(transport, { settings: { shipping: { methods } } });
    const choosing = (option: string | null) =>
      ready(cup, { fulfillment: shipTo(HOME, { groups: [{ id: 'parcel', selected_option_id: option }] }) });
    const created = await agent.checkout.create(choosing('teleport'));
    const problem = {
      type: 'error',
      code: 'invalid_fulfillment_option',
      severity: 'recoverable',
      path: '$.fulfillment.methods[0].groups[0].selected_option_id',
      content: expect.stringContaining('teleport'),
    };
    expect(created.body).toMatchObject({ status: 'incomplete', messages: [problem] });
    expect(created.body.fulfillment.methods[0].groups[0]).toMatchObject({
      options: [{ id: 'slow' }],
      selected_option_id: 'slow',
    });
    const { id } = created.body;
    expect((await agent.checkout.get(id)).body.messages).toEqual(created.body.messages);
    const elsewhere = await agent.checkout.update(id, choosing('near'));
    expect(codes(elsewhere.body)).toEqual([`${problem.code} ${problem.path}`]);
    const mended = await agent.checkout.update(id, choosing('slow'));
    expect([mended.body.status, codes(mended.body)]).toEqual(['requires_escalation', ['payment_required']]);
    const open = await agent.checkout.update(id, choosing(null));
    expect(codes(open.body)).toEqual(['payment_required']);
  });

  it('refuse destinations that share an id, and keep the first', async () => {
    const { agent, cup } = await cupShop(transport);
    const away = { ...HOME, id: 'home', address_locality: 'Hamburg', postal_code: '20095' };
    const destinations = [{ ...HOME, id: 'home' }, away, { ...away }];
    const methods = [{ type: 'shipping', destinations, selected_destination_id: 'home' }];
    const { body } = await agent.checkout.create(ready(cup, { fulfillment: { methods } }));
    expect(body.status).toBe('incomplete');
    expect(body.messages).toMatchObject([
      {
        type: 'error',
        code: 'invalid_destination',
        severity: 'recoverable',
        path: '$.fulfillment.methods[0].destinations',
        content: expect.stringContaining('home'),
      },
    ]);
    expect(body.fulfillment.methods[0].destinations).toEqual([{ ...HOME, id: 'home' }]);
    const mended = await agent.checkout.update(body.id, ready(cup));
    expect(codes(mended.body)).toEqual(['payment_required']);
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

  it('are those of the order, once the buyer has placed it with another address or option', async () => {
    const methods = [
      { id: 'slow', name: 'Parcel', price: 5 },
      { id: 'fast', name: 'Express', price: 12 },
    ];
    const { agent, cup } = await cupShop(transport, { settings: { shipping: { methods } } });
    const chosen = shipTo({ id: 'home', ...HOME }, { groups: [{ selected_option_id: 'slow' }] });
    const { id, continue_url } = (await agent.checkout.create(ready(cup, { fulfillment: chosen }))).body;
    const { path, page } = await openPage(continue_url);
    const changed = {
      ...filledIn(page),
      line1: 'Jungfernstieg 1',
      city: 'Hamburg',
      postal_code: '20095',
      shipping_method: 'fast',
    };
    const asked = await browse(path, { ...changed, shown_total: shownTotal(page), action: 'pay' });
    await browse(path, { ...changed, shown_total: shownTotal(asked), action: 'pay' });
    const { body } = await agent.checkout.get(id);
    expect([body.status, amounts(body.totals).fulfillment]).toEqual(['completed', 1200]);
    const [method] = body.fulfillment.methods;
    expect(method.destinations).toEqual([
      {
        id: 'order',
        first_name: 'Ada',
        last_name: 'Lovelace',
        street_address: 'Jungfernstieg 1',
        address_locality: 'Hamburg',
        postal_code: '20095',
        address_country: 'DE',
      },
    ]);
    expect(method.selected_destination_id).toBe('order');
    expect(method.groups[0]).toMatchObject({
      selected_option_id: 'fast',
      options: [{ id: 'fast', title: 'Express', totals: [{ type: 'total', amount: 1200 }] }],
    });
  });

  it('are free by no promotion that the order has not, once the buyer has placed it to another country', async () => {
    const shipping = { flat: 5, by_country: { AT: 0 } };
    const { agent, cup, ...shop } = await cupShop(transport, { settings: { shipping } });
    await promote(shop, { name: 'Fifth', effect: { kind: 'percent', value: 20 } });
    await promote(shop, { name: 'Post on us', effect: { kind: 'free_shipping' } });
    published();
    const { body: open } = await agent.checkout.create(ready(cup, { fulfillment: shipTo(HOME) }));
    expect(amounts(open.totals)).toMatchObject({ discount: -500, fulfillment: 500, total: 1000 });
    const { path, page } = await openPage(open.continue_url);
    const changed = { ...filledIn(page), country: 'AT' };
    const asked = await browse(path, { ...changed, shown_total: shownTotal(page), action: 'pay' });
    await browse(path, { ...changed, shown_total: shownTotal(asked), action: 'pay' });
    const { body } = await agent.checkout.get(open.id);
    expect(body.status).toBe('completed');
    expect(amounts(body.totals)).toEqual({
      subtotal: 1000,
      items_discount: -200,
      fulfillment: 0,
      tax: 0,
      total: 800,
    });
    expect(body.discounts.applied).toMatchObject([{ title: 'Fifth', amount: 200 }]);
  });

  it('keep the name of the destination, if the order has it', async () => {
    const { agent, cup } = await cupShop(transport);
    const payload = ready(cup, { fulfillment: shipTo({ id: 'home', ...HOME, address_country: 'Germany' }) });
    const { id, continue_url } = (await agent.checkout.create(payload)).body;
    await payOnPage(continue_url);
    const { fulfillment } = (await agent.checkout.get(id)).body;
    expect(fulfillment.methods[0]).toMatchObject({
      destinations: [{ id: 'home', ...HOME, first_name: 'Ada' }],
      selected_destination_id: 'home',
    });
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
});
