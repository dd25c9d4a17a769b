/** Orders that agents made, over REST and MCP. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { fetchWith } from '../../support/faults/bindings.ts';
import {
  agentShop,
  amounts,
  BUYER,
  expectNotFound,
  HOME,
  lineOf,
  otherAgent,
  payOnPage,
  published,
  ready,
  TRANSPORTS,
  type Transport,
} from '../../support/fixtures/agents/agent.ts';
import { agentOf } from '../../support/fixtures/agents/agent-shop.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { SECOND_MASTER_KEY } from '../../support/runtime/runtime.ts';

/** A shop with a paid order of three cups and a virtual service, which an agent made. */
async function orderedShop(transport: Transport) {
  const { agent, ...shop } = await agentShop(transport);
  const cup = (await stockedProduct(shop, { images: ['https://shop.example.com/cup.jpg'] })).body.id;
  const service = (await stockedProduct(shop, { name: 'Help', type: 'virtual', price: 7 })).body.id;
  published();
  const checkout = await agent.checkout.create({
    ...ready('-'),
    line_items: [
      { item: { id: `p${cup}` }, quantity: 3 },
      { item: { id: `p${service}` }, quantity: 1 },
    ],
  });
  await payOnPage(checkout.body.continue_url);
  const completed = (await agent.checkout.get(checkout.body.id)).body;
  return { ...shop, agent, checkout: completed, orderId: completed.order.id as string };
}

