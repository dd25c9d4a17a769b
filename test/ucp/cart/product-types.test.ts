/** Items of every product type in carts and checkouts of agents, over REST and MCP. */
import { describe, expect, it } from 'vitest';
import {
  agentShop,
  BUYER,
  codes,
  expectNotFound,
  lineOf,
  payOnPage,
  published,
  ready,
  TRANSPORTS,
} from '../../support/fixtures/agents/agent.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import type { World } from '../../support/world.ts';

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const PAGES = { product_url: 'https://shop.example.com/{slug}', storefront_url: 'https://shop.example.com/' };

/** Creates a product and returns its body. */
const made = async (shop: World, body: object) => (await stockedProduct(shop, body)).body;

const tee = (shop: World) =>
  made(shop, {
    name: 'Tee',
    type: 'configurable',
    variants: [
      { sku: 'tee-m', price: 12, stock: 5, attributes: { size: 'M' } },
      { sku: 'tee-l', price: 14, stock: 5, attributes: { size: 'L' } },
    ],
  });

/** Products whose purchase needs choices that line items have no fields for. */
const CHOICES: Readonly<Record<string, (shop: World) => Promise<{ id: number; slug: string }>>> = {
  downloadable: (shop) =>
    made(shop, {
      name: 'Album',
      type: 'downloadable',
      price: 1,
      links: [
        { title: 'MP3', price: 4, url: 'https://files.example.com/mp3' },
        { title: 'FLAC', price: 6, url: 'https://files.example.com/flac' },
      ],
    }),
  grouped: async (shop) => {
    const spoon = await made(shop, { name: 'Spoon', price: 2 });
    return made(shop, {
      name: 'Set',
      type: 'grouped',
      price: 0,
      grouped: [{ product_id: spoon.id, default_quantity: 0 }],
    });
  },
  bundled: async (shop) => {
    const lens = await made(shop, { name: 'Lens', price: 50 });
    const zoom = await made(shop, { name: 'Zoom', price: 80 });
    return made(shop, {
      name: 'Kit',
      type: 'bundled',
      price: 1,
      bundle_groups: [{ title: 'Lens', items: [{ product_id: lens.id }, { product_id: zoom.id }] }],
    });
  },
  booking: (shop) =>
    made(shop, {
      name: 'Tour',
      type: 'booking',
      price: 20,
      booking: { timezone: 'Europe/Berlin', slots: [{ from: inHours(24), to: inHours(25), capacity: 4 }] },
    }),
};

describe.each(TRANSPORTS)('product types over %s', (transport) => {
  it('sell simple, virtual, downloadable and grouped products, and variants, as they are', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = await made(shop, { name: 'Cup' });
    const help = await made(shop, { name: 'Help', type: 'virtual', price: 7 });
    const ticket = await made(shop, { name: 'Ticket', type: 'downloadable', price: 4 });
    const spoon = await made(shop, { name: 'Spoon', price: 2 });
    const set = await made(shop, {
      name: 'Set',
      type: 'grouped',
      price: 0,
      grouped: [{ product_id: spoon.id, default_quantity: 3 }],
    });
    const [, large] = (await tee(shop)).variants;
    published();
    const ids = [`p${cup.id}`, `v${help.id}`, `p${ticket.id}`, `v${large.id}`, `p${set.id}`];
    const line_items = ids.map((id) => ({ item: { id }, quantity: 1 }));
    const sold = [
      { item: { id: `v${cup.id}`, price: 1000 }, quantity: 1 },
      { item: { id: `v${help.id}`, price: 700 }, quantity: 1 },
      { item: { id: `v${ticket.id}`, price: 400 }, quantity: 1 },
      { item: { id: `v${large.id}`, price: 1400 }, quantity: 1 },
      { item: { id: `v${spoon.id}`, price: 200 }, quantity: 3 },
    ];
    const cart = await agent.cart.create({ line_items });
    expect(cart.body.line_items).toMatchObject(sold);
    expect(codes(cart.body)).toEqual([]);

    const checkout = await agent.checkout.create({ ...ready('-'), line_items });
    expect(checkout.body).toMatchObject({ status: 'requires_escalation', line_items: sold });
    const shipped = [0, 3, 4].map((n) => checkout.body.line_items[n].id);
    expect(checkout.body.fulfillment.methods[0].line_item_ids).toEqual(shipped);
    await payOnPage(checkout.body.continue_url);
    const paid = (await agent.checkout.get(checkout.body.id)).body;
    expect(paid).toMatchObject({ status: 'completed', line_items: sold });
    const order = (await agent.order(paid.order.id)).body;
    const named = (lines: { id: string; item: { title: string } }[]) =>
      lines.map(({ id, item }) => [id, item.title]);
    expect(named(order.line_items)).toEqual(named(checkout.body.line_items));
    expect(named(paid.line_items)).toEqual(named(checkout.body.line_items));
  });

  it('ask for a variant of a configurable product', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const product = await tee(shop);
    const cup = await made(shop, { name: 'Cup' });
    published();
    const line_items = [`p${product.id}`, `p${cup.id}`].map((id) => ({ item: { id }, quantity: 1 }));
    for (const resource of [agent.cart, agent.checkout]) {
      const { body } = await resource.create({ line_items, buyer: BUYER });
      expect(body.messages).toContainEqual(
        expect.objectContaining({ code: 'variant_required', path: '$.line_items' }),
      );
      expect(body.line_items).toMatchObject([{ item: { id: `v${cup.id}` } }]);
      const chosen = await resource.update(body.id, lineOf(`v${product.variants[0].id}`));
      expect(codes(chosen.body).some((code) => code.startsWith('variant_required'))).toBe(false);
      expect(chosen.body.line_items).toMatchObject([{ item: { price: 1200 } }]);
    }
  });

  it.each(Object.keys(CHOICES))(
    'send the buyer to the page of a %s product for its choices',
    async (type) => {
      const { agent, ...shop } = await agentShop(transport, { ucp: PAGES });
      const product = await CHOICES[type]?.(shop);
      const cup = await made(shop, { name: 'Cup' });
      published();
      const id = `p${product?.id}`;
      const url = `https://shop.example.com/${product?.slug}`;
      for (const resource of [agent.cart, agent.checkout]) {
        const alone = await resource.create(lineOf(id));
        expect(alone.body).toMatchObject({
          ucp: { status: 'error' },
          messages: [{ code: 'item_unavailable', severity: 'requires_buyer_input' }],
          continue_url: url,
        });
        const both = await resource.create({
          line_items: [id, `p${cup.id}`].map((one) => ({ item: { id: one }, quantity: 1 })),
        });
        expect(both.body.line_items).toMatchObject([{ item: { id: `v${cup.id}` } }]);
        expect(both.body.messages).toContainEqual(
          expect.objectContaining({
            type: 'warning',
            code: 'options_required',
            path: '$.line_items',
            url,
          }),
        );
      }
    },
  );

  it('have nothing to sell of a shop next door', async () => {
    const { agent } = await agentShop(transport);
    const next = await agentShop(transport);
    const cup = await made(next, { name: 'Cup' });
    published();
    for (const id of [`p${cup.id}`, `v${cup.id}`]) {
      const { body } = await agent.checkout.create(lineOf(id));
      expect([body.ucp.status, codes(body)]).toEqual(['error', ['item_unavailable $.line_items']]);
    }
    expectNotFound(await agent.cart.get('uc_0'));
  });
});
