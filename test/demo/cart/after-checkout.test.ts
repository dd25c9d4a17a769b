import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser } from '../../support/fixtures/browser.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { demoShop } from '../../support/fixtures/demo.ts';
import { checkoutPath, readReturn, submitCheckout } from '../../support/fixtures/selling/checkout.ts';
import type { World } from '../../support/world.ts';
import { add, send } from '../demo-steps.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

it('keeps the next cart when the page after checkout is loaded again', async () => {
  const shop = await demoShop();
  const cup = await stockedProduct(shop, { name: 'Cup', stock: 9 });
  const shopper = new Browser();
  await add(shopper, cup);
  const cart = shopper.cookies.get('sfe-demo-cart') ?? '';
  const paid = await submitCheckout(await checkoutPath(shop, cart), 'pay');
  const thanks = `/demo/thanks${new URL(paid.location ?? '').search}`;
  await shopper.get(thanks);
  expect(shopper.cookies.has('sfe-demo-cart')).toBe(false);
  await add(shopper, cup, { quantity: '3' });
  expect((await shopper.get(thanks)).html).toContain('Your order number is 1001.');
  expect((await shopper.get('/demo/cart')).html).toMatch(/name="quantity"[^>]* value="3"/);
});

/** Pays for what is in a browser's cart; returns the order's page in the account, and its id. */
async function orderOf(shop: World, shopper: Browser) {
  const cart = shopper.cookies.get('sfe-demo-cart') ?? '';
  const { order_id } = readReturn(await submitCheckout(await checkoutPath(shop, cart), 'pay'));
  return { path: `/demo/account/orders/${order_id}`, order_id };
}

async function signedIn(): Promise<Browser> {
  const shopper = new Browser();
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };
  await send(shopper, '/demo/account/register', person);
  return shopper;
}

it('shows neither preparation nor delivery for a cancelled order', async () => {
  const shop = await demoShop();
  const ada = await signedIn();
  await add(ada, await stockedProduct(shop, { name: 'Cup', stock: 9 }));
  const { path, order_id } = await orderOf(shop, ada);
  expect((await ada.get(path)).html).toMatch(/being prepared[\s\S]*<h2>Delivery address<\/h2>/);
  expect((await shop.post(`/orders/${order_id}/cancel`)).status).toBe(200);
  const { html } = await ada.get(path);
  expect(html).toContain('cancelled');
  expect(html).not.toMatch(/being prepared|Delivered/);
});

it('shows the state of an address', async () => {
  await demoShop();
  const ada = await signedIn();
  const american = { line1: '742 Main Street', city: 'Springfield', postal_code: '62704', country: 'US' };
  const name = { first_name: 'Ada', last_name: 'Lovelace' };
  await send(ada, '/demo/account/addresses/new', { ...name, ...american, region: 'Illinois' });
  expect(ada.last.html).toMatch(/Springfield Illinois 62704<\/bdi><br\/><bdi>United States/);
});

it('shows every line of a long order, in pages', async () => {
  const shop = await demoShop();
  const ada = await signedIn();
  const { body } = await stockedProduct(shop, { name: 'Badge', stock: 500 });
  let cart_token: string | null = null;
  for (let line = 0; line < 63; line++) {
    const item = { product_id: body.id, quantity: 1, cart_token, options: { line } };
    cart_token = (await shop.post('/cart/items', item)).body.cart_token as string;
  }
  const customer = { headers: { 'x-customer-token': ada.cookies.get('sfe-demo-customer') ?? '' } };
  await shop.put('/customers/me/cart', { cart_token }, customer);
  ada.cookies.set('sfe-demo-cart', cart_token ?? '');
  const { path } = await orderOf(shop, ada);
  const first = await ada.get(path);
  expect(first.html.match(/>Badge<\/a>/g)).toHaveLength(60);
  expect(first.html).toContain(`href="${path}?page=2"`);
  expect((await ada.get(`${path}?page=2`)).html.match(/>Badge<\/a>/g)).toHaveLength(3);
});

it('leads from a cart whose order is not paid yet back to paying it', async () => {
  const shop = await demoShop();
  const shopper = new Browser();
  await add(shopper, await stockedProduct(shop, { name: 'Cup', stock: 9 }));
  const path = await checkoutPath(shop, shopper.cookies.get('sfe-demo-cart') ?? '');
  await submitCheckout(path, 'decline');
  const { html } = await shopper.get('/demo/cart');
  expect(html).toContain('Order 1001 waits for your payment.');
  expect(html).toMatch(/action="\/demo\/checkout"[\s\S]*>Continue to payment<[\s\S]*Start a new cart/);
  await submitCheckout(path, 'pay');
  const paid = await shopper.get('/demo/cart');
  expect(paid.html).toMatch(/Order 1001 is paid\.[\s\S]*Start a new cart/);
  expect(paid.html).not.toContain('/demo/checkout"');
});
