/** What a line of an agent's cart holds at most, over REST and MCP. */
import { describe, expect, it } from 'vitest';
import { agentShop, codes, lineOf, published, TRANSPORTS } from '../../support/fixtures/agents/agent.ts';
import { createProduct, stockedProduct } from '../../support/fixtures/catalog/products.ts';

describe.each(TRANSPORTS)('lines over %s', (transport) => {
  it('reduce lines of one item that together are more than a line holds', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const plenty = await createProduct(shop, { price: 1, inventory_policy: 'untracked' });
    const cup = `v${(await stockedProduct(shop)).body.id}`;
    published();
    const lines = [
      { item: { id: `p${plenty.body.id}` }, quantity: 6_000 },
      { item: { id: cup }, quantity: 1 },
      { item: { id: `v${plenty.body.id}` }, quantity: 6_000 },
      { item: { id: `p${plenty.body.id}` }, quantity: 10_001 },
    ];
    const created = await agent.cart.create({ line_items: lines });
    expect(created.body.line_items).toMatchObject([{ quantity: 9_999 }, { quantity: 1 }]);
    expect(created.body.messages).toMatchObject([
      {
        type: 'warning',
        code: 'quantity_adjusted',
        path: '$.line_items',
        content: expect.stringContaining('9999'),
      },
    ]);
    const checkout = await agent.checkout.create({ line_items: lines });
    expect(checkout.body.line_items).toMatchObject([{ quantity: 9_999 }, { quantity: 1 }]);
    expect(codes(checkout.body)).toContain('quantity_adjusted $.line_items');
  });

  it('reduce a line whose amount would exceed the largest one', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const gold = await createProduct(shop, { price: 9_999_999_999, inventory_policy: 'untracked' });
    published();
    const { body } = await agent.cart.create(lineOf(`p${gold.body.id}`, 9_999));
    expect(body.line_items).toMatchObject([{ quantity: 10, totals: [{ amount: 9_999_999_999_000 }, {}] }]);
    expect(codes(body)).toContain('quantity_adjusted $.line_items');
  });
});
