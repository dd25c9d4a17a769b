import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { client } from '../client.ts';
import { fill, press, type Stage, says } from './stage.ts';

const ADDRESS = {
  ...{ 'First name': 'Grace', 'Last name': 'Hopper', 'Street and number': 'Kai 1' },
  ...{ 'Postal code': '20457', City: 'Hamburg' },
};
const ACCOUNT = { 'E-mail': 'grace@example.com', Password: 'nanoseconds count' };

/** Fills in the hosted checkout, is declined once, and pays. */
export async function payTheOrder(page: Page, { look }: Stage, name: string): Promise<void> {
  await page.getByRole('heading', { name: 'Your order' }).waitFor();
  await look(page, name);
  await page.evaluate("document.querySelector('form.details').noValidate = true");
  await press(page, /^Pay/);
  await look(page, `${name}-wrong`);
  await fill(page, ADDRESS);
  await page.getByLabel('E-mail').fill(ACCOUNT['E-mail']);
  await page.getByLabel('Country').selectOption('DE');
  await press(page, /^Decline/);
  await page.getByRole('alert').waitFor();
  await look(page, `${name}-declined`);
  await press(page, /and pay/);
}

/** A shop of the tenant's own: its server fills a cart through the API, and its shopper checks out in a browser. */
export async function buyThrough(stage: Stage, token: string, product: number): Promise<string> {
  const { service, outside, open, look } = stage;
  const api = client(service.base, token);
  const added = await api<{ cart_token: string }>('POST', '/v1/cart/items', {
    product_id: product,
    quantity: 2,
  });
  const checkout = async () => {
    const departure = {
      cart_token: added.cart_token,
      return_url: `${outside.url}/thanks`,
      cancel_url: `${outside.url}/cart`,
    };
    return (await api<{ redirect_url: string }>('POST', '/v1/checkout/seamless', departure)).redirect_url;
  };
  const page = await open();
  const first = await checkout();
  await page.goto(first);
  await press(page, /^Cancel/);
  await page.waitForURL(`${outside.url}/cart`);
  await page.goto(await checkout());
  await payTheOrder(page, stage, 'checkout-themed');
  await page.waitForURL(`${outside.url}/thanks?**`);
  const number = new URL(page.url()).searchParams.get('order_number');
  assert.ok(number, page.url());
  for (const [path, name] of [
    [first, 'checkout-ended'],
    ['/checkout/made-up', 'checkout-unknown'],
    ['/downloads/made-up', 'download-unknown'],
  ] as const) {
    await page.goto(path);
    await look(page, name);
  }
  return number;
}

/** Somebody browses the demo shop and fills a cart. */
async function browse(page: Page, { look }: Stage): Promise<void> {
  const begun = performance.now();
  await page.goto('/demo', { waitUntil: 'domcontentloaded' });
  await page.locator('.shelf li').first().waitFor();
  console.log(`The demo's product list shows after ${Math.round(performance.now() - begun)} ms.`);
  await look(page, 'demo-shelf');
  await page.goto('/demo?q=nothing-like-it');
  await look(page, 'demo-nothing-found');
  for (const [search, name] of [
    ['heavyweight', 'Heavyweight T-Shirt'],
    ['cupping', 'Coffee Cupping'],
    ['pour-over', 'Pour-Over Starter Kit'],
    ['brewing book', 'The Brewing Book'],
    ['enamel cup', 'Enamel Cup'],
  ] as const) {
    await page.goto('/demo');
    await page.getByRole('searchbox').fill(search);
    await press(page, 'Search');
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await look(page, `demo-${search.replace(' ', '-')}`);
    await press(page, 'Add to cart');
    await says(page, 'Added to your cart.');
  }
  await look(page, 'demo-cart');
  await page.getByRole('button', { name: 'Remove Coffee Cupping' }).click();
  await page.getByRole('link', { name: 'Coffee Cupping' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Enamel Cup' }).click();
  await fill(page, { Quantity: '9000' });
  await press(page, 'Add to cart');
  await says(page, /Only \d+ in stock, and 1 already in your cart/);
  await look(page, 'demo-too-many');
}

/** The demo's shopper fills a cart, registers, checks out and pays; answers the order's number. */
export async function demoShopper(stage: Stage): Promise<string> {
  const { open, look } = stage;
  const page = await open();
  await browse(page, stage);
  await page.getByRole('link', { name: 'Cart' }).click();
  await page.getByRole('link', { name: 'create an account' }).click();
  await look(page, 'demo-register');
  await fill(page, { Name: 'Grace Hopper', ...ACCOUNT });
  await press(page, 'Register');
  await says(page, 'Your account is ready.');
  await look(page, 'demo-account-empty');
  await page.getByRole('link', { name: 'Cart' }).click();
  await press(page, 'Go to checkout');
  await payTheOrder(page, stage, 'checkout');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor({ timeout: 30_000 });
  await look(page, 'demo-thanks');
  const number = new URL(page.url()).searchParams.get('order_number') ?? 'none';
  await page.getByRole('link', { name: 'My orders' }).click();
  await says(page, `Order ${number}`);
  await look(page, 'demo-account');
  await leaveAndReturn(page, stage, number);
  return number;
}

/** Signs out, mistypes the password, and is in again. */
async function leaveAndReturn(page: Page, { look }: Stage, number: string): Promise<void> {
  await press(page, 'Sign out');
  await says(page, 'You are signed out.');
  await page.getByRole('link', { name: 'Account' }).click();
  await look(page, 'demo-login');
  await fill(page, { ...ACCOUNT, Password: 'nanoseconds cost' });
  await press(page, 'Sign in');
  await says(page, 'The e-mail or the password is wrong.');
  await look(page, 'demo-login-wrong');
  await fill(page, ACCOUNT);
  await press(page, 'Sign in');
  await says(page, `Order ${number}`);
}
