import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { portIsFree } from '../../dev/server.ts';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';
import type { Service } from '../service.ts';
import { fillInAddress, payTheOrder } from './shopper.ts';

const root = join(import.meta.dirname, '../../..');
/** The most calls that a page of the example makes. */
const MOST_CALLS = 2;
const ACCOUNT = { 'E-mail': 'mary@example.org', Password: 'first compilers' };

/** Starts `npm run example` for a running service. */
async function startExample(service: Service): Promise<{ url: string; stop(): void }> {
  let port = 9_100;
  while (!(await portIsFree(port))) port++;
  const example = spawn(
    process.execPath,
    [
      ...['--conditions=storefront-edge-source', join(root, 'scripts/dev/example.ts')],
      ...['--port', String(port), '--api', service.base, '--persist-to', service.folder],
    ],
    { cwd: root },
  );
  let said = '';
  for (const stream of [example.stdout, example.stderr]) stream.on('data', (data) => (said += data));
  for (const begun = Date.now(); !said.includes('is open at'); await sleep(100)) {
    if (example.exitCode === null && Date.now() - begun < 240_000) continue;
    example.kill();
    throw new Error(`npm run example did not start:\n${said}`);
  }
  return { url: `http://127.0.0.1:${port}`, stop: () => example.kill() };
}

/** Counts the API calls of every response of the example, redirects included: `path → calls`. */
function countCalls(page: Page, url: string): Map<string, number> {
  const counts = new Map<string, number>();
  page.on('response', (response) => {
    if (!response.url().startsWith(url)) return;
    const [, calls] = /^api;desc="(\d+) calls/.exec(response.headers()['server-timing'] ?? '') ?? [];
    const name = `${response.request().method()} ${new URL(response.url()).pathname}`;
    if (calls !== undefined) counts.set(name, Math.max(Number(calls), counts.get(name) ?? 0));
  });
  return counts;
}

/** Finds a product by its category and filters, and one by search; puts both into the cart. */
async function browse(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.getByRole('heading', { name: 'Shop by category' }).waitFor();
  await inspect(page, 'example-home');
  await followLink(
    page.getByRole('navigation', { name: 'Shop by category' }).getByRole('link', { name: 'Clothing' }),
  );
  await page.getByRole('heading', { name: 'Clothing', level: 1 }).waitFor();
  await inspect(page, 'example-category');
  await page.getByRole('checkbox', { name: 'Pine' }).check();
  await page.getByLabel('Sort by').selectOption('price_desc');
  await pressButton(page, 'Show');
  await waitForText(page, '2 products');
  await inspect(page, 'example-filtered');
  await followLink(page.getByRole('link', { name: 'Heavyweight T-Shirt' }));
  await page.getByRole('heading', { name: 'Heavyweight T-Shirt', level: 1 }).waitFor();
  await inspect(page, 'example-product');
  await page.getByRole('radio', { name: 'Pine / M', exact: true }).check();
  await pressButton(page, 'Add to cart');
  await waitForText(page, 'Added to your cart.');
  for (const [q, name] of [
    ['starter kit', 'Pour-Over Starter Kit'],
    ['enamal cup', 'Enamel Cup'],
  ] as const) {
    await page.getByRole('searchbox').fill(q);
    await pressButton(page, 'Search');
    await inspect(page, `example-search-${q.replace(' ', '-')}`);
    await followLink(page.getByRole('link', { name }));
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await inspect(page, `example-${q.replace(' ', '-')}`);
    await pressButton(page, 'Add to cart');
    await waitForText(page, 'Added to your cart.');
  }
  await inspect(page, 'example-cart');
}

/** Changes the cart, and asks for more than there is. */
async function change(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.getByLabel('Quantity of Enamel Cup').fill('2');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Enamel Cup' })
    .getByRole('button', { name: 'Update' })
    .click();
  await waitForText(page, '€22.00');
  await page.getByRole('button', { name: 'Remove Heavyweight T-Shirt' }).click();
  await page.getByRole('link', { name: 'Heavyweight T-Shirt' }).waitFor({ state: 'detached' });
  await followLink(page.getByRole('link', { name: 'Enamel Cup' }));
  await fill(page, { Quantity: '9000' });
  await pressButton(page, 'Add to cart');
  await waitForText(page, 'There are not enough left for this quantity.');
  await inspect(page, 'example-too-many');
}

