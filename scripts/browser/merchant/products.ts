import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { client } from '../../dev/client.ts';
import { drawPicture } from '../../pictures/index.ts';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';
import { payTheOrder } from '../shopper/shopper.ts';
import { join } from './developer.ts';
import { sameVariants } from './people-pages.ts';
import { everyOtherType } from './product-types.ts';

/** The slug of the newcomer's shop, empty at first. */
const SHOP = 'kiln-and-glaze';

/** The super-admin makes an empty tenant; returns the invitation to it. */
async function emptyShop({ open, service }: JourneyContext): Promise<string> {
  const page = await open();
  await page.goto('/admin');
  await fill(page, { 'Super-admin token': service.admin });
  await pressButton(page, 'Sign in');
  await followLink(page.getByRole('link', { name: 'New tenant' }));
  await fill(page, { Name: 'Kiln & Glaze', Slug: SHOP });
  await page.getByLabel('Plan').selectOption('growth');
  await pressButton(page, 'Create tenant');
  await fill(page, { 'Developer name': 'Lucie Rie', 'Developer e-mail': 'lucie@example.com' });
  await pressButton(page, 'Create invitation');
  return page.getByLabel('Invitation link').inputValue();
}

/** A picture of the demo shop as a file to upload. */
const pictureFile = (sku: string) => ({
  name: `${sku}.png`,
  mimeType: 'image/png',
  buffer: drawPicture(sku).png,
});

