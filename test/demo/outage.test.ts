import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser } from '../support/fixtures/browser.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { demoShop } from '../support/fixtures/demo.ts';
import { add } from './demo-steps.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

it('says that a cart can not be read, instead of calling it empty', async () => {
  const shop = await demoShop();
  const shopper = new Browser();
  await add(shopper, await stockedProduct(shop, { name: 'Cup', stock: 9 }));
  const { DEMO_TOKEN: token = 'none' } = env;
  // A token whose requests of this minute are used up.
  const busy = await shop.register({ kind: 'storefront', rate_limit_per_minute: 1 });
  env.DEMO_TOKEN = busy.token;
  await shopper.get('/demo/cart');
  const got = await shopper.get('/demo/cart');
  expect([got.status, got.headers.has('retry-after')]).toEqual([429, true]);
  expect(got.html).not.toContain('Your cart is empty');
  env.DEMO_TOKEN = token;
  expect((await shopper.get('/demo')).html).toContain('<span class="count">1</span>');
  expect((await shopper.get('/demo/cart')).html).toContain('Cup');
});

it('calls a cart empty that is unknown or expired', async () => {
  await demoShop();
  for (const cart of ['ct_unknown', '../../products', '%00']) {
    const shopper = new Browser();
    shopper.cookies.set('sfe-demo-cart', encodeURIComponent(cart));
    const { status, html } = await shopper.get('/demo/cart');
    expect([status, html]).toEqual([200, expect.stringContaining('Your cart is empty.')]);
  }
});