describe.each(TRANSPORTS)('orders over %s', (transport) => {
  it('are what was bought, where it goes, and what it cost', async () => {
    const { agent, checkout, orderId } = await orderedShop(transport);
    const { body } = await agent.order(orderId);
    const [cups, service] = checkout.line_items;
    expect(body).toMatchObject({
      id: orderId,
      checkout_id: checkout.id,
      label: '#1001',
      permalink_url: checkout.order.permalink_url,
      currency: 'EUR',
      line_items: [
        { id: cups.id, quantity: { original: 3, total: 3, fulfilled: 0 }, status: 'processing' },
        { id: service.id, quantity: { original: 1, total: 1, fulfilled: 1 }, status: 'fulfilled' },
      ],
      fulfillment: {
        expectations: [
          {
            method_type: 'shipping',
            line_items: [{ id: cups.id, quantity: 3 }],
            destination: { ...HOME, first_name: BUYER.first_name, last_name: BUYER.last_name },
          },
          { method_type: 'digital', line_items: [{ id: service.id, quantity: 1 }] },
        ],
        events: [],
      },
      adjustments: [],
    });
    const items = ({ line_items }: { line_items: { item: object }[] }) => line_items.map(({ item }) => item);
    expect(items(body)).toEqual(items(checkout));
    expect(items(body)[0]).toMatchObject({ image_url: 'https://shop.example.com/cup.jpg' });
    expect(amounts(body.totals)).toEqual(amounts(checkout.totals));
  });

  it('are titled as in the checkout', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const variants = [{ sku: 'tee-m', price: 12, stock: 5, attributes: { size: 'M', colour: 'Blue' } }];
    const tee = await shop.post('/products', { name: 'Tee', type: 'configurable', price: 12, variants });
    published();
    const checkout = await agent.checkout.create({
      ...ready('-'),
      line_items: [{ item: { id: `v${tee.body.variants[0].id}` }, quantity: 1 }],
    });
    const [{ item }] = checkout.body.line_items;
    expect(item.title).toBe('Tee (M, Blue)');
    await payOnPage(checkout.body.continue_url);
    const completed = (await agent.checkout.get(checkout.body.id)).body;
    expect(completed.line_items[0].item).toEqual(item);
    expect((await agent.order(completed.order.id)).body.line_items[0].item).toEqual(item);
  });

  it('show parcels and refunds', async () => {
    const { agent, checkout, orderId, ...shop } = await orderedShop(transport);
    const [cups] = checkout.line_items;
    const tracking = { carrier: 'DHL', number: '0034', url: 'https://www.dhl.de/en/t?id=0034' };
    const items = [{ line_id: 1, quantity: 2 }];
    const parcel = await shop.post(`/orders/${orderId}/fulfilments`, { items, tracking });
    const { delivered_at } = (
      await shop.patch(`/orders/${orderId}/fulfilments/${parcel.body.id}`, { status: 'delivered' })
    ).body;
    const refund = await shop.post(`/orders/${orderId}/refunds`, {
      items: [{ line_id: 1, quantity: 1, restock: true }],
      reason: 'for the shop only',
    });
    expect(refund.status, JSON.stringify(refund.body)).toBe(201);
    const { body } = await agent.order(orderId);
    expect(body.line_items[0]).toMatchObject({
      quantity: { original: 3, total: 2, fulfilled: 2 },
      status: 'fulfilled',
    });
    const sent = { line_items: [{ id: cups.id, quantity: 2 }], tracking_number: '0034', carrier: 'DHL' };
    expect(body.fulfillment.events).toMatchObject([
      { type: 'shipped', occurred_at: parcel.body.created_at, ...sent },
      { type: 'delivered', occurred_at: delivered_at, ...sent },
    ]);
    expect(body.adjustments).toMatchObject([
      {
        type: 'refund',
        status: 'completed',
        line_items: [{ id: cups.id, quantity: -1 }],
        totals: [{ type: 'total', amount: -1000 }],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('for the shop only');
  });

  it('wait for the rest after a shipped piece was refunded', async () => {
    const { agent, orderId, ...shop } = await orderedShop(transport);
    await shop.post(`/orders/${orderId}/fulfilments`, { items: [{ line_id: 1, quantity: 2 }] });
    await shop.post(`/orders/${orderId}/refunds`, { items: [{ line_id: 1, quantity: 1, shipped: true }] });
    expect((await agent.order(orderId)).body.line_items[0]).toMatchObject({
      quantity: { original: 3, total: 3, fulfilled: 2 },
      status: 'partial',
    });
  });

  it('have nothing to come once all of their money is paid back as an amount', async () => {
    const { agent, orderId, checkout, ...shop } = await orderedShop(transport);
    await shop.post(`/orders/${orderId}/fulfilments`, { items: [{ line_id: 1, quantity: 2 }] });
    const { grand_total } = (await shop.get(`/orders/${orderId}`)).body.totals;
    const refund = await shop.post(`/orders/${orderId}/refunds`, { amount: grand_total });
    expect(refund.status, JSON.stringify(refund.body)).toBe(201);
    const { body } = await agent.order(orderId);
    expect(body.line_items[0]).toMatchObject({
      quantity: { original: 3, total: 2, fulfilled: 2 },
      status: 'fulfilled',
    });
  });

  it('belong to the agent that made them', async () => {
    const { agent, orderId, ...shop } = await orderedShop(transport);
    expectNotFound(await otherAgent(shop, transport).order(orderId));
    expectNotFound(await otherAgent(await agentShop(transport), transport).order(orderId));
    expectNotFound(await agent.order('ord_none'));
    expect((await shop.get(`/orders/${orderId}`)).body.agent).toEqual({ profile: shop.profile });
  });

  it('are removed when they are cancelled, with what is paid back', async () => {
    const { agent, orderId, checkout, ...shop } = await orderedShop(transport);
    await shop.post(`/orders/${orderId}/cancel`, {});
    const { body } = await agent.order(orderId);
    expect(body.line_items).toMatchObject([{ status: 'removed' }, { status: 'removed' }]);
    expect(body.adjustments).toMatchObject([
      {
        type: 'cancellation',
        status: 'completed',
        totals: [{ amount: -(amounts(checkout.totals).total ?? 0) }],
      },
    ]);
    expect(body.fulfillment.expectations).toEqual([]);
  });
});

it('keeps the ids of carts and checkouts when a master key is added', async () => {
  const { agent, checkout, orderId, ...shop } = await orderedShop('REST');
  const cart = (await agent.cart.create(lineOf(checkout.line_items[0].item.id, 1))).body;
  const rotated: Env = { ...env, ...SECOND_MASTER_KEY };
  const later = agentOf(shop, shop.profile, ({ method, url, headers }) =>
    fetchWith(rotated, method, new URL(url).pathname, null, { headers }),
  );
  expect((await later.rest('GET', `/carts/${cart.id}`)).body.id).toBe(cart.id);
  expect((await later.rest('GET', `/checkout-sessions/${checkout.id}`)).body.id).toBe(checkout.id);
  expect((await later.rest('GET', `/orders/${orderId}`)).body.checkout_id).toBe(checkout.id);
});
