/**
 * A shopper's way through the hosted checkout, in a real Chromium and without JavaScript. Needs Debian's
 * package `chromium`, or CHROMIUM with the path of another one; SCREENSHOTS names a folder for pictures.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { checkout, openShop, type Shop, stockIs } from './shopper/shop.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const pictures = process.env.SCREENSHOTS;

let browser: Browser;
let shop: Shop;

before(async () => {
  ok(existsSync(executablePath), `There is no browser at ${executablePath}: apt-get install chromium`);
  shop = await openShop('browser');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  await shop?.stop();
});

/** A product of its own for each test. */
async function product(name: string, price: number, stock: number): Promise<number> {
  const body = { type: 'simple', name, price, stock };
  return (await shop.api<{ id: number }>('POST', '/v1/products', body)).id;
}

const cups = () => product('Stoneware cup, 250 ml', 14.5, 5);
const beans = () => product('House espresso beans, freshly roasted, 1 kg', 11.9, 40);

/** Opens a page in a context of its own; by default light and as wide as a desktop's. */
async function open(url: string, dark = false, width = 1280): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width, height: 900 },
  });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const picture = async (page: Page, name: string) =>
  pictures ? page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true }) : undefined;

async function fillIn(page: Page): Promise<void> {
  for (const [label, value] of [
    ['E-mail', 'ada@example.com'],
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['Street and number', '12 St James Square'],
    ['Postal code', '10115'],
    ['City', 'Berlin'],
  ] as const) {
    await page.getByLabel(label).fill(value);
  }
  await page.getByLabel('Country').selectOption('DE');
}

test('declines once, pays, and comes back to the shop with a signed order', async () => {
  const cup = await cups();
  const items = [
    { id: cup, quantity: 2 },
    { id: await beans(), quantity: 1 },
  ];
  const page = await open(await checkout(shop, items));
  await picture(page, 'checkout');
  await fillIn(page);
  await page.getByRole('button', { name: 'Update totals' }).click();
  equal(await page.getByLabel('City').inputValue(), 'Berlin');
  await page.getByRole('button', { name: 'Decline' }).click();
  match((await page.getByRole('alert').textContent()) ?? '', /declined/);
  await picture(page, 'declined');
  await page.getByRole('button', { name: /pay €45\.80/ }).click();
  await page.waitForURL(`${shop.shop}/thanks?**`);

  const { order_id, order_number, status, ts, signature } = Object.fromEntries(
    new URL(page.url()).searchParams,
  );
  equal(status, 'paid');
  const signed = createHmac('sha256', shop.secret).update([order_id, order_number, status, ts].join('.'));
  equal(signature, signed.digest('hex'));
  const order = await shop.api<{ status: string; totals: { grand_total: number } }>(
    'GET',
    `/v1/orders/${order_id}`,
  );
  deepEqual([order.status, order.totals.grand_total], ['paid', 45.8]);
  await stockIs(shop.api, cup, 3);
});

test('says what is missing, at its field', async () => {
  const page = await open(await checkout(shop, [{ id: await cups(), quantity: 1 }]));
  // The browser's own validation is switched off, so that the server's is seen.
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.evaluate("document.querySelector('form.details').noValidate = true");
  await page.getByRole('button', { name: /^Pay/ }).click();
  const name = page.getByLabel('First name');
  equal(await name.getAttribute('aria-invalid'), 'true');
  equal(await page.evaluate('document.activeElement.id'), 'first_name');
  equal(await page.getByLabel('E-mail').inputValue(), 'ada@example.com');
  await picture(page, 'errors');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${shop.shop}/cart`);
});

test('orders by keyboard alone, cancels, and the stock is back', async () => {
  const cup = await cups();
  const page = await open(await checkout(shop, [{ id: cup, quantity: 5 }]), true, 360);
  await picture(page, 'narrow-dark');
  await stockIs(shop.api, cup, 0);
  const typed = [
    'ada@example.com',
    'Ada',
    'Lovelace',
    '',
    '12 St James Square',
    '',
    '10115',
    'Berlin',
    '',
    '',
    'Germany',
  ];
  for (const text of typed) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Tab'); // Update totals
  await page.keyboard.press('Tab'); // Use a different billing address
  await page.keyboard.press('Tab'); // Note to the shop
  await page.keyboard.press('Tab'); // Pay
  await page.keyboard.press('Tab'); // Decline
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await picture(page, 'narrow-dark-declined');
  await page.getByRole('button', { name: 'Cancel the order' }).press('Enter');
  await page.waitForURL(`${shop.shop}/cart`);
  const { data } = await shop.api<{ data: { status: string }[] }>('GET', '/v1/orders?limit=1');
  equal(data[0]?.status, 'cancelled');
  await stockIs(shop.api, cup, 5);
});

test('fits a small screen and a large one, in light and in dark', async () => {
  const items = [
    { id: await cups(), quantity: 1 },
    { id: await beans(), quantity: 3 },
  ];
  for (const [dark, width] of [
    [false, 360],
    [true, 1280],
    [false, 1280],
  ] as const) {
    const page = await open(await checkout(shop, items), dark, width);
    await picture(page, `${dark ? 'dark' : 'light'}-${width}`);
    const wider = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    ok(Number(wider) <= 0, `${wider} pixels wider than a screen of ${width}`);
    await page.context().close();
  }
});

/** A word that no line of a phone holds. */
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

test('breaks words that are wider than a small screen', async () => {
  await shop.api('POST', '/v1/promotions', {
    name: LONG,
    trigger: 'automatic',
    combinable: true,
    effect: { kind: 'percent', value: 10 },
  });
  const page = await open(
    await checkout(shop, [{ id: await product(LONG, 14.5, 5), quantity: 1 }]),
    false,
    360,
  );
  await fillIn(page);
  await page.getByLabel('Last name').fill(LONG.slice(0, 60));
  await page.getByLabel('Note to the shop').fill(LONG);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('alert').waitFor();
  await picture(page, 'long-words');
  const wider = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  ok(Number(wider) <= 0, `${wider} pixels wider than the screen`);
});