/** The session is not for scripts, and a form of another site does nothing. */
async function isSafe(page: Page, url: string): Promise<void> {
  for (const { name, httpOnly, sameSite } of await page.context().cookies(url)) {
    assert.deepEqual([name, httpOnly, sameSite], [name, true, 'Lax']);
  }
  // Its cookies come along, as with SameSite=None.
  const forged = await page.request.post(`${url}/account/logout`, {
    form: {},
    headers: { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
  });
  assert.equal(forged.status(), 403);
  const policy = forged.headers()['content-security-policy'] ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /script-src|unsafe/);
}

/** Creates an account and buys what is in the cart; returns the order's number. */
async function buyAsNewCustomer(page: Page, context: JourneyContext, url: string): Promise<string> {
  const { inspect } = context;
  await page.goto(`${url}/account/register`);
  await inspect(page, 'example-register');
  await fill(page, { Name: 'Mary Hopper', ...ACCOUNT });
  await pressButton(page, 'Create an account');
  await waitForText(page, 'No orders yet.');
  await followLink(page.getByRole('link', { name: 'Cart' }));
  await pressButton(page, 'Go to checkout');
  await payTheOrder(page, context, 'example-checkout');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor({ timeout: 30_000 });
  await inspect(page, 'example-thanks');
  const number = new URL(page.url()).searchParams.get('order_number') ?? 'none';
  await page.goto(`${url}/cart`);
  await waitForText(page, 'Your cart is empty.');
  await inspect(page, 'example-cart-empty');
  return number;
}

/** Signs out and in again, once with a wrong password; the account has the order. */
async function signInAgain(page: Page, { inspect }: JourneyContext, order: { url: string; number: string }) {
  const { url, number } = order;
  await page.goto(`${url}/account`);
  await waitForText(page, `Order ${number}`);
  await inspect(page, 'example-account');
  await isSafe(page, url);
  await pressButton(page, 'Sign out');
  await page.goto(`${url}/account/login`);
  await fill(page, { ...ACCOUNT, Password: 'first computers' });
  await pressButton(page, 'Sign in');
  await page.getByRole('alert').waitFor();
  await inspect(page, 'example-login-wrong');
  await fill(page, ACCOUNT);
  await pressButton(page, 'Sign in');
  await waitForText(page, `Order ${number}`);
}

/** Buys on a phone, where a category's filters are folded away. */
async function buyOnPhone(page: Page, url: string): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(url);
  await followLink(
    page.getByRole('navigation', { name: 'Shop by category' }).getByRole('link', { name: 'Clothing' }),
  );
  const pine = page.getByRole('checkbox', { name: 'Pine' });
  assert.equal(await pine.isVisible(), false, 'the filters are open on a phone');
  await page.getByText('Filter and sort').click();
  await pine.check();
  await pressButton(page, 'Show');
  await followLink(page.getByRole('link', { name: 'Heavyweight T-Shirt' }));
  await page.getByRole('radio', { name: 'Pine / M', exact: true }).check();
  await pressButton(page, 'Add to cart');
  await waitForText(page, 'Added to your cart.');
  await fill(page, { 'Quantity of Heavyweight T-Shirt': '2' });
  await pressButton(page, 'Update Heavyweight T-Shirt');
  await pressButton(page, 'Go to checkout');
  await page.getByRole('heading', { name: 'Your order' }).waitFor();
  await fillInAddress(page);
  await pressButton(page, /^Pay/);
  await page.getByRole('heading', { name: 'Thank you' }).waitFor({ timeout: 30_000 });
}

/** A shopper of the example storefront: from its home page to a paid order, without JavaScript of the page. */
export async function exampleShopper(context: JourneyContext): Promise<string> {
  const { open, inspect, service } = context;
  const example = await startExample(service);
  try {
    const page = await open();
    const calls = countCalls(page, example.url);
    await page.goto(example.url);
    await browse(page, context);
    await change(page, context);
    const number = await buyAsNewCustomer(page, context, example.url);
    await signInAgain(page, context, { url: example.url, number });
    for (const path of ['/products/made-up', '/thanks?order_number=1001']) {
      await page.goto(example.url + path);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
    }
    await inspect(page, 'example-not-found');
    const phone = await open();
    const phoneCalls = countCalls(phone, example.url);
    await buyOnPhone(phone, example.url);
    const tooMany = [...calls, ...phoneCalls].filter(([, count]) => count > MOST_CALLS);
    assert.deepEqual(tooMany, [], 'pages with too many API calls');
    assert.ok(calls.size >= 15, `${calls.size} pages had their API calls counted`);
    return number;
  } finally {
    example.stop();
  }
}
