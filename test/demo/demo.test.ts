import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser } from '../support/fixtures/browser.ts';
import { checkoutPath, submitCheckout } from '../support/fixtures/checkout.ts';
import { demoShop } from '../support/fixtures/demo.ts';
import { pageWeight } from '../support/fixtures/page-weight.ts';
import { fiveCups, stockedProduct } from '../support/fixtures/products.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

const EVIL = '<script>alert(1)</script>';
const LOGIN = { email: 'ada@example.com', password: 'correct horse' };

/** Fills in the form of a page of the demo. */
async function send(shopper: Browser, path: string, fields: Record<string, string>) {
  await shopper.get(path);
  return shopper.submit(path, fields);
}

const add = (shopper: Browser, { body }: { body: { id: number } }, fields: Record<string, string> = {}) =>
  send(shopper, `/demo/products/${body.id}`, { quantity: '1', ...fields });

/** A browser in which a customer has just registered. */
async function registered(shopper = new Browser()): Promise<Browser> {
  await send(shopper, '/demo/account/register', { name: `Ada ${EVIL}`, ...LOGIN });
  expect(shopper.last.html).toContain('Your account is ready.');
  return shopper;
}

it('browses, fills a cart and edits it through the public API only', async () => {
  const shop = await demoShop();
  const mug = await shop.post('/products', { name: `Mug ${EVIL}`, type: 'simple', price: 12.5, stock: 5 });
  const tee = await shop.post('/products', {
    ...{ name: 'Tee', type: 'configurable', price: 20 },
    variants: [{ sku: 'TEE-M', price: 20, stock: 3, attributes: { size: 'M' } }],
  });
  const shopper = new Browser();
  const shelf = await shopper.get('/demo');
  expect(shelf.status).toBe(200);
  expect(shelf.html).toContain(`/demo/products/${mug.body.id}"`);
  expect(shelf.html).not.toContain(EVIL);
  for (const [id, fields] of [
    [mug.body.id, { quantity: '2' }],
    [tee.body.id, { quantity: '1', 'option-0': 'M' }],
  ] as const) {
    await shopper.get(`/demo/products/${id}`);
    await shopper.submit(`/demo/products/${id}`, { ...fields });
    expect(shopper.last.html).toContain('Your cart');
  }
  expect(shopper.last.html).toContain('€45.00');
  expect(shopper.last.html).not.toContain(EVIL);
  const line = /\/demo\/cart\/items\/(\d+)/.exec(shopper.last.html)?.[1];
  await shopper.submit(`/demo/cart/items/${line}`, { quantity: '0' });
  expect(shopper.last.html).toContain('€20.00');
  const tooMany = await shopper.post(`/demo/products/${mug.body.id}`, { quantity: '6' });
  expect([tooMany.status, tooMany.html.includes('Only 5 in stock')]).toEqual([409, true]);
});

it('escapes everything from the catalogue', async () => {
  const shop = await demoShop();
  const description = `<p>Salt &amp; pepper, &lt;b&gt;ground${EVIL}</p><img src=x onerror=alert(2)>`;
  const body = { name: `Mill ${EVIL}`, type: 'configurable', description, price: 20 };
  const attributes = { colour: `Red ${EVIL}` };
  const mill = await stockedProduct(shop, {
    ...body,
    variants: [{ sku: 'MILL', price: 20, stock: 3, attributes }],
  });
  const kit = await stockedProduct(shop, {
    ...{ name: `Kit ${EVIL}`, type: 'bundled' },
    bundle_groups: [
      {
        ...{ title: `Salt ${EVIL}`, required: true, multiple: false },
        items: [
          { product_id: (await stockedProduct(shop, { name: EVIL })).body.id, quantity: 1, default: true },
        ],
      },
    ],
  });
  const shopper = new Browser();
  for (const path of ['/demo', `/demo/products/${mill.body.id}`, `/demo/products/${kit.body.id}`]) {
    const { status, html } = await shopper.get(path);
    expect(status).toBe(200);
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toMatch(/<script(?! src=)|<img src=x/);
  }
  await shopper.get(`/demo/products/${mill.body.id}`);
  expect(shopper.last.html).toContain('Salt &amp; pepper, &lt;b&gt;ground');
});

it('adds once what is submitted twice', async () => {
  const shop = await demoShop();
  const cup = await fiveCups(shop);
  const shopper = new Browser();
  await add(shopper, cup);
  const here = `/demo/products/${cup.body.id}`;
  const { html } = await shopper.get(here);
  const _once = /name="_once" value="(\w+)"/.exec(html)?.[1] ?? '';
  await shopper.post(here, { quantity: '2', _once });
  await shopper.post(here, { quantity: '2', _once });
  expect((await shopper.get('/demo/cart')).html).toMatch(/name="quantity"[^>]* value="3"/);
});

