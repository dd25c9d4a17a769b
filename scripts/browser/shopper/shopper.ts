import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { client } from '../../dev/client.ts';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';
import { keepAddress, lookAround, prepareCart, seeOwnOrder } from './demo-pages.ts';

const ADDRESS = {
  'First name': 'Grace',
  'Last name (if you have one)': 'Hopper',
  'Street and number': 'Kai 1',
  'Postal code': '20457',
  City: 'Hamburg',
};
const ACCOUNT = { 'E-mail': 'grace@example.com', Password: 'nanoseconds count' };

/** Fills in the contact and the address of the hosted checkout. */
export async function fillInAddress(page: Page): Promise<void> {
  await fill(page, ADDRESS);
  await page.getByLabel('E-mail').fill(ACCOUNT['E-mail']);
  await page.getByLabel('Country').selectOption('DE');
}

/** Fills in the hosted checkout, is declined once, and pays. */
export async function payTheOrder(page: Page, { inspect }: JourneyContext, name: string): Promise<void> {
  await page.getByRole('heading', { name: 'Your order' }).waitFor();
  await inspect(page, name);
  await page.evaluate("document.querySelector('form.details').noValidate = true");
  await pressButton(page, /^Pay/);
  await inspect(page, `${name}-wrong`);
  await fillInAddress(page);
  await pressButton(page, /^Decline/);
  await page.getByRole('alert').waitFor();
  await inspect(page, `${name}-declined`);
  await pressButton(page, /and pay/);
}

/** A shop of the tenant's own: its server fills a cart through the API, and its shopper checks out in a browser. */
export async function buyThrough(context: JourneyContext, token: string, product: number): Promise<string> {
  const { service, outside, open, inspect } = context;
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
  await pressButton(page, /^Cancel/);
  await page.waitForURL(`${outside.url}/cart`);
  await page.goto(await checkout());
  await payTheOrder(page, context, 'checkout-themed');
  await page.waitForURL(`${outside.url}/thanks?**`);
  const number = new URL(page.url()).searchParams.get('order_number');
  assert.ok(number, page.url());
  for (const [path, name] of [
    [first, 'checkout-ended'],
    ['/checkout/made-up', 'checkout-unknown'],
    ['/downloads/made-up', 'download-unknown'],
  ] as const) {
    await page.goto(path);
    await inspect(page, name);
  }
  return number;
}

/** Somebody browses the demo shop and fills a cart. */
async function browse(page: Page, { inspect }: JourneyContext): Promise<void> {
  const begun = performance.now();
  await page.goto('/demo', { waitUntil: 'domcontentloaded' });
  await page.locator('.cards li').first().waitFor();
  console.log(`The demo's product list shows after ${Math.round(performance.now() - begun)} ms.`);
  await page.goto('/demo/search?q=nothing-like-it');
  await inspect(page, 'demo-nothing-found');
  for (const [search, name] of [
    ['heavyweight', 'Heavyweight T-Shirt'],
    ['cupping', 'Coffee Cupping'],
    ['pour-over', 'Pour-Over Starter Kit'],
    ['brewing book', 'The Brewing Book'],
    ['enamel cup', 'Enamel Cup'],
  ] as const) {
    await page.goto('/demo');
    await page.getByRole('searchbox').fill(search);
    await pressButton(page, 'Search');
    await followLink(page.getByRole('main').getByRole('link', { name }));
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await inspect(page, `demo-${search.replace(' ', '-')}`);
    await pressButton(page, 'Add to cart');
    await waitForText(page, 'Added to your cart.');
  }
  await inspect(page, 'demo-cart');
  await page.getByRole('button', { name: 'Remove Coffee Cupping' }).click();
  await page.getByRole('link', { name: 'Coffee Cupping' }).waitFor({ state: 'detached' });
  await followLink(page.getByRole('link', { name: 'Enamel Cup' }));
  await fill(page, { Quantity: '9000' });
  await pressButton(page, 'Add to cart');
  await waitForText(page, /Only \d+ in stock, and 1 already in your cart/);
  await inspect(page, 'demo-too-many');
}

/** The demo's shopper fills a cart, registers, checks out and pays; returns the order's number. */
export async function demoShopper(context: JourneyContext): Promise<string> {
  const { open, inspect } = context;
  const page = await open();
  await lookAround(page, context);
  await browse(page, context);
  await prepareCart(page, context);
  await page.goto('/demo/cart');
  await followLink(page.getByRole('link', { name: 'create an account' }));
  await inspect(page, 'demo-register');
  await fill(page, { Name: 'Grace Hopper', ...ACCOUNT });
  await pressButton(page, 'Register');
  await waitForText(page, 'Your account is ready.');
  await inspect(page, 'demo-account-empty');
  await keepAddress(page, context);
  await page.goto('/demo/cart');
  await pressButton(page, 'Go to checkout');
  await payTheOrder(page, context, 'checkout');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor({ timeout: 30_000 });
  await inspect(page, 'demo-thanks');
  const number = new URL(page.url()).searchParams.get('order_number') ?? 'none';
  await followLink(page.getByRole('link', { name: 'My orders' }));
  await waitForText(page, `Order ${number}`);
  await inspect(page, 'demo-account');
  await seeOwnOrder(page, context, number);
  await page.goto('/demo/account');
  await leaveAndReturn(page, context, number);
  return number;
}

/** Signs out, mistypes the password, and is in again. */
async function leaveAndReturn(page: Page, { inspect }: JourneyContext, number: string): Promise<void> {
  await pressButton(page, 'Sign out');
  await waitForText(page, 'You are signed out.');
  await page.goto('/demo/account');
  await inspect(page, 'demo-login');
  await fill(page, { ...ACCOUNT, Password: 'nanoseconds cost' });
  await pressButton(page, 'Sign in');
  await waitForText(page, 'The e-mail or the password is wrong.');
  await inspect(page, 'demo-login-wrong');
  await fill(page, ACCOUNT);
  await pressButton(page, 'Sign in');
  await waitForText(page, `Order ${number}`);
}
