import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { checkReturnUrl } from '../../src/checkout/start.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { fiveCups, stockedProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import {
  browse,
  CANCEL_URL,
  cartWith,
  checkoutPath,
  RETURN_URL,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { sellThroughStripe } from '../support/fixtures/selling/stripe-shop.ts';
import { admin, send, type World, world } from '../support/world.ts';

const NOT_TO_RETURN_TO = [
  'http://shop.example.com/thanks',
  'javascript:alert(1)//shop.example.com',
  'data:text/html,hi',
  '//shop.example.com/thanks',
  '/thanks',
  'https://other.example.com/thanks',
  'https://sub.shop.example.com/thanks',
  'https://shop.example.com.evil.test/',
  'https://shop.example.com@evil.test/',
  'https://user:pass@shop.example.com/',
  'https://shop.example.com:8443/',
  'https://evil.test\\@shop.example.com/',
  'https://evil.test/shop.example.com',
  'https://evil.test?https://shop.example.com',
  'https://shop%2eexample.com%2fevil.test/',
  'https:shop.example.com',
  'https://shop.example.com\n.evil.test/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://localhost/',
  'https://api.example.com/checkout',
  'ftp://shop.example.com/',
  `https://shop.example.com/${'a'.repeat(2048)}`,
  '',
];

it('redirects only to hosts that the tenant has listed', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup);
  const before = await shop.get(`/cart/${cart}`);
  for (const url of NOT_TO_RETURN_TO) {
    for (const field of ['return_url', 'cancel_url']) {
      const refused = await startCheckout(shop, cart, { [field]: url });
      expect([refused.status, Object.keys(refused.body.errors)], `${field}: ${url}`).toEqual([422, [field]]);
    }
  }
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 0 });
  const after = await shop.get(`/cart/${cart}`);
  expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
});

it("accepts a listed host with its port, and the origins of the tenant's active applications", async () => {
  const rules = {
    env: {},
    requestUrl: 'https://api.example.com/v1',
    hosts: ['shop.example.com:8443'],
    origins: [],
  };
  expect(checkReturnUrl('return_url', 'https://shop.example.com:8443/x', rules).ok).toBe(true);
  for (const url of [
    'https://shop.example.com/',
    'https://shop.example.com:8444/',
    'https://u:8443@shop.example.com:8443/',
  ]) {
    expect(checkReturnUrl('return_url', url, rules).ok, url).toBe(false);
  }
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const register = (tenant: World) =>
    tenant.register({ kind: 'storefront', allowed_origins: ['https://app.example.net'] });
  const start = () => startCheckout(shop, cart, { return_url: 'https://app.example.net/done' });
  await register(await world());
  expectProblem(await start(), 422, 'validation_error');
  const { id } = await register(shop);
  expect((await start()).status).toBe(200);
  await admin('PATCH', `/tenants/${shop.slug}/applications/${id}`, { status: 'passive' });
  expectProblem(await start(), 422, 'validation_error');
});

it('accepts http and localhost only in development', () => {
  const rules = { requestUrl: 'http://127.0.0.1:8787/v1', hosts: [], origins: [] };
  const dev = { DEV_ALLOW_LOCAL_URLS: 'true' };
  for (const url of ['http://127.0.0.1:3000/done', 'http://localhost:3000/done']) {
    expect(checkReturnUrl('return_url', url, { ...rules, env: dev }).ok).toBe(true);
    expect(checkReturnUrl('return_url', url, { ...rules, env: {} }).ok).toBe(false);
  }
  // The demo shop of a developer's machine is on the service's own host; no shop elsewhere is.
  expect(checkReturnUrl('return_url', 'http://127.0.0.1:8787/demo', { ...rules, env: dev }).ok).toBe(true);
  const own = { requestUrl: 'https://api.example.com/v1', hosts: ['api.example.com'], origins: [] };
  expect(checkReturnUrl('return_url', 'https://api.example.com/v1', { ...own, env: {} }).ok).toBe(false);
  expect(checkReturnUrl('return_url', 'http://shop.example.com/', { ...rules, env: dev }).ok).toBe(false);
});

it('offers no checkout without a payment provider: never the sandbox by accident', async () => {
  const shop = await world({ settings: { checkout: { allowed_hosts: ['shop.example.com'] } } });
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup);
  const none = await startCheckout(shop, cart);
  // Only the shop can change it, so that apps must not try again at once.
  const refused = [none.status, none.body.code, none.headers.get('retry-after')];
  expect(refused).toEqual([503, 'unavailable', '60']);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 0 });

  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cart_token: cart, return_url: RETURN_URL }),
  };
  await shop.patch('/settings', { payments: 'sandbox' });
  const override = `TENANT_${shop.slug.toUpperCase().replaceAll('-', '_')}`;
  const broken = { ...env, [override]: '{"checkout_secret":' };
  const unread = await fetchWith(broken, 'POST', '/v1/checkout/seamless', shop.token, init);
  expect([unread.status, unread.headers.get('retry-after')]).toEqual([503, '60']);
  // On a developer's machine, tenants without a provider get the sandbox.
  await shop.patch('/settings', { payments: 'none' });
  const dev = { ...env, DEV_DEFAULT_PAYMENTS: 'sandbox' };
  expect((await fetchWith(dev, 'POST', '/v1/checkout/seamless', shop.token, init)).status).toBe(200);
});

