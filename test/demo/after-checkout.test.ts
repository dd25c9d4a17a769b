import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser } from '../support/fixtures/browser.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { demoShop } from '../support/fixtures/demo.ts';
import { checkoutPath, submitCheckout } from '../support/fixtures/selling/checkout.ts';
import { add } from './demo-steps.ts';

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
