import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Catalogue } from './catalogue.ts';
import { fill, press, type Stage, says } from './stage.ts';

const PASSWORD = 'correct horse battery';

/** Somebody follows their invitation and chooses a password; answers their page. */
export async function join({ open, look }: Stage, link: string, name: string): Promise<Page> {
  const page = await open();
  await page.goto(link);
  await look(page, `${name}-join`);
  await fill(page, { 'Choose a password': PASSWORD });
  await press(page, 'Set password and sign in');
  await look(page, `${name}-overview`);
  return page;
}

/** Makes a token for an integration, which is shown once, and copies it. */
export async function makeToken(page: Page, { look, service }: Stage): Promise<string> {
  await page.goto('/developer/applications/new');
  await look(page, 'developer-new-application');
  await fill(page, { Name: 'Warehouse' });
  await page.getByLabel('Kind').selectOption('integration');
  for (const scope of ['catalog:write', 'orders:read']) await page.getByLabel(scope).check();
  await press(page, 'Create and show token');
  const token = await page.getByLabel('Token').inputValue();
  assert.match(token, /^sfe_live_/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.base });
  await press(page, 'Copy');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), token);
  await look(page, 'developer-token');
  await page.goto('/developer/applications');
  await look(page, 'developer-applications');
  await page.getByRole('link', { name: 'Warehouse' }).click();
  await look(page, 'developer-application');
  assert.ok(!(await page.content()).includes(token), 'a token is shown once');
  return token;
}

/** Imports a CSV and watches until it is done. */
export async function importCatalogue(page: Page, { look }: Stage, file: Catalogue): Promise<void> {
  await page.goto('/developer/imports');
  await look(page, 'developer-import');
  const upload = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(file.text) };
  await page.getByLabel('CSV file').setInputFiles(upload);
  await press(page, 'Upload and import');
  await page.getByText('done', { exact: true }).waitFor({ timeout: 60_000 });
  const [, processed, lines] = /(\d+) of (\d+) lines/.exec(await page.content()) ?? [];
  assert.ok(Number(lines) >= file.products && processed === lines, `${processed} of ${lines} lines`);
  await look(page, 'developer-import-done');
  await page.goto('/developer/imports');
  await page.getByRole('heading', { name: 'Past imports' }).waitFor();
  await look(page, 'developer-imports');
  await page.goto('/developer/products');
  await says(page, `${file.products} in total`);
  await look(page, 'developer-products');
}

/** A product, as the API lists it. */
export interface Listed {
  readonly id: number;
  readonly name: string;
  readonly sku: string;
  readonly type: string;
  readonly stock: number;
}

/** Finds a product and changes its price. */
export async function editPrice(page: Page, { look }: Stage, { id, sku, name }: Listed): Promise<void> {
  await page.goto(`/developer/products?q=${encodeURIComponent(sku)}`);
  await page.locator(`a[href="/developer/products/${id}"]`).click();
  await says(page, name);
  await look(page, 'developer-product');
  const price = page.getByLabel(/^Price \(/);
  await price.fill('much');
  await page.evaluate('for (const form of document.forms) form.noValidate = true');
  await press(page, 'Save');
  await look(page, 'developer-product-wrong');
  await price.fill('44.50');
  await page.getByLabel('Stock that can be sold').fill('6');
  await press(page, 'Save');
  await says(page, 'Saved.');
  assert.equal(await price.inputValue(), '44.5');
}

const EVENTS = ['order.created', 'order.paid', 'order.cancelled', 'product.updated', 'stock.changed'];

/** Registers a webhook for everything, has its receiver trust it, and sees a test event arrive. */
export async function registerWebhook(page: Page, { look, outside }: Stage): Promise<void> {
  await page.goto('/developer/new-webhook');
  await look(page, 'developer-new-webhook');
  await fill(page, { URL: outside.hooks });
  for (const event of EVENTS) await page.getByLabel(event).check();
  await press(page, 'Register and show secret');
  outside.trust(await page.getByLabel('Secret').inputValue());
  await look(page, 'developer-webhook-secret');
  await page.getByRole('link', { name: 'View webhook' }).click();
  await press(page, 'Send a test event');
  await seeDeliveries(page, 1);
  assert.equal(outside.events.length, 1);
  await look(page, 'developer-webhook');
  await page.goto('/developer/webhooks');
  await look(page, 'developer-webhooks');
}

/** Loads the webhook's page until it tells of so many deliveries, those on the page delivered. */
export async function seeDeliveries(page: Page, least: number): Promise<void> {
  const cells = (name: string) => page.getByRole('cell', { name, exact: true });
  for (const begun = Date.now(); Date.now() - begun < 60_000; await page.reload()) {
    const [, total = 0] = /(\d+) in total/.exec(await page.content()) ?? [];
    const waiting = await cells('pending').count();
    if (Number(total) >= least && waiting === 0 && (await cells('delivered').count()) > 0) return;
    await page.waitForTimeout(500);
  }
  throw new Error(`${page.url()} does not tell of ${least} deliveries`);
}

/** Looks at everything else that a shop is made of, and changes some of it. */
export async function furnish(page: Page, { look }: Stage): Promise<void> {
  await page.goto('/developer/settings');
  await look(page, 'developer-settings');
  await page.getByLabel('Hosts that checkout may return to').fill('books.example.com');
  await press(page, 'Save');
  await says(page, 'Saved.');
  await page.goto('/developer/new-coupon');
  await look(page, 'developer-new-coupon');
  await fill(page, { Code: 'HARBOUR10', Value: '10' });
  await press(page, 'Create coupon');
  await page.goto('/developer/coupons');
  await look(page, 'developer-coupons');
  await page.getByRole('link', { name: 'HARBOUR10' }).click();
  await look(page, 'developer-coupon');
  await page.goto('/developer/theme');
  await look(page, 'developer-theme');
  await page.getByLabel('Primary colour').fill('#aa0033');
  assert.equal(await page.locator('#preview [data-color=primary]').first().getAttribute('fill'), '#aa0033');
  await press(page, 'Save');
  await says(page, 'Saved.');
}

/** Finds an order by its number, paid, with what was bought. */
export async function seeOrder(page: Page, { look }: Stage, number: string, item: string, name: string) {
  await page.goto('/developer/orders');
  await look(page, `${name}-orders`);
  await page.getByRole('link', { name: new RegExp(`^${number}`) }).click();
  await page.getByText('paid', { exact: true }).first().waitFor();
  await says(page, item);
  await look(page, `${name}-order`);
  await page.goto('/developer/orders/made-up');
  await look(page, `${name}-no-order`);
}

/** Signs out, is let in nowhere, and signs in again with the password. */
export async function comeBack(page: Page, { look }: Stage, shop: string, email: string): Promise<void> {
  await press(page, 'Sign out');
  await page.goto('/developer/orders');
  assert.match(page.url(), /\/developer\/sign-in$/);
  await look(page, 'developer-sign-in');
  for (const password of ['wrong horse battery', PASSWORD]) {
    await fill(page, { Shop: shop, 'E-mail': email, Password: password });
    await press(page, 'Sign in');
    if (password !== PASSWORD) await says(page, 'The shop, e-mail or password is incorrect.');
  }
  await page.getByRole('link', { name: 'Overview' }).waitFor();
  await look(page, 'developer-overview-busy');
}
