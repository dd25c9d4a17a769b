/** What agents are told while the payment provider can't be reached. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  cupShop,
  expectRefused,
  filledIn,
  NOT_MODIFIABLE,
  openPage,
  ready,
  TRANSPORTS,
} from '../../support/fixtures/agents/agent.ts';
import { browse, shownTotal } from '../../support/fixtures/selling/checkout.ts';
import { StripeStub } from '../../support/fixtures/selling/stripe.ts';
import { sellThroughStripe } from '../../support/fixtures/selling/stripe-shop.ts';

let stripe: StripeStub;

/** Puts Stripe beside the platforms, which are hosts of the tests' internet. */
beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  const fetched = vi.mocked(globalThis.fetch);
  const platforms = fetched.getMockImplementation();
  stripe = new StripeStub();
  stripe.install();
  const payments = fetched.getMockImplementation();
  fetched.mockImplementation(async (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : String(input));
    const respond = host === 'api.stripe.com' ? payments : platforms;
    if (!respond) throw new TypeError('Nobody listens there');
    return respond(input, init);
  });
});

describe.each(TRANSPORTS)('checkouts at an unreachable provider over %s', (transport) => {
  it('are cancelled by a retry, and not called final', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    await sellThroughStripe(shop);
    const { id, continue_url } = (await agent.checkout.create(ready(cup))).body;
    const { path, page } = await openPage(continue_url);
    await browse(path, { ...filledIn(page), shown_total: shownTotal(page), action: 'pay' });
    const once = crypto.randomUUID();
    stripe.down = true;
    const refused = await agent.checkout.cancel(id, once);
    expectRefused(refused, 503, 'unavailable');
    expect(refused.headers.get('retry-after')).toBe('1');
    stripe.down = false;
    expect((await agent.checkout.cancel(id, once)).body.status).toBe('canceled');
    expectRefused(await agent.checkout.cancel(id), 409, NOT_MODIFIABLE);
  });
});
