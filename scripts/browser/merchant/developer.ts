import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';
import type { Catalogue } from './catalogue.ts';

const PASSWORD = 'correct horse battery';

/** Somebody follows their invitation and chooses a password; returns their page. */
export async function join({ open, inspect }: JourneyContext, link: string, name: string): Promise<Page> {
  const page = await open();
  await page.goto(link);
  await inspect(page, `${name}-join`);
  await fill(page, { 'Choose a password': PASSWORD });
  await pressButton(page, 'Set password and sign in');
  await inspect(page, `${name}-overview`);
  return page;
}

/** What the shop's server does with the token: it reads and imports the catalogue, sells, and reads orders. */
const TOKEN_SCOPES = ['catalog:read', 'catalog:write', 'cart:write', 'checkout:write', 'orders:read'];

/** Makes a token for an integration, which is shown once, and copies it. */
export async function makeToken(page: Page, { inspect, service }: JourneyContext): Promise<string> {
  await page.goto('/developer/applications/new');
  await inspect(page, 'developer-new-application');
  await fill(page, { Name: 'Warehouse' });
  await page.getByLabel('Kind').selectOption('integration');
  for (const scope of TOKEN_SCOPES) {
    await page.getByRole('checkbox', { name: scope }).check();
  }
  await pressButton(page, 'Create and show token');
  const token = await page.getByLabel('Token').inputValue();
  assert.match(token, /^sfe_live_/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.base });
  await pressButton(page, 'Copy');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), token);
  await inspect(page, 'developer-token');
  await page.goto('/developer/applications');
  await inspect(page, 'developer-applications');
  await followLink(page.getByRole('link', { name: 'Warehouse' }));
  await inspect(page, 'developer-application');
  assert.ok(!(await page.content()).includes(token), 'a token is shown once');
  return token;
}

/** Imports a CSV and watches until it is done. */
export async function importCatalogue(
  page: Page,
  { inspect }: JourneyContext,
  file: Catalogue,
): Promise<void> {
  await page.goto('/developer/imports');
  await inspect(page, 'developer-import');
  const upload = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(file.text) };
  await page.getByLabel('CSV file').setInputFiles(upload);
  await pressButton(page, 'Upload and import');
  await page.getByText('done', { exact: true }).waitFor({ timeout: 60_000 });
  const [, processed, lines] = /(\d+) of (\d+) lines/.exec(await page.content()) ?? [];
  assert.ok(Number(lines) >= file.products && processed === lines, `${processed} of ${lines} lines`);
  await inspect(page, 'developer-import-done');
  await page.goto('/developer/imports');
  await page.getByRole('heading', { name: 'Past imports' }).waitFor();
  await inspect(page, 'developer-imports');
  await page.goto('/developer/products');
  await waitForText(page, `${file.products} in total`);
  await inspect(page, 'developer-products');
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
export async function editPrice(
  page: Page,
  { inspect }: JourneyContext,
  { id, sku, name }: Listed,
): Promise<void> {
  await page.goto(`/developer/products?q=${encodeURIComponent(sku)}`);
  await followLink(page.locator(`a[href="/developer/products/${id}"]`));
  await waitForText(page, name);
  await inspect(page, 'developer-product');
  const price = page.getByLabel(/^Price \(/);
  await price.fill('much');
  await page.evaluate('for (const form of document.forms) form.noValidate = true');
  await pressButton(page, 'Save');
  await inspect(page, 'developer-product-wrong');
  await price.fill('44.50');
  await page.getByLabel('Stock that can be sold').fill('6');
  await pressButton(page, 'Save');
  await waitForText(page, 'Saved.');
  assert.equal(await price.inputValue(), '44.50');
}

const EVENTS = ['order.created', 'order.paid', 'order.cancelled', 'product.updated', 'stock.changed'];

/** Registers a webhook for everything, has its receiver trust it, and sees a test event arrive. */
export async function registerWebhook(page: Page, { inspect, outside }: JourneyContext): Promise<void> {
  await page.goto('/developer/new-webhook');
  await inspect(page, 'developer-new-webhook');
  await fill(page, { URL: outside.hooks });
  for (const event of EVENTS) await page.getByLabel(event).check();
  await pressButton(page, 'Register and show secret');
  outside.trust(await page.getByLabel('Secret').inputValue());
  await inspect(page, 'developer-webhook-secret');
  await followLink(page.getByRole('link', { name: 'View webhook' }));
  await pressButton(page, 'Send a test event');
  await seeDeliveries(page, 1);
  assert.equal(outside.events.length, 1);
  await inspect(page, 'developer-webhook');
  await page.goto('/developer/webhooks');
  await inspect(page, 'developer-webhooks');
}

/** Reloads the webhook's page until it shows at least this many deliveries, and all on the page are delivered. */
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

/** Visits the other pages of the shop, and changes some settings. */
export async function furnish(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/settings/checkout');
  await page.getByLabel('Hosts that checkout may return to').fill('books.example.com');
  await pressButton(page, 'Save');
  await waitForText(page, 'Saved.');
  await page.goto('/developer/theme');
  await inspect(page, 'developer-theme');
  await page.getByLabel('Primary colour').fill('#aa0033');
  await page.locator('#preview [fill="#aa0033"]').first().waitFor();
  await pressButton(page, 'Save');
  await waitForText(page, 'Saved.');
}

/** Finds an order by its number, paid, with what was bought, and fulfils it. */
export async function seeOrder(
  page: Page,
  { inspect }: JourneyContext,
  number: string,
  item: string,
  name: string,
) {
  await page.goto('/developer/orders');
  await inspect(page, `${name}-orders`);
  await followLink(page.getByRole('link', { name: new RegExp(`^${number}`) }));
  await page.getByText('paid', { exact: true }).first().waitFor();
  await waitForText(page, item);
  await inspect(page, `${name}-order`);
  await followLink(page.getByRole('link', { name: 'Fulfil items' }));
  await fill(page, { Carrier: 'DHL', 'Tracking number': '0034' });
  await pressButton(page, 'Fulfil');
  await waitForText(page, 'The fulfilment is recorded.');
  await waitForText(page, 'DHL 0034');
  await inspect(page, `${name}-order-fulfilled`);
  await page.goto('/developer/orders/made-up');
  await inspect(page, `${name}-no-order`);
}

/** Signs out, is let in nowhere, and signs in again with the password, which leads to where they wanted to go. */
export async function comeBack(
  page: Page,
  { inspect }: JourneyContext,
  shop: string,
  email: string,
): Promise<void> {
  await pressButton(page, 'Sign out');
  await page.goto('/developer/orders');
  assert.match(page.url(), /\/developer\/sign-in\?next=%2Fdeveloper%2Forders$/);
  await inspect(page, 'developer-sign-in');
  for (const password of ['wrong horse battery', PASSWORD]) {
    await fill(page, { Shop: shop, 'E-mail': email, Password: password });
    await pressButton(page, 'Sign in');
    if (password !== PASSWORD) await waitForText(page, 'The shop, e-mail or password is incorrect.');
  }
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  await followLink(page.getByRole('link', { name: 'Overview' }));
  await waitForText(page, 'Average basket');
  await inspect(page, 'developer-overview-busy');
}
