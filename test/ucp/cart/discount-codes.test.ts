/** Discount codes in carts of agents, over REST and MCP. */
import { describe, expect, it } from 'vitest';
import { HOUR, iso, moveClock, now } from '../../../src/kernel/core/clock.ts';
import {
  agentShop,
  amounts,
  codes,
  cupShop,
  lineOf,
  published,
  TRANSPORTS,
} from '../../support/fixtures/agents/agent.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { promote, promoteByCode } from '../../support/fixtures/selling/promotions.ts';

describe.each(TRANSPORTS)('carts over %s', (transport) => {
  it('apply discount codes, and say why others have no effect', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    const ten = { kind: 'percent', value: 10 };
    await shop.post('/coupons', { code: 'TEN', ...ten });
    await shop.post('/coupons', { code: 'OVER100', ...ten, minimum_subtotal: 100 });
    published();
    const discounts = { codes: ['ten', 'GUESS', 'OVER100', 'TEN'] };
    const { body } = await agent.cart.create({ ...lineOf(cup, 2), discounts });
    expect(body.discounts.codes).toEqual(discounts.codes);
    expect(body.discounts.applied).toMatchObject([
      { code: 'TEN', amount: 200, automatic: false, allocations: [{ path: '$.line_items[0]', amount: 200 }] },
    ]);
    expect(amounts(body.totals)).toMatchObject({ subtotal: 2000, items_discount: -200, total: 2300 });
    expect(amounts(body.line_items[0].totals)).toEqual({ subtotal: 2000, items_discount: -200, total: 1800 });
    expect(body.messages).toMatchObject([
      { type: 'warning', code: 'discount_code_invalid', path: '$.discounts.codes[1]' },
      { type: 'warning', code: 'discount_code_invalid', path: '$.discounts.codes[2]' },
      { type: 'warning', code: 'discount_code_already_applied', path: '$.discounts.codes[3]' },
    ]);
    const cleared = await agent.cart.update(body.id, { ...lineOf(cup, 2), discounts: { codes: [] } });
    expect(cleared.body.discounts).toEqual({ applied: [] });
  });

  it('name the reason when a code that applied no longer does', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    const ten = { kind: 'percent', value: 10 };
    await shop.post('/coupons', { code: 'SOON', ...ten, ends_at: iso(now() + HOUR) });
    const gone = await shop.post('/coupons', { code: 'GONE', ...ten });
    published();
    const withCode = (code: string) => agent.cart.create({ ...lineOf(cup), discounts: { codes: [code] } });
    const [soon, other] = [await withCode('SOON'), await withCode('GONE')];
    expect([codes(soon.body), codes(other.body)]).toEqual([[], []]);
    await shop.delete(`/coupons/${gone.body.id}`);
    moveClock(HOUR);
    for (const { body } of [soon, other]) {
      const { discounts, messages } = (await agent.cart.get(body.id)).body;
      expect(discounts.applied).toEqual([]);
      expect(messages).toMatchObject([{ type: 'warning', code: 'discount_code_expired' }]);
    }
  });

  it('tell codes that others replace or are better than from one that is gone', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    const { body: gone } = await promoteByCode(shop, 'GONE', { combinable: true });
    await promoteByCode(shop, 'WITH', { combinable: true });
    await promoteByCode(shop, 'FIRST');
    await promoteByCode(shop, 'LAST', { effect: { kind: 'percent', value: 5 } });
    published();
    const discounts = { codes: ['GONE', 'FIRST', 'WITH', 'LAST'] };
    const { body } = await agent.cart.create({ ...lineOf(cup), discounts });
    const notCombined = [
      'discount_code_combination_disallowed $.discounts.codes[1]',
      'discount_code_combination_disallowed $.discounts.codes[3]',
    ];
    expect(codes(body)).toEqual(notCombined);
    await shop.delete(`/promotions/${gone.id}`);
    moveClock(HOUR);
    expect(codes((await agent.cart.get(body.id)).body)).toEqual([
      'discount_code_expired $.discounts.codes[0]',
      ...notCombined,
    ]);
  });

  it('do not warn of a code that applies in another spelling', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    await shop.post('/coupons', { code: 'SÖMMER', kind: 'percent', value: 10 });
    published();
    const { body } = await agent.cart.create({ ...lineOf(cup), discounts: { codes: ['sommer'] } });
    expect(body.discounts.applied).toMatchObject([{ code: 'SÖMMER', amount: 100 }]);
    expect(codes(body)).toEqual([]);
  });

  it('take the shipping off by a discount, which must take off something', async () => {
    const settings = { shipping: { methods: [{ id: 'parcel', name: 'Parcel', price: 5 }] } };
    const { agent, ...shop } = await agentShop(transport, { settings });
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    const voucher = `p${(await stockedProduct(shop, { type: 'virtual' })).body.id}`;
    await shop.post('/coupons', { code: 'SHIP', kind: 'free_shipping' });
    published();
    const discounts = { codes: ['SHIP'] };
    const { body } = await agent.cart.create({ ...lineOf(cup), discounts });
    expect(body.discounts.applied).toEqual([
      { code: 'SHIP', title: expect.any(String), amount: 500, automatic: false, priority: 1 },
    ]);
    expect(amounts(body.totals)).toMatchObject({
      subtotal: 1000,
      discount: -500,
      fulfillment: 500,
      total: 1000,
    });
    const { body: none } = await agent.cart.update(body.id, { ...lineOf(voucher), discounts });
    expect(none.discounts.applied).toEqual([]);
    expect(codes(none)).toEqual(['discount_code_without_effect $.discounts.codes[0]']);
  });

  it('say that a code which combines with others has nothing to reduce, once its goods are free', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    await promoteByCode(shop, 'ALL', {
      combinable: true,
      effect: { kind: 'percent', value: 100 },
      priority: 1,
    });
    await promoteByCode(shop, 'TEN', { combinable: true, priority: 2 });
    published();
    const discounts = { codes: ['ALL', 'TEN'] };
    const { body } = await agent.cart.create({ ...lineOf(cup), discounts });
    expect(body.discounts.applied).toMatchObject([{ code: 'ALL', amount: 1000 }]);
    expect(codes(body)).toEqual(['discount_code_without_effect $.discounts.codes[1]']);
  });

  it('leave out a code that would cost the free shipping, and say so', async () => {
    const { agent, ...shop } = await agentShop(transport, {
      settings: { shipping: { flat: 9, free_over: 50 } },
    });
    const lamp = `p${(await stockedProduct(shop, { price: 51 })).body.id}`;
    await shop.post('/coupons', { code: 'FIVE', kind: 'percent', value: 5 });
    published();
    const { body } = await agent.cart.create({ ...lineOf(lamp), discounts: { codes: ['FIVE'] } });
    expect(body.discounts.applied).toEqual([]);
    expect(amounts(body.totals)).toMatchObject({ subtotal: 5100, total: 5100 });
    expect(codes(body)).toEqual(['discount_code_without_effect $.discounts.codes[0]']);
  });

  it('take the shipping off by its own discount, whatever reduces free goods by nothing', async () => {
    const { agent, ...shop } = await agentShop(transport);
    const sample = `p${(await stockedProduct(shop, { price: 0 })).body.id}`;
    await promote(shop, { combinable: true, priority: 1 });
    await promoteByCode(shop, 'SHIP', { combinable: true, effect: { kind: 'free_shipping' } });
    published();
    const { body } = await agent.cart.create({ ...lineOf(sample), discounts: { codes: ['SHIP'] } });
    expect(body.discounts.applied).toEqual([
      { code: 'SHIP', title: 'SHIP', amount: 500, automatic: false, priority: 1 },
    ]);
    expect(codes(body)).toEqual([]);
  });
});