it('places no sandbox orders once the tenant has left the sandbox', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  await shop.patch('/settings', { payments: 'none' });
  expect((await submitCheckout(path, 'pay')).status).toBe(503);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
});

it('sends shoppers back to their cart once the tenant has another provider', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const path = await checkoutPath(shop, cart);
  await sellThroughStripe(shop);
  const page = await submitCheckout(path, 'pay');
  expect([page.status, page.text]).toEqual([410, expect.stringContaining('start again from your cart')]);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
  expect(await checkoutPath(shop, cart)).not.toBe(path);
});

it('lets shoppers cancel an order that waits for a provider which the tenant has left', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const path = await checkoutPath(shop, cart);
  await submitCheckout(path, 'decline');
  await sellThroughStripe(shop);
  const page = await submitCheckout(path, 'pay');
  expect([page.status, page.text]).toEqual([409, expect.stringContaining('order again from your cart')]);
  expect(page.text).not.toContain('cannot be reached');
  expect((await submitCheckout(path, 'cancel')).location).toBe(CANCEL_URL);
  expect((await shop.get('/orders')).body.data).toMatchObject([{ status: 'cancelled' }]);
  await expect.poll(async () => (await startCheckout(shop, cart)).status).toBe(200);
});

it.each(['', 'ct_', 'ct_made-up', `ct_${'a'.repeat(22)}1${'b'.repeat(12)}`, 'x'.repeat(100)])(
  'answers 404 for the cart %j',
  async (token) => {
    const shop = await sandboxShop();
    expect((await startCheckout(shop, token)).body.code).toBe('cart_not_found');
  },
);

it("refuses an empty cart, another tenant's cart and missing stock, and names the item", async () => {
  const [shop, other] = await Promise.all([sandboxShop(), sandboxShop()]);
  const empty = await shop.post('/cart', {});
  expect((await startCheckout(shop, empty.body.cart_token)).body.code).toBe('cart_empty');
  const cup = await stockedProduct(shop, { stock: 3 });
  const [mine, theirs] = [await cartWith(shop, cup, 3), await cartWith(shop, cup, 2)];
  expect((await startCheckout(other, mine)).body.code).toBe('cart_not_found');
  await checkoutPath(shop, theirs);
  const short = await startCheckout(shop, mine);
  expect([short.status, short.body]).toMatchObject([
    409,
    {
      code: 'insufficient_stock',
      details: { product_id: cup.body.id, variant_id: null, requested: 3, available: 1 },
    },
  ]);
});

it('shows the new total when it has risen, and continues when confirmed', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup);
  await shop.patch(`/products/${cup.body.id}`, { price: 12 });
  const risen = await startCheckout(shop, cart);
  expect([risen.status, risen.body.code]).toEqual([409, 'price_changed']);
  expect(risen.body.details.cart).toMatchObject({ cart_token: cart, totals: { grand_total: 12 } });
  expect((await startCheckout(shop, cart)).status).toBe(200);
  // A price that fell needs no question.
  await shop.patch(`/products/${cup.body.id}`, { price: 8 });
  const page = await browse(await checkoutPath(shop, cart));
  expect(page.text).toContain('Pay €8.00');
});

it('answers 404 for a forged session', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const last = path.at(-1) === 'a' ? 'b' : 'a';
  for (const forged of [`${path.slice(0, -1)}${last}`, '/checkout/x', `/checkout/ck_${'a'.repeat(45)}`]) {
    expect((await browse(forged)).status, forged).toBe(404);
    expect((await browse(forged, { action: 'pay' })).status, forged).toBe(404);
  }
});

it.each([
  ['/checkout/ck_x', ['PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, HEAD, POST'],
  ['/checkout/ck_x/return', ['POST', 'DELETE'], 'GET, HEAD'],
  ['/downloads/dl_x', ['POST', 'PUT', 'DELETE'], 'GET, HEAD'],
])('shows a page with the allowed methods of %s', async (path, methods, allow) => {
  for (const method of methods) {
    const page = await browse(path, undefined, { method });
    expect([page.status, page.headers.get('allow')], method).toEqual([405, allow]);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(page.text).toContain('This page does not support the request method.');
  }
  expect((await browse(path, undefined, { method: 'HEAD' })).status).toBe(404);
});

it('accepts payment callbacks only by POST', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const answer = await send(method, '/payments/stripe/nobody');
    expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'POST']);
    if (method !== 'HEAD') expectProblem(answer, 405, 'method_not_allowed');
  }
  expectProblem(await send('POST', '/payments/stripe/nobody'), 404, 'not_found');
});