/** Makes a product with two options and two pictures, and prices its variants. */
async function potWithVariants(page: Page, { inspect }: JourneyContext): Promise<number> {
  await page.goto('/developer/products');
  await inspect(page, 'products-empty');
  await followLink(page.getByRole('link', { name: 'New product' }));
  await inspect(page, 'products-types');
  await followLink(page.getByRole('link', { name: 'Product with variants' }));
  await inspect(page, 'products-new-variants');
  await fill(page, { Name: 'Stoneware bowl', Description: 'Thrown by hand.' });
  await fill(page, { Option: 'Glaze', 'Values, one per line': 'Celadon\nTenmoku' });
  await page.getByRole('button', { name: 'Add an option' }).click();
  const option = page.getByRole('group', { name: 'Options: option 2' });
  await option.getByLabel('Option').fill('Size');
  await option.getByLabel('Values, one per line').fill('Small\nLarge');
  await page.getByLabel(/^Price of each variant/).fill('38');
  await page.getByLabel('Stock of each variant').fill('5');
  await page.getByLabel('Upload pictures').setInputFiles([pictureFile('WRK-POTT'), pictureFile('BRW-PAPR')]);
  await page.getByLabel('Bowls').check();
  await inspect(page, 'products-new-variants-filled');
  await pressButton(page, 'Create product');
  await waitForText(page, 'Created.');
  await inspect(page, 'products-variants');
  assert.equal(await page.getByLabel(/^Price of /).count(), 4);
  await page.getByLabel('Price of Celadon / Large', { exact: true }).fill('52');
  await page.getByLabel('Picture of Tenmoku / Small').selectOption({ label: 'Picture 2' });
  await pressButton(page, 'Save variants');
  await waitForText(page, 'Saved.');
  await followLink(page.getByRole('link', { name: 'Tenmoku / Small' }));
  await inspect(page, 'products-variant');
  return Number(/products\/(\d+)\//.exec(page.url())?.[1]);
}

/** Describes the pictures and puts the second one first. */
async function orderPictures(page: Page, { inspect }: JourneyContext): Promise<void> {
  await followLink(page.getByRole('navigation', { name: 'Product' }).getByRole('link', { name: 'Pictures' }));
  await page.getByLabel('Alternative text').first().fill('A pale green bowl');
  await page.getByRole('button', { name: /^Move up: .* 2$/ }).click();
  await pressButton(page, 'Save pictures');
  await waitForText(page, 'Saved.');
  const texts = page.getByLabel('Alternative text');
  assert.deepEqual(
    [await texts.nth(0).inputValue(), await texts.nth(1).inputValue()],
    ['', 'A pale green bowl'],
  );
  await inspect(page, 'products-pictures');
  for (const tab of ['Organisation', 'Search engines', 'Product']) {
    await followLink(
      page.getByRole('navigation', { name: 'Product' }).getByRole('link', { name: tab, exact: true }),
    );
    await inspect(page, `products-${tab.toLowerCase().replace(' ', '-')}`);
  }
}

/** Lets shoppers pay in the sandbox, and makes a token for the shop's server; returns the token. */
async function openShop(page: Page): Promise<string> {
  await page.goto('/developer/settings');
  const payments = page.getByLabel('Payments', { exact: true });
  if ((await payments.count()) === 0) await page.goto('/developer/settings/checkout');
  await payments.selectOption('sandbox');
  await pressButton(page, 'Save');
  await waitForText(page, 'Saved.');
  await page.goto('/developer/applications/new');
  await fill(page, { Name: 'Shop' });
  await pressButton(page, 'Create and show token');
  return page.getByLabel('Token').inputValue();
}

/** A shopper buys one of the bowls through the hosted checkout; returns the order's number. */
async function buyBowl(context: JourneyContext, token: string, id: number): Promise<string> {
  const { service, outside, open } = context;
  const api = client(service.base, token);
  const attributes = { Glaze: 'Celadon', Size: 'Large' };
  const line = { product_id: id, quantity: 1, options: { attributes } };
  const { cart_token } = await api<{ cart_token: string }>('POST', '/v1/cart/items', line);
  const departure = { cart_token, return_url: `${outside.url}/thanks`, cancel_url: `${outside.url}/cart` };
  const page = await open();
  await page.goto(
    (await api<{ redirect_url: string }>('POST', '/v1/checkout/seamless', departure)).redirect_url,
  );
  await waitForText(page, 'Stoneware bowl');
  await payTheOrder(page, context, 'newcomer-checkout');
  await page.waitForURL(`${outside.url}/thanks?**`);
  return new URL(page.url()).searchParams.get('order_number') ?? '';
}

/** Two tabs change the same name: the second one is asked, and keeps its own. */
async function twoTabs(page: Page, { inspect }: JourneyContext, id: number): Promise<void> {
  const second = await page.context().newPage();
  for (const tab of [page, second]) await tab.goto(`/developer/products/${id}`);
  await fill(page, { Name: 'Stoneware bowl, wide' });
  await pressButton(page, 'Save');
  await waitForText(page, 'Saved.');
  await fill(second, { Name: 'Stoneware bowl, deep' });
  await pressButton(second, 'Save');
  await second.getByRole('button', { name: 'Keep mine' }).waitFor();
  await waitForText(second, 'Stoneware bowl, wide');
  await inspect(second, 'products-conflict');
  await pressButton(second, 'Keep mine');
  await waitForText(second, 'Saved.');
  assert.equal(await second.getByLabel('Name', { exact: true }).inputValue(), 'Stoneware bowl, deep');
  await second.close();
}

/**
 * A newcomer goes from an empty tenant to a sold product with variants and pictures through the panel alone, then
 * makes a product of each other type and settles conflicts with another tab and another person. Returns the newcomer's
 * page.
 */
export async function newcomer(context: JourneyContext): Promise<Page> {
  const { inspect } = context;
  const page = await join(context, await emptyShop(context), 'newcomer');
  await page.goto('/developer/categories/new');
  await fill(page, { Name: 'Bowls' });
  await pressButton(page, 'Create category');
  await waitForText(page, 'Created.');
  const bowl = await potWithVariants(page, context);
  await orderPictures(page, context);
  const token = await openShop(page);
  const number = await buyBowl(context, token, bowl);
  await page.goto('/developer/orders');
  await followLink(page.getByRole('link', { name: new RegExp(`^${number}`) }));
  await waitForText(page, 'Stoneware bowl');
  await inspect(page, 'newcomer-order');
  await everyOtherType(page, context);
  await twoTabs(page, context, bowl);
  await sameVariants(page, context, bowl);
  await page.goto(`/developer/products/${bowl}`);
  await pressButton(page, /^Duplicate/);
  await waitForText(page, 'This is the copy.');
  await followLink(page.getByRole('link', { name: 'Delete', exact: true }));
  await inspect(page, 'products-delete');
  await pressButton(page, 'Delete the product');
  await waitForText(page, 'Removed.');
  return page;
}