it('shows what is sold out, and how much is already in the cart', async () => {
  const shop = await demoShop();
  const cup = await stockedProduct(shop, { stock: 3 });
  const shopper = new Browser();
  await add(shopper, cup, { quantity: '2' });
  await add(shopper, cup, { quantity: '2' });
  expect(shopper.last.html).toContain('Only 3 in stock, and 2 already in your cart.');
  const none = await stockedProduct(shop, { name: 'Jug', stock: 0 });
  const { html } = await shopper.get(`/demo/products/${none.body.id}`);
  expect(html).toContain('Sold out at the moment.');
  expect(html).not.toContain('Add to cart');
});

it('binds the cart at registration, and restores it at the next login', async () => {
  const shop = await demoShop();
  const [cup, jug] = [await fiveCups(shop), await stockedProduct(shop, { name: 'Jug' })];
  const shopper = new Browser();
  await add(shopper, cup, { quantity: '2' });
  await registered(shopper);
  expect(shopper.last.html).not.toContain(EVIL);
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

it('shows a cart of fifty lines in pages of 30 KiB, and stays on the edited page', async () => {
  const shop = await demoShop();
  const { body } = await stockedProduct(shop, { name: '"&<>'.repeat(60), stock: 500 });
  const shopper = new Browser();
  let cart_token: string | null = null;
  for (let line = 0; line < 50; line++) {
    const item = { product_id: body.id, quantity: 2, cart_token, options: { line } };
    cart_token = (await shop.post('/cart/items', item)).body.cart_token as string;
  }
  shopper.cookies.set('sfe-demo-cart', cart_token ?? '');
  const ids = new Set<string>();
  for (let page = 1; page <= 9; page++) {
    const { html } = await shopper.get(`/demo/cart?page=${page}`);
    expect(await pageWeight(html)).toBeLessThanOrEqual(30 * 1024);
    expect(html).toContain('€1,000.00');
    for (const [, id = ''] of html.matchAll(/action="\/demo\/cart\/items\/(\d+)\?/g)) ids.add(id);
  }
  expect(ids.size).toBe(50);
  const last = [...ids].slice(48);
  await shopper.submit(`/demo/cart/items/${last[0]}?page=9`, { quantity: '3' });
  expect(shopper.last.html).toMatch(/value="3"[\s\S]*Page 9 of 9/);
  // With the last line of the last page, the page before is the last.
  for (const id of last) await shopper.submit(`/demo/cart/items/${id}/remove?page=9`, { quantity: '' });
  expect(shopper.last.html).toContain('Page 8 of 8');
});

it('accepts a return URL only with its signature', async () => {
  const shop = await demoShop();
  const shopper = new Browser();
  await add(shopper, await fiveCups(shop));
  const cart = shopper.cookies.get('sfe-demo-cart') ?? '';
  const pay = await submitCheckout(await checkoutPath(shop, cart), 'pay');
  const { search, searchParams } = new URL(pay.location ?? '');
  const wrong = new URLSearchParams(search);
  wrong.set('order_number', '9999');
  const unsigned = new URLSearchParams(search);
  unsigned.delete('signature');
  for (const query of [`?${wrong}`, `?${unsigned}`, '?status=paid&order_number=1001', '']) {
    const { status, html } = await shopper.get(`/demo/thanks${query}`);
    expect(status).toBe(200);
    expect(html).toContain('No order is shown');
    expect(html).not.toMatch(/Thank you|Order (1001|9999)/);
    expect(shopper.cookies.get('sfe-demo-cart')).toBe(cart);
  }
  const { html } = await shopper.get(`/demo/thanks${search}`);
  expect(html).toContain(`Your order number is ${searchParams.get('order_number')}.`);
  expect(shopper.cookies.has('sfe-demo-cart')).toBe(false);
  await shop.patch('/settings', { secrets: { checkout_secret: 'another secret of the shop' } });
  expect((await shopper.get(`/demo/thanks${search}`)).html).toContain('No order is shown');
});

it('shows a customer only their own orders, with download links', async () => {
  const shop = await demoShop();
  const ada = await registered();
  expect(ada.last.html).toContain('No orders yet.');
  const links = [{ title: `Maps ${EVIL}`, price: 0, url: 'https://files.example.com/maps.zip', id: 1 }];
  await add(ada, await stockedProduct(shop, { name: `Book ${EVIL}`, type: 'downloadable', links }), {
    link: '1',
  });
  const cart = ada.cookies.get('sfe-demo-cart') ?? '';
  await submitCheckout(await checkoutPath(shop, cart), 'pay');

  const list = await ada.get('/demo/account');
  expect(list.html).toMatch(/Order 1001[\s\S]*paid[\s\S]*€10\.00/);
  const { html } = await ada.get(/\/demo\/account\/orders\/\w+/.exec(list.html)?.[0] ?? 'none');
  expect(html).toMatch(/href="https:\/\/api\.example\.com\/downloads\/dl_/);
  expect(html).not.toContain(EVIL);
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

it('answers 404 without a token, and shows an error for an invalid one', async () => {
  expect((await new Browser().get('/demo')).status).toBe(401);
  env.DEMO_TOKEN = '';
  expect((await new Browser().get('/demo')).status).toBe(404);
});
