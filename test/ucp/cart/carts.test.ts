/** Carts of agents, over REST and MCP. */
import { describe, expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import {
  agentShop,
  amounts,
  BUYER,
  buyingAgent,
  codes,
  cupShop,
  expectInvalid,
  expectNotFound,
  expectRefused,
  filledIn,
  lineOf,
  openPage,
  otherAgent,
  published,
  shipTo,
  TRANSPORTS,
} from '../../support/fixtures/agents/agent.ts';
import { agentOf } from '../../support/fixtures/agents/agent-shop.ts';
import { createProduct, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { browse, shownTotal } from '../../support/fixtures/selling/checkout.ts';
import { admin } from '../../support/world.ts';

describe.each(TRANSPORTS)('carts over %s', (transport) => {
  it('are created, read, replaced and cancelled', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = `v${(await stockedProduct(shop)).body.id}`;
    const plate = `p${(await stockedProduct(shop, { name: 'Plate', price: 4.5 })).body.id}`;
    published();
    const created = await agent.cart.create({ ...lineOf(cup, 2), buyer: BUYER });
    expect(created.status).toBe(transport === 'REST' ? 201 : 200);
    const { id, line_items, currency, buyer, continue_url } = created.body;
    expect(line_items).toMatchObject([{ item: { id: cup, title: 'Cup', price: 1000 }, quantity: 2 }]);
    expect(amounts(created.body.totals)).toMatchObject({ subtotal: 2000, total: 2500 });
    expect([currency, buyer, continue_url]).toEqual(['EUR', BUYER, expect.stringMatching(/^https:/)]);
    expect((await agent.cart.get(id)).body).toEqual(created.body);

    const replaced = await agent.cart.update(id, {
      line_items: [
        { item: { id: plate }, quantity: 1 },
        { item: { id: cup }, quantity: 3 },
      ],
    });
    const kept = replaced.body.line_items.find((line: { item: { id: string } }) => line.item.id === cup);
    expect(kept).toMatchObject({ id: line_items[0].id, quantity: 3 });
    expect(amounts(replaced.body.totals).subtotal).toBe(3450);
    expect(replaced.body.buyer).toBeUndefined();

    const cancelled = await agent.cart.cancel(id);
    expect(cancelled.body).toMatchObject({ id, line_items: replaced.body.line_items });
    expectNotFound(await agent.cart.get(id));
    expectNotFound(await agent.cart.update(id, lineOf(cup)));
    expectNotFound(await agent.cart.cancel(id));
  });

  it('belong to one agent of one shop', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    published();
    const { id } = (await agent.cart.create(lineOf(cup))).body;
    const stranger = otherAgent(shop, transport);
    const elsewhere = await agentShop(transport);
    for (const other of [stranger, buyingAgent(agentOf(elsewhere, shop.profile), transport)]) {
      expectNotFound(await other.cart.get(id));
      expectNotFound(await other.cart.update(id, { line_items: [] }));
      expectNotFound(await other.cart.cancel(id));
      expectNotFound(await other.checkout.create({ cart_id: id }));
    }
    expectNotFound(await agent.cart.get(`${id}x`));
    expect((await agent.cart.get(id)).body.line_items).toHaveLength(1);
  });

  it('tell which items can not be added, and keep the others', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = `p${(await createProduct(shop, { stock: 2 })).body.id}`;
    published();
    const created = await agent.cart.create({
      line_items: [
        { item: { id: 'p999999999' }, quantity: 1 },
        { item: { id: cup }, quantity: 3 },
        { item: { id: 'nonsense' }, quantity: 1 },
      ],
    });
    expect(created.body.line_items).toHaveLength(1);
    expect(created.body.messages).toMatchObject([
      { type: 'error', code: 'item_unavailable', severity: 'recoverable', path: '$.line_items' },
      { type: 'error', code: 'item_unavailable', content: expect.stringContaining('nonsense') },
      { type: 'error', code: 'out_of_stock', severity: 'recoverable', path: '$.line_items[0]' },
    ]);
    expect((await agent.cart.get(created.body.id)).body.messages).toEqual(created.body.messages);
    const mended = await agent.cart.update(created.body.id, lineOf(cup, 2));
    expect(mended.body.messages).toBeUndefined();
  });

  it('reduce what is more than a line holds, and tell what is more than there is', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const plenty = await createProduct(shop, { price: 1, inventory_policy: 'untracked' });
    const cup = `p${(await createProduct(shop, { stock: 2 })).body.id}`;
    published();
    const created = await agent.cart.create(lineOf(`p${plenty.body.id}`, 10_001));
    expect(created.body.line_items).toMatchObject([{ quantity: 9_999 }]);
    expect(created.body.messages).toMatchObject([{ type: 'warning', code: 'quantity_adjusted' }]);
    const updated = await agent.cart.update(created.body.id, lineOf(cup, 10_001));
    expect(codes(updated.body)).toEqual(['quantity_adjusted $.line_items', 'out_of_stock $.line_items[0]']);
  });

  it('validate the optional signals and attribution, and limit the messages about eligibility', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    published();
    const claims = Array.from({ length: 30 }, (_, n) => `com.example.benefit_${n}`);
    const data = { signals: { 'dev.ucp.buyer_ip': '192.0.2.1' }, attribution: { gclid: 'a' } };
    const created = await agent.cart.create({ ...lineOf(cup), ...data, context: { eligibility: claims } });
    expect(created.body.messages).toHaveLength(10);
    for (const wrong of [{ signals: { IP: '1' } }, { attribution: { gclid: 1 } }]) {
      for (const resource of [agent.cart, agent.checkout]) {
        expectInvalid(await resource.create({ ...lineOf(cup), ...wrong }));
      }
    }
  });

  it('are filled beside long names of benefits and items that the shop does not know', async () => {
    const { agent, cup } = await cupShop(transport);
    const eligibility = Array.from({ length: 10 }, (_, n) => `com.example.${'x'.repeat(4_000)}${n}`);
    const claimed = await agent.cart.create({ ...lineOf(cup), context: { eligibility } });
    expect(codes(claimed.body)[9]).toBe('eligibility_not_accepted $.context.eligibility[9]');
    const unknown = Array.from({ length: 49 }, (_, n) => ({
      item: { id: `${'𝕏'.repeat(253)}${n}` },
      quantity: 1,
    }));
    const filled = await agent.cart.create({ line_items: [...lineOf(cup).line_items, ...unknown] });
    expect([filled.body.line_items?.length, filled.body.messages?.length]).toEqual([1, 49]);
  });

  it('report items that are no longer sold in the currency of the cart', async () => {
    const { agent, ...shop } = await agentShop(transport, { currencies: ['EUR', 'USD'] });
    const cup = `p${(await stockedProduct(shop, { prices: { USD: 12 } })).body.id}`;
    published();
    const { body } = await agent.cart.create({ ...lineOf(cup), context: { currency: 'USD' } });
    expect(body).toMatchObject({ currency: 'USD', line_items: [{ quantity: 1 }] });
    expect((await admin('PATCH', `/tenants/${shop.slug}`, { currencies: ['EUR'] })).status).toBe(200);
    published();
    const updated = await agent.cart.update(body.id, lineOf(cup, 2));
    expect(updated.body).toMatchObject({ id: body.id, currency: 'USD', line_items: [] });
    expect(codes(updated.body)).toEqual(['item_unavailable $.line_items']);
  });

  it('refuse payloads that are not of the schema', async () => {
    const { agent } = await agentShop(transport);
    const delivery = [{ type: 'drone' }, { line_item_ids: 'li_1' }, { groups: [{ id: 1 }] }];
    for (const wrong of [
      { line_items: [{ id: 1, item: { id: 'p1' }, quantity: 1 }] },
      { line_items: [{ item: { id: 'p1' }, quantity: 0 }] },
      { context: { intent: 1 } },
      { context: { eligibility: ['gold'] } },
      { buyer: { email: [] } },
      { discounts: { codes: 'TEN' } },
    ]) {
      expectInvalid(await agent.cart.create({ ...lineOf('p1'), ...wrong }));
      expectInvalid(await agent.checkout.create({ ...lineOf('p1'), ...wrong }));
    }
    for (const method of delivery) {
      expectInvalid(await agent.checkout.create({ ...lineOf('p1'), fulfillment: { methods: [method] } }));
    }
  });

  it('are not created if nothing of them can be sold', async () => {
    const { agent } = await agentShop(transport, { ucp: { storefront_url: 'https://shop.example.com/' } });
    const once = crypto.randomUUID();
    const refused = await agent.cart.create(lineOf('p999999999'), once);
    expect(refused.body).toMatchObject({
      ucp: { status: 'error' },
      messages: [{ code: 'item_unavailable', severity: 'unrecoverable' }],
      continue_url: 'https://shop.example.com/',
    });
    expect((await agent.cart.create(lineOf('p999999999'), once)).body).toEqual(refused.body);
  });

  it('apply a request once for its key, and refuse the key for another request', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    published();
    const [first, second, third] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    const created = await agent.cart.create(lineOf(cup), first);
    const { id } = created.body;
    expect((await agent.cart.create(lineOf(cup), first)).body).toEqual(created.body);
    expectRefused(await agent.cart.create(lineOf(cup, 2), first), 409, 'idempotency_conflict');
    const updated = await agent.cart.update(id, lineOf(cup, 2), second);
    await agent.cart.update(id, lineOf(cup, 7));
    expect((await agent.cart.update(id, lineOf(cup, 2), second)).body).toEqual(updated.body);
    expectRefused(await agent.cart.update(id, lineOf(cup, 3), second), 409, 'idempotency_conflict');
    expect((await agent.cart.get(id)).body.line_items[0].quantity).toBe(7);
    const cancelled = await agent.cart.cancel(id, third);
    expect((await agent.cart.cancel(id, third)).body).toEqual(cancelled.body);
  });

  it('can not be changed while an order waits for its payment, and are gone once it is paid', async () => {
    const { agent, cup } = await cupShop(transport);
    const { id } = (await agent.cart.create({ ...lineOf(cup), buyer: BUYER })).body;
    const { continue_url } = (await agent.checkout.create({ cart_id: id, fulfillment: shipTo() })).body;
    const { path, page } = await openPage(continue_url);
    await browse(path, { ...filledIn(page), shown_total: shownTotal(page), action: 'decline' });
    expectRefused(await agent.cart.update(id, lineOf(cup, 2)), 409, 'cart_locked');
    expectRefused(await agent.cart.cancel(id), 409, 'cart_locked');
    await browse(path, { action: 'pay' });
    expectNotFound(await agent.cart.get(id));
    expectNotFound(await agent.cart.update(id, lineOf(cup, 2)));
    expectNotFound(await agent.cart.cancel(id));
  });

  it('expire a week after their last change', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    published();
    const { id, expires_at } = (await agent.cart.create(lineOf(cup))).body;
    const lifetime = Date.parse(expires_at) - Date.now();
    expect(lifetime).toBeGreaterThan(6 * 86_400_000);
    moveClock(7 * 86_400_000 + 1_000);
    expectNotFound(await agent.cart.get(id));
  });
});
