/** What agents say about the buyer, and what the buyer sees of it, over REST and MCP. */
import { describe, expect, it } from 'vitest';
import {
  BUYER,
  buyingAgent,
  codes,
  cupShop,
  filledIn,
  HOME,
  lineOf,
  openPage,
  payOnPage,
  ready,
  shipTo,
  TRANSPORTS,
} from '../../support/fixtures/agents/agent.ts';
import { agentOf, servePlatform, UCP_VERSION } from '../../support/fixtures/agents/agent-shop.ts';
import { browse } from '../../support/fixtures/selling/checkout.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';

const ORIGIN = 'https://api.example.com';

it('lets a network open the link to a checkout 60 times at once', async () => {
  const { agent, cup } = await cupShop('REST');
  const { continue_url } = (await agent.checkout.create(ready(cup))).body;
  stopClock();
  const headers = { 'cf-connecting-ip': '203.0.113.60' };
  const open = () => browse(continue_url.replace(ORIGIN, ''), undefined, { headers });
  for (let n = 0; n < 60; n++) expect((await open()).status).toBe(303);
  expect((await open()).status).toBe(429);
});

describe.each(TRANSPORTS)('buyers over %s', (transport) => {
  it('have names and addresses on one line', async () => {
    const { agent, cup } = await cupShop(transport);
    const odd = 'Ada\nBcc: eve@example.com';
    for (const more of [
      { buyer: { ...BUYER, first_name: odd } },
      { fulfillment: shipTo({ ...HOME, street_address: odd }) },
    ]) {
      const refused = await agent.checkout.create(ready(cup, more));
      expect(JSON.stringify(refused.body)).toContain('must not contain control characters');
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

  it.each([
    [{ storefront_url: 'https://shop.example.com/start' }, 'https://shop.example.com/start'],
    [{ product_url: 'https://shop.example.com/p/{slug}' }, 'https://shop.example.com/'],
    [{}, null],
  ])('come back to the shop from their paid order, with %j to %s', async (ucp, shopUrl) => {
    const { agent, cup } = await cupShop(transport, { ucp });
    const { continue_url } = (await agent.checkout.create(ready(cup))).body;
    const { page } = await openPage(continue_url);
    expect(page.text.includes('go back to the shop')).toBe(shopUrl !== null);
    const paid = await payOnPage(continue_url);
    const { text } = await browse(new URL(paid.location ?? '', ORIGIN).pathname);
    expect(text).toContain('Your order 1001 is paid.');
    expect(/<a class="button" href="([^"]+)">\s*Back to the shop/.exec(text)?.[1] ?? null).toBe(shopUrl);
    expect(text.includes('You can close this page')).toBe(shopUrl === null);
  });

  it('leave a checkout of a shop without pages by a link that leads back to it', async () => {
    const { agent, cup } = await cupShop(transport);
    const { continue_url } = (await agent.checkout.create(ready(cup))).body;
    const { path } = await openPage(continue_url);
    const left = await browse(path, { action: 'cancel' });
    expect([left.status, left.text]).toEqual([200, expect.stringContaining('You left the checkout')]);
    expect(left.text).not.toContain('Back to the shop');
    const [, back] = /<a class="button" href="([^"]+)">\s*Back to the checkout/.exec(left.text) ?? [];
    expect(back).toBe(continue_url);
  });

  it('are asked for their address where the platform has no field for it', async () => {
    const { cup, ...shop } = await cupShop(transport);
    const capabilities = { 'dev.ucp.shopping.checkout': [{ version: UCP_VERSION }] };
    const bare = buyingAgent(agentOf(shop, servePlatform({ capabilities })), transport);
    const { body } = await bare.checkout.create({ ...lineOf(cup), buyer: BUYER });
    expect(body.status).toBe('requires_escalation');
    expect(body).not.toHaveProperty('fulfillment');
    expect(new Set(codes(body))).toEqual(new Set(['field_required']));
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
});
