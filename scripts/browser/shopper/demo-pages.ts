/** What a shopper does in the demo shop beside buying: filters, options, a coupon, delivery, addresses, an order. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';

/** Narrows a category down, and takes a filter back. */
async function filterCategory(page: Page, { inspect }: JourneyContext): Promise<void> {
  await followLink(
    page.getByRole('navigation', { name: 'Categories', exact: true }).getByRole('link', { name: 'Clothing' }),
  );
  await page.getByRole('heading', { name: 'Clothing', level: 1 }).waitFor();
  await inspect(page, 'demo-category');
  await page.getByRole('checkbox', { name: /^Pine/ }).check();
  await page.getByLabel('Sort by').selectOption('price_desc');
  await pressButton(page, 'Show products');
  await waitForText(page, '2 products');
  await inspect(page, 'demo-filtered');
  await followLink(page.getByRole('link', { name: 'Remove Pine' }));
  await waitForText(page, '4 products');
}

/** Chooses an option of a product. The page replaces its fields after each choice, so one may go as it is clicked. */
async function choose(page: Page, name: string | RegExp): Promise<void> {
  const option = page.getByRole('radio', { name, exact: true });
  for (let tries = 0; tries < 5 && !(await option.isChecked()); tries++) {
    await option.check({ force: true, timeout: 5_000 }).catch(() => undefined);
  }
  assert.ok(await option.isChecked(), `${name} can be chosen`);
}

/** Chooses the options of a product: the page follows, and a refusal keeps the choice. */
async function chooseOptions(page: Page, { inspect }: JourneyContext): Promise<void> {
  await followLink(page.getByRole('link', { name: 'Heavyweight T-Shirt' }));
  await page.getByRole('heading', { name: 'Heavyweight T-Shirt', level: 1 }).waitFor();
  await choose(page, /^Pine/);
  await choose(page, 'L');
  await waitForText(page, 'Only 1 left');
  await inspect(page, 'demo-options');
  await fill(page, { Quantity: '2' });
  await pressButton(page, 'Add to cart');
  await waitForText(page, 'Only 1 in stock.');
  assert.ok(await page.getByRole('radio', { name: 'Pine' }).isChecked());
  assert.ok(await page.getByRole('radio', { name: 'L', exact: true }).isChecked());
  await inspect(page, 'demo-options-refused');
  await fill(page, { Quantity: '1' });
  await pressButton(page, 'Add to cart');
  await waitForText(page, 'Added to your cart.');
  await waitForText(page, 'color: Pine');
}

/** Finds a product by the suggestions of the search field, with the keyboard alone. */
async function takeSuggestion(page: Page): Promise<void> {
  await page.goto('/demo');
  await page.getByRole('searchbox').pressSequentially('ketl', { delay: 20 });
  await page
    .getByRole('link', { name: /^Gooseneck Kettle/ })
    .last()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Gooseneck Kettle', level: 1 }).waitFor();
}

/** The shop's logo is a picture of the service itself, and loads. */
async function seeLogo(page: Page, { service }: JourneyContext): Promise<void> {
  const logo = page.getByRole('banner').getByRole('img').first();
  const address = new URL((await logo.getAttribute('src')) ?? '', page.url()).href;
  assert.ok(address.startsWith(`${service.base}/media/`), address);
  assert.equal((await page.request.get(address)).headers()['content-type'], 'image/png');
}

/** Looks around: home, a category, options and search. */
export async function lookAround(page: Page, context: JourneyContext): Promise<void> {
  await page.goto('/demo');
  await seeLogo(page, context);
  await context.inspect(page, 'demo-home');
  await filterCategory(page, context);
  await chooseOptions(page, context);
  await takeSuggestion(page);
  await page.goto('/demo/made-up');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await context.inspect(page, 'demo-not-found');
  await page.goto('/demo/cart/coupon');
  await page.getByRole('heading', { name: 'Method not allowed' }).waitFor();
  await context.inspect(page, 'demo-wrong-method');
}

/** Tries a coupon code that doesn't exist, and chooses the country of delivery. */
export async function prepareCart(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/demo/cart');
  await fill(page, { 'Coupon code': 'NOT-A-CODE' });
  await pressButton(page, 'Apply');
  await page
    .getByRole('alert')
    .getByRole('link', { name: /^Coupon code: / })
    .waitFor();
  await inspect(page, 'demo-coupon-refused');
  await followLink(page.getByRole('link', { name: /^Choose a country/ }));
  await page.getByLabel('Country').selectOption('DE');
  await pressButton(page, 'Show delivery and taxes');
  await waitForText(page, 'Saved.');
  await inspect(page, 'demo-delivery');
}

/** Keeps an address, and deletes it again. */
export async function keepAddress(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/demo/account');
  const account = page.getByRole('navigation', { name: 'Account', exact: true });
  await followLink(account.getByRole('link', { name: 'Addresses' }));
  await waitForText(page, 'No addresses yet.');
  await followLink(page.getByRole('link', { name: 'Add an address' }));
  await inspect(page, 'demo-address');
  await fill(page, {
    'First name': 'Grace',
    'Last name (if you have one)': 'Hopper',
    'Street and number': 'Kai 1',
    City: 'Hamburg',
  });
  await page.getByLabel('Country').selectOption('DE');
  await pressButton(page, 'Save address');
  await waitForText(page, 'Saved.');
  await inspect(page, 'demo-addresses');
  await followLink(page.getByRole('link', { name: /^Delete/ }));
  await inspect(page, 'demo-address-delete');
  await pressButton(page, 'Delete address');
  await waitForText(page, 'No addresses yet.');
}

/** Opens an order in the account, and loads what was bought. */
export async function seeOwnOrder(page: Page, { inspect }: JourneyContext, number: string): Promise<void> {
  await page.goto('/demo/account');
  await followLink(page.getByRole('link', { name: `Order ${number}` }));
  await page.getByRole('heading', { name: `Order ${number}`, level: 1 }).waitFor();
  await waitForText(page, 'Your order is being prepared.');
  await page
    .getByRole('link', { name: /^Download / })
    .first()
    .waitFor();
  await inspect(page, 'demo-order');
}
