/**
 * `npm run test:browser`: what people do with the panels and the demo shop, in a headless Chromium against
 * `npm run dev` on data of its own. With `-- --pictures DIR` pictures of each page are kept.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { secret } from '../secrets.ts';
import { portIsFree } from '../server.ts';
import { inspect, openChromium } from './screen.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { pictures: { type: 'string' } } });
if (values.pictures) mkdirSync(values.pictures, { recursive: true });

const wrong: string[] = [];
const look = async (page: Page, name: string): Promise<void> => {
  wrong.push(...(await inspect(page, name, values.pictures)));
};

/** Clicks what leads to another page, and waits for it. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.waitForLoadState();
}

async function freePort(): Promise<number> {
  for (let port = 8_980; port < 9_080; port++) if (await portIsFree(port)) return port;
  throw new Error('No port is free.');
}

/** `npm run dev` on data of its own; answers its address and what ends it. */
async function startDev(): Promise<{ base: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'storefront-edge-'));
  const port = await freePort();
  const dev = spawn(
    process.execPath,
    [join(root, 'scripts/dev.ts'), '--port', String(port), '--persist-to', folder],
    { cwd: root },
  );
  const ended = new Promise<void>((resolve) => dev.on('close', () => resolve()));
  let said = '';
  for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (data) => (said += data));
  for (const begun = Date.now(); !said.includes('is running'); await sleep(200)) {
    if (dev.exitCode !== null || Date.now() - begun > 240_000) {
      dev.kill();
      throw new Error(`npm run dev did not start:\n${said}`);
    }
  }
  const stop = async () => {
    dev.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { base: `http://127.0.0.1:${port}`, stop };
}

/** The super-admin makes a tenant and invites a developer; answers the invitation's address. */
async function superAdmin(context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  await page.goto('/admin');
  await look(page, 'admin-sign-in');
  await page.getByLabel('Super-admin token').fill(secret(join(root, '.dev.vars'), 'SUPER_ADMIN_TOKEN'));
  await press(page, 'Sign in');
  await look(page, 'admin-tenants');
  await page.getByRole('link', { name: 'New tenant' }).click();
  await page.getByLabel('Name').fill('Harbour Books');
  await page.getByLabel('Slug').fill('harbour-books');
  await page.getByLabel('Plan').selectOption('growth');
  await look(page, 'admin-new-tenant');
  await press(page, 'Create tenant');
  await look(page, 'admin-tenant');
  // The journey's developer works for the demo shop, where there is something to sell.
  await page.goto('/admin/tenants/demo');
  await page.getByLabel('Their name').fill('Ada Byron');
  await page.getByLabel('Their e-mail').fill('ada@example.com');
  await press(page, 'Make invitation');
  const link = await page.getByLabel('Invitation link').inputValue();
  await look(page, 'admin-invitation');
  await page.goto('/admin/health');
  await look(page, 'admin-health');
  return link;
}

const CSV = `Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty
lantern,Harbour Lantern,<p>Brass and glass.</p>,Title,Default Title,LANT-1,49.00,12
rope,Mooring Rope,<p>Ten metres.</p>,Colour,Sand,ROPE-S,19.00,30
rope,,,Colour,Navy,ROPE-N,21.00,8
`;

