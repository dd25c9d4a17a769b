/** Responses to agents and buyers while the payment provider is unreachable, or the shop has too many checkouts. */
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checkoutPort } from '../../../src/cart/index.ts';
import { readContinueLink } from '../../../src/checkout/agents/continue-url.ts';
import { MAX_MOVEMENTS_PER_DAY } from '../../../src/inventory/reservations/usage.ts';
import { DAY, MINUTE, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import {
  agentShop,
  BUYER,
  cupShop,
  expectRefused,
  filledIn,
  lineOf,
  NOT_MODIFIABLE,
  openPage,
  published,
  ready,
  TRANSPORTS,
  type Transport,
} from '../../support/fixtures/agents/agent.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { lockForOrder } from '../../support/fixtures/selling/cart.ts';
import { browse, shownTotal } from '../../support/fixtures/selling/checkout.ts';
import { StripeStub } from '../../support/fixtures/selling/stripe.ts';
import { sellThroughStripe } from '../../support/fixtures/selling/stripe-shop.ts';
import { contextOf, databaseOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';

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

/** Sets how many stock movements the shop's checkouts have made today. */
const setMovements = (shop: World, movements: number) =>
  databaseOf(shop).run(
    sql`INSERT OR REPLACE INTO reservation_usage (tenant_id, day, movements)
      VALUES (${shop.tenantId}, ${Math.floor(now() / DAY)}, ${movements})`,
  );

/** Creates a checkout with nothing to pay, which an agent can complete. */
async function freeCheckout(transport: Transport) {
  const { agent, ...shop } = await agentShop(transport);
  const gift = `p${(await stockedProduct(shop, { name: 'Sample', type: 'virtual', price: 0 })).body.id}`;
  published();
  const free = { ...lineOf(gift), buyer: BUYER, context: { address_country: 'DE' } };
  return { agent, shop, id: (await agent.checkout.create(free)).body.id };
}

describe.each(TRANSPORTS)('checkouts of a shop that has too many over %s', (transport) => {
  it('say when to complete them again, and are completed then', async () => {
    const { agent, shop, id } = await freeCheckout(transport);
    await setMovements(shop, MAX_MOVEMENTS_PER_DAY);
    const once = crypto.randomUUID();
    const refused = await agent.checkout.complete(id, {}, once);
    expectRefused(refused, 429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await setMovements(shop, 0);
    expect((await agent.checkout.complete(id, {}, once)).body.status).toBe('completed');
  });

  it('say so to the buyer as well', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    const { continue_url } = (await agent.checkout.create(ready(cup))).body;
    await setMovements(shop, MAX_MOVEMENTS_PER_DAY);
    const { status, text } = await browse(new URL(continue_url).pathname);
    expect([status, text]).toEqual([429, expect.stringContaining('The shop has too many checkouts')]);
    await setMovements(shop, 0);
    expect((await browse(new URL(continue_url).pathname)).status).toBe(303);
  });
});

describe.each(TRANSPORTS)('checkouts that an error of ours stops over %s', (transport) => {
  it('are completed by a retry with the same key', async () => {
    const { agent, id } = await freeCheckout(transport);
    const once = crypto.randomUUID();
    beforeBatch(/INSERT INTO reservations/, () => Promise.reject(new TypeError('unexpected')));
    expectRefused(await agent.checkout.complete(id, {}, once), 500, 'internal_error');
    expect((await agent.checkout.complete(id, {}, once)).body.status).toBe('completed');
  });
});

/** Returns the id of the cart behind the link of a checkout. */
const cartBehind = (continueUrl: string): string =>
  readContinueLink(env, new URL(continueUrl).pathname.split('/').at(-1) ?? '')?.cartId ?? '';

describe.each(TRANSPORTS)('checkouts whose order somebody else is just placing over %s', (transport) => {
  it('are completed by a retry with the same key', async () => {
    const { agent, shop, id } = await freeCheckout(transport);
    const { continue_url } = (await agent.checkout.get(id)).body;
    await lockForOrder(checkoutPort(contextOf(shop), cartBehind(continue_url)));
    const once = crypto.randomUUID();
    const refused = await agent.checkout.complete(id, {}, once);
    expectRefused(refused, 503, 'unavailable');
    expect(refused.headers.get('retry-after')).toBe('1');
    moveClock(3 * MINUTE);
    expect((await agent.checkout.complete(id, {}, once)).body.status).toBe('completed');
  });

  it('are changed and cancelled by a retry with the same key', async () => {
    const { agent, cup, ...shop } = await cupShop(transport);
    const { id, continue_url } = (await agent.checkout.create(ready(cup))).body;
    await lockForOrder(checkoutPort(contextOf(shop), cartBehind(continue_url)));
    const [change, end] = [crypto.randomUUID(), crypto.randomUUID()];
    expectRefused(await agent.checkout.update(id, ready(cup), change), 409, NOT_MODIFIABLE);
    expectRefused(await agent.checkout.cancel(id, end), 409, NOT_MODIFIABLE);
    moveClock(3 * MINUTE);
    expect((await agent.checkout.update(id, ready(cup), change)).body.status).toBe('requires_escalation');
    expect((await agent.checkout.cancel(id, end)).body.status).toBe('canceled');
  });
});

it('tells the buyer that the cart is being ordered in another tab', async () => {
  const { agent, cup, ...shop } = await cupShop('REST');
  const { continue_url } = (await agent.checkout.create(ready(cup))).body;
  await lockForOrder(checkoutPort(contextOf(shop), cartBehind(continue_url)));
  const { status, text } = await browse(new URL(continue_url).pathname);
  expect([status, text]).toEqual([409, expect.stringContaining('being ordered or changed')]);
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
