import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { Browser, type Got } from '../support/fixtures/browser.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { demoShop } from '../support/fixtures/demo.ts';
import { admin } from '../support/world.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
  vi.restoreAllMocks();
});

const NAME = 'Harbour Street Coffee';

async function namedShop() {
  const shop = await demoShop();
  await admin('PATCH', `/tenants/${shop.slug}`, { name: NAME });
  return shop;
}

/** Expects a page in the shop's own frame: its name, colours, categories and cart, and nothing of the panels. */
function expectShopPage(got: Got, status: number, title: string): void {
  expect([got.status, got.headers.get('content-type')]).toEqual([status, expect.stringMatching('html')]);
  expect(/<h1[^>]*>(.*?)<\/h1>/.exec(got.html)?.[1]).toBe(title);
  expect(got.html).toContain(`<title>${title} · ${NAME}</title>`);
  expect(got.html).toContain('href="/panel-assets/demo.css"');
  expect(got.html).toMatch(/\/demo\/theme\.css\?v=/);
  expect(got.html).toContain('href="/demo/cart"');
  expect(got.html).not.toContain('panel.css');
  expect(got.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(got.headers.get('cache-control')).toBe('no-store');
}

it('shows every error of a form in the frame of the shop', async () => {
  const shop = await namedShop();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const path = `/demo/products/${mug.body.id}`;
  const shopper = new Browser();
  await shopper.get(path);
  const outdated = await shopper.post(path, { _token: 'x'.repeat(32), quantity: '1' });
  expectShopPage(outdated, 403, 'This form is out of date');
  await shopper.get(path);
  const large = await shopper.post(path, { quantity: 'x'.repeat(70_000) });
  expectShopPage(large, 413, 'The form is too large');
  await shopper.get(path);
  const json = await shopper.send('POST', path, '{}', { 'content-type': 'application/json' });
  expectShopPage(json, 415, 'The form could not be read');
  expectShopPage(await shopper.send('PUT', path), 405, 'Method not allowed');
  expectShopPage(await shopper.get('/demo/cart/coupon'), 405, 'Method not allowed');
  expect(shopper.last.html).toContain('href="/demo/cart"');
});

it('shows an internal error in the frame of the shop, with the request id', async () => {
  const shop = await namedShop();
  await stockedProduct(shop, { name: 'Mug' });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(Intl, 'NumberFormat').mockImplementation(function broken() {
    throw new Error('a secret of ours');
  });
  const got = await new Browser().get('/demo');
  expectShopPage(got, 500, 'Something went wrong');
  expect(got.html).not.toContain('a secret of ours');
  expect(got.html).toContain(got.headers.get('x-request-id'));
});
