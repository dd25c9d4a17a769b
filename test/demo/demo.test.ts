import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser, SCRIPT_TAG } from '../support/fixtures/browser.ts';
import { fiveCups, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { demoShop } from '../support/fixtures/demo.ts';
import { pageWeight } from '../support/fixtures/page-weight.ts';
import { checkoutPath, submitCheckout } from '../support/fixtures/selling/checkout.ts';
import { add } from './demo-steps.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

it('browses, fills a cart and edits it through the public API only', async () => {
  const shop = await demoShop();
  const mug = await shop.post('/products', {
    name: `Mug ${SCRIPT_TAG}`,
    type: 'simple',
    price: 12.5,
    stock: 5,
  });
  const tee = await shop.post('/products', {
    name: 'Tee',
    type: 'configurable',
    price: 20,
    variants: [{ sku: 'TEE-M', price: 20, stock: 3, attributes: { size: 'M' } }],
  });
  const shopper = new Browser();
  const shelf = await shopper.get('/demo');
  expect(shelf.status).toBe(200);
  expect(shelf.html).toContain(`/demo/products/${mug.body.id}"`);
  expect(shelf.html).not.toContain(SCRIPT_TAG);
  for (const [id, fields] of [
    [mug.body.id, { quantity: '2' }],
    [tee.body.id, { quantity: '1', 'option-0': 'M' }],
  ] as const) {
    await shopper.get(`/demo/products/${id}`);
    await shopper.submit(`/demo/products/${id}`, { ...fields });
    expect(shopper.last.html).toContain('Your cart');
  }
  expect(shopper.last.html).toContain('€45.00');
  expect(shopper.last.html).not.toContain(SCRIPT_TAG);
  const line = /\/demo\/cart\/items\/(\d+)/.exec(shopper.last.html)?.[1];
  await shopper.submit(`/demo/cart/items/${line}`, { quantity: '0' });
  expect(shopper.last.html).toContain('€20.00');
  const tooMany = await shopper.post(`/demo/products/${mug.body.id}`, { quantity: '6' });
  expect([tooMany.status, tooMany.html.includes('Only 5 in stock')]).toEqual([409, true]);
});

it('escapes everything from the catalogue', async () => {
  const shop = await demoShop();
  const description = `<p>Salt &amp; pepper, &lt;b&gt;ground${SCRIPT_TAG}</p><img src=x onerror=alert(2)>`;
  const body = { name: `Mill ${SCRIPT_TAG}`, type: 'configurable', description, price: 20 };
  const attributes = { colour: `Red ${SCRIPT_TAG}` };
  const mill = await stockedProduct(shop, {
    ...body,
    variants: [{ sku: 'MILL', price: 20, stock: 3, attributes }],
  });
  const kit = await stockedProduct(shop, {
    name: `Kit ${SCRIPT_TAG}`,
    type: 'bundled',
    bundle_groups: [
      {
        title: `Salt ${SCRIPT_TAG}`,
        required: true,
        multiple: false,
        items: [
          {
            product_id: (await stockedProduct(shop, { name: SCRIPT_TAG })).body.id,
            quantity: 1,
            default: true,
          },
        ],
      },
    ],
  });
  const shopper = new Browser();
  for (const path of ['/demo', `/demo/products/${mill.body.id}`, `/demo/products/${kit.body.id}`]) {
    const { status, html } = await shopper.get(path);
    expect(status).toBe(200);
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toMatch(/<script(?! src=| type="application\/ld\+json">)|<img src=x/);
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

it('answers 404 without a token, and shows an error for an invalid one', async () => {
  expect((await new Browser().get('/demo')).status).toBe(401);
  env.DEMO_TOKEN = '';
  expect((await new Browser().get('/demo')).status).toBe(404);
});
