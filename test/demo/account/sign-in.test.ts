import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser, SCRIPT_TAG } from '../../support/fixtures/browser.ts';
import { fiveCups, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { demoShop } from '../../support/fixtures/demo.ts';
import { checkoutPath, submitCheckout } from '../../support/fixtures/selling/checkout.ts';
import { add, send } from '../demo-steps.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

const LOGIN = { email: 'ada@example.com', password: 'correct horse' };

/** A browser in which a customer has just registered. */
async function registered(shopper = new Browser()): Promise<Browser> {
  await send(shopper, '/demo/account/register', { name: `Ada ${SCRIPT_TAG}`, ...LOGIN });
  expect(shopper.last.html).toContain('Your account is ready.');
  return shopper;
}

it('binds the cart at registration, and restores it at the next login', async () => {
  const shop = await demoShop();
  const [cup, jug] = [await fiveCups(shop), await stockedProduct(shop, { name: 'Jug' })];
  const shopper = new Browser();
  await add(shopper, cup, { quantity: '2' });
  await registered(shopper);
  expect(shopper.last.html).not.toContain(SCRIPT_TAG);
  expect((await shopper.get('/demo/cart')).html).toMatch(/Cup[\s\S]*signed in/);
  await shopper.get('/demo/account');
  await shopper.submit('/demo/account/logout', {});
  expect((await shopper.get('/demo/cart')).html).toContain('Your cart is empty.');

  const elsewhere = new Browser();
  await add(elsewhere, jug);
  await send(elsewhere, '/demo/account/login', LOGIN);
  const { html } = await elsewhere.get('/demo/cart');
  expect(html).toMatch(/value="2"/);
  expect([html.includes('>Cup<'), html.includes('>Jug<')]).toEqual([true, true]);
});

it('signs in only with the right password, and shows when guesses are throttled', async () => {
  await demoShop();
  await registered();
  const guesser = new Browser();
  for (let guess = 0; guess < 5; guess++) {
    const got = await send(guesser, '/demo/account/login', { ...LOGIN, password: `wrong ${guess}` });
    expect([got.status, got.html.includes('The e-mail or the password is wrong.')]).toEqual([401, true]);
    expect(got.html).toContain('value="ada@example.com"');
    expect(got.html).not.toContain('wrong 0');
  }
  const { status, html, headers } = await send(guesser, '/demo/account/login', LOGIN);
  expect(status).toBe(429);
  const [, wait] = /Too many attempts; try again in (\d+) s\./.exec(html) ?? [];
  expect(headers.get('retry-after')).toBe(wait);
});

it("leaves another customer's cart alone at registration, and shows that an account exists", async () => {
  const shop = await demoShop();
  const ada = await registered();
  await add(ada, await fiveCups(shop));
  const other = new Browser();
  await other.get('/demo');
  // Ada's cart in the browser of somebody else.
  other.cookies.set('sfe-demo-cart', ada.cookies.get('sfe-demo-cart') ?? '');
  await send(other, '/demo/account/register', { ...LOGIN, name: 'Eve', email: 'eve@example.com' });
  expect(other.last.html).toContain('eve@example.com');
  expect((await other.get('/demo/cart')).html).toContain('Your cart is empty.');
  const taken = await send(new Browser(), '/demo/account/register', { ...LOGIN, name: 'Ada' });
  expect([taken.status, taken.html.includes('There is an account with this e-mail already.')]).toEqual([
    409,
    true,
  ]);
});

it('shows a customer only their own orders, with download links', async () => {
  const shop = await demoShop();
  const ada = await registered();
  expect(ada.last.html).toContain('No orders yet.');
  const links = [{ title: `Maps ${SCRIPT_TAG}`, price: 0, url: 'https://files.example.com/maps.zip', id: 1 }];
  await add(ada, await stockedProduct(shop, { name: `Book ${SCRIPT_TAG}`, type: 'downloadable', links }), {
    link: '1',
  });
  const cart = ada.cookies.get('sfe-demo-cart') ?? '';
  await submitCheckout(await checkoutPath(shop, cart), 'pay');

  const list = await ada.get('/demo/account');
  expect(list.html).toMatch(/Order 1001[\s\S]*paid[\s\S]*€10\.00/);
  const { html } = await ada.get(/\/demo\/account\/orders\/\w+/.exec(list.html)?.[0] ?? 'none');
  expect(html).toMatch(/href="https:\/\/api\.example\.com\/downloads\/dl_/);
  expect(html).not.toContain(SCRIPT_TAG);
  const eve = new Browser();
  await send(eve, '/demo/account/register', { ...LOGIN, name: 'Eve', email: 'eve@example.com' });
  expect(eve.last.html).toContain('No orders yet.');

  // The cart has become an order: it can be left, and what is added begins a new one.
  await ada.get('/demo/cart');
  expect((await ada.post('/demo/cart/items/1', { quantity: '2' })).html).toContain(
    'This cart is locked by an order.',
  );
  await ada.submit('/demo/cart/new', {});
  expect((await ada.get('/demo/cart')).html).toContain('Your cart is empty.');
  ada.cookies.set('sfe-demo-cart', cart);
  await add(ada, await stockedProduct(shop, { name: 'Jug' }));
  expect(ada.last.html).toContain('>Jug<');
});

it('ends the session by logging out, and then redirects to sign-in', async () => {
  await demoShop();
  const ada = await registered();
  const session = ada.cookies.get('sfe-demo-customer') ?? '';
  expect(session).toMatch(/^cs_/);
  await ada.get('/demo/account');
  const left = await ada.post('/demo/account/logout', {});
  expect(left.headers.getSetCookie().join()).toMatch(/sfe-demo-customer=;.*Max-Age=0/);
  // Whatever the browser keeps, the session is over.
  ada.cookies.set('sfe-demo-customer', session);
  const got = await ada.get('/demo/account');
  expect([got.status, got.headers.get('location')]).toEqual([303, '/demo/account/login?note=session_ended']);
  const again = await send(ada, '/demo/account/login', LOGIN);
  expect(again.html).toContain('You are signed in.');
});

it('continues as a guest when the session has ended', async () => {
  const shop = await demoShop();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const ada = await registered();
  const session = ada.cookies.get('sfe-demo-customer') ?? '';
  await ada.post('/demo/account/logout', {});
  await add(ada, mug);
  const line = /\/demo\/cart\/items\/(\d+)/.exec(ada.last.html)?.[1];
  for (const step of [
    () => ada.get('/demo/cart'),
    () => add(ada, mug),
    () => ada.submit(`/demo/cart/items/${line}`, { quantity: '3' }),
  ]) {
    ada.cookies.set('sfe-demo-customer', session);
    await step();
    expect(ada.last.html).toContain('Mug');
    expect(ada.cookies.has('sfe-demo-customer')).toBe(false);
  }
  expect(ada.last.html).toContain('€30.00');
});

it('stores tokens where no script and no other site can read them', async () => {
  await demoShop();
  const shopper = new Browser();
  await shopper.get('/demo/account/register');
  const got = await shopper.post('/demo/account/register', { name: 'Ada', ...LOGIN });
  const line = got.headers.getSetCookie().find((one) => one.startsWith('sfe-demo-customer=')) ?? '';
  for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/demo']) expect(line).toContain(part);
});

it.each(['login', 'register'])('leads back to the cart that %s began at', async (page) => {
  const shop = await demoShop();
  await registered();
  const shopper = new Browser();
  await add(shopper, await stockedProduct(shop, { name: 'Mug' }));
  const link = `/demo/account/${page}?next=%2Fdemo%2Fcart`;
  expect((await shopper.get('/demo/cart')).html).toContain(`href="${link}"`);
  // Also after an error, and by the other page.
  expect(
    (await send(shopper, link, { email: 'ada@example.com', password: 'wrong', name: '' })).status,
  ).toBeGreaterThan(399);
  expect(shopper.last.html).toContain(`action="${link}"`);
  expect(shopper.last.html).toMatch(/href="\/demo\/account\/(?:login|register)\?next=%2Fdemo%2Fcart"/);
  const email = page === 'login' ? 'ada@example.com' : 'eve@example.com';
  await send(shopper, link, { ...LOGIN, email, name: 'Eve' });
  expect(shopper.last.html).toMatch(/Your cart<[\s\S]*You are signed in\.|Your account is ready\./);
  expect(shopper.last.html).toContain('>Mug<');
});

it.each([
  'https://evil.example',
  '//evil.example',
  '/demo\\evil.example',
  '/developer',
  '/demo/../admin',
  '/demo/%2e%2e/developer',
])('leads to the account and not to %s', async (next) => {
  await demoShop();
  await registered();
  const shopper = new Browser();
  const link = `/demo/account/login?next=${encodeURIComponent(next)}`;
  await shopper.get(link);
  const { status, headers } = await shopper.post(link, LOGIN);
  expect([status, headers.get('location')]).toEqual([303, '/demo/account?note=signed_in']);
});

it('leads back to a page of the account that asked to sign in first', async () => {
  await demoShop();
  await registered();
  const shopper = new Browser();
  const to = (await shopper.get('/demo/account/addresses')).headers.get('location') ?? '';
  expect(to).toBe('/demo/account/login?next=%2Fdemo%2Faccount%2Faddresses');
  await send(shopper, to, LOGIN);
  expect(shopper.last.html).toContain('You are signed in.');
  expect(shopper.last.html).toMatch(/<h1[^>]*>Your addresses|<h1[^>]*>Addresses/);
});