/** The developer joins, makes a token, imports a CSV, edits a price, registers a webhook. */
async function developer(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Choose a password').fill('correct horse battery');
  await look(page, 'developer-join');
  await press(page, 'Set password and sign in');
  await look(page, 'developer-overview');
  await page.goto('/developer/applications/new');
  await page.getByLabel('Name').fill('Till');
  await look(page, 'developer-application');
  await press(page, 'Create and show token');
  assert.match(await page.getByLabel('Token').inputValue(), /^sfe_live_/);
  await page.goto('/developer/applications');
  await look(page, 'developer-applications');

  await page.goto('/developer/imports');
  await look(page, 'developer-import');
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'harbour.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
  await press(page, 'Upload and import');
  await page.getByText('done', { exact: true }).waitFor({ timeout: 60_000 });
  assert.match((await page.getByRole('status').textContent()) ?? '', /3 of 3 lines/);
  await look(page, 'developer-import-done');

  await page.goto('/developer/products?q=lantern');
  await look(page, 'developer-products');
  await page.getByRole('link', { name: 'Harbour Lantern' }).click();
  await page.getByLabel('Price (EUR)', { exact: true }).fill('44.50');
  await look(page, 'developer-product');
  await press(page, 'Save');
  await page.getByText('Saved.').waitFor();
  assert.equal(await page.getByLabel('Price (EUR)', { exact: true }).inputValue(), '44.5');

  await page.goto('/developer/new-webhook');
  await page.getByLabel('URL').fill('http://127.0.0.1:9/hooks');
  await page.getByLabel('order.created').check();
  await look(page, 'developer-new-webhook');
  await press(page, 'Register and show secret');
  assert.match(await page.getByLabel('Secret').inputValue(), /^whsec_/);
  await page.getByRole('link', { name: 'To the webhook' }).click();
  await press(page, 'Send a test event');
  await look(page, 'developer-webhook');

  for (const [path, name] of [
    ['theme', 'developer-theme'],
    ['settings', 'developer-settings'],
    ['new-coupon', 'developer-coupon'],
    ['coupons', 'developer-coupons'],
  ] as const) {
    await page.goto(`/developer/${path}`);
    await look(page, name);
  }
  await page.goto('/developer/theme');
  await page.getByLabel('Primary colour').fill('#aa0033');
  assert.equal(await page.locator('#preview [data-color=primary]').first().getAttribute('fill'), '#aa0033');
}

/** A shopper finds something, registers, fills a cart and checks out; answers the order's number. */
async function shopper(page: Page): Promise<string> {
  const begun = performance.now();
  await page.goto('/demo', { waitUntil: 'domcontentloaded' });
  await page.locator('.shelf li').first().waitFor();
  const shown = performance.now() - begun;
  console.log(`The demo's product list shows after ${Math.round(shown)} ms.`);
  await look(page, 'demo-shelf');
  await page.getByRole('searchbox').fill('enamel cup');
  await press(page, 'Search');
  await page.getByRole('link', { name: 'Enamel Cup' }).click();
  await look(page, 'demo-product');
  await press(page, 'Add to cart');
  await look(page, 'demo-cart');
  await page.getByRole('link', { name: 'create an account' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
  await page.getByLabel('E-mail').fill('grace@example.com');
  await page.getByLabel('Password').fill('nanoseconds count');
  await look(page, 'demo-register');
  await press(page, 'Register');
  await page.getByText('Your account is ready.').waitFor();
  await page.getByRole('link', { name: 'Cart' }).click();
  await press(page, 'To checkout');
  return payFor(page);
}

/** Fills the hosted checkout page and pays in the sandbox; answers the order's number. */
async function payFor(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'Your order' }).waitFor();
  await look(page, 'checkout');
  const person = {
    ...{ 'E-mail': 'grace@example.com', 'First name': 'Grace', 'Last name': 'Hopper' },
    ...{ 'Street and number': 'Kai 1', 'Postal code': '20457', City: 'Hamburg' },
  };
  for (const [label, value] of Object.entries(person)) await page.getByLabel(label).fill(value);
  await page.getByLabel('Country').selectOption('DE');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor({ timeout: 30_000 });
  await look(page, 'demo-thanks');
  return new URL(page.url()).searchParams.get('order_number') ?? 'none';
}

/** The developer sees the order, paid, and signs out. */
async function seeOrder(page: Page, number: string): Promise<void> {
  await page.goto('/developer/orders');
  await look(page, 'developer-orders');
  await page.getByRole('link', { name: new RegExp(`^${number}`) }).click();
  await page.getByText('paid', { exact: true }).first().waitFor();
  await page.getByText('Enamel Cup').first().waitFor();
  await look(page, 'developer-order');
  await press(page, 'Sign out');
  await page.goto('/developer/orders');
  assert.match(page.url(), /\/developer\/sign-in$/);
  await look(page, 'developer-sign-in');
}

const dev = await startDev();
const chromium = await openChromium();
try {
  const people = async () => {
    const context = await chromium.newContext({ baseURL: dev.base });
    context.setDefaultTimeout(30_000);
    // Pictures come from elsewhere, and the journey doesn't.
    await context.route(/^https:/, (route) => route.abort());
    return context;
  };
  const link = await superAdmin(await people());
  const ada = await (await people()).newPage();
  await developer(ada, link);
  const number = await shopper(await (await people()).newPage());
  await seeOrder(ada, number);
  assert.deepEqual(wrong, [], wrong.join('\n'));
  console.log(`The journey went well; order ${number} was placed, paid and seen.`);
} finally {
  await chromium.close();
  await dev.stop();
}
