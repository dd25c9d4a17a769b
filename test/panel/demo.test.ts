import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { world } from '../support/world.ts';
import { Browser } from './browser.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

/** A shop whose storefront is the demo. */
async function demo() {
  const shop = await world();
  const { token } = await shop.register({ kind: 'storefront' });
  env.DEMO_TOKEN = token;
  return shop;
}

it('browses, fills a cart and changes it, through the public API alone', async () => {
  const shop = await demo();
  const evil = `<script>alert(1)</script>`;
  const mug = await shop.post('/products', { name: `Mug ${evil}`, type: 'simple', price: 12.5, stock: 5 });
  const tee = await shop.post('/products', {
    ...{ name: 'Tee', type: 'configurable', price: 20 },
    variants: [{ sku: 'TEE-M', price: 20, stock: 3, attributes: { size: 'M' } }],
  });
  const shopper = new Browser();
  const shelf = await shopper.get('/demo');
  expect(shelf.status).toBe(200);
  expect(shelf.html).toContain(`/demo/products/${mug.body.id}"`);
  expect(shelf.html).not.toContain(evil);
  for (const [id, fields] of [
    [mug.body.id, { quantity: '2' }],
    [tee.body.id, { quantity: '1', variant: String(tee.body.variants[0].id) }],
  ] as const) {
    await shopper.get(`/demo/products/${id}`);
    await shopper.submit(`/demo/products/${id}`, { ...fields });
    expect(shopper.last.html).toContain('Your cart');
  }
  expect(shopper.last.html).toContain('€45.00');
  expect(shopper.last.html).not.toContain(evil);
  const line = /\/demo\/cart\/items\/(\d+)/.exec(shopper.last.html)?.[1];
  await shopper.submit(`/demo/cart/items/${line}`, { quantity: '0' });
  expect(shopper.last.html).toContain('€20.00');
  const tooMany = await shopper.post(`/demo/products/${mug.body.id}`, { quantity: '6' });
  expect([tooMany.status, tooMany.html.includes('not enough stock')]).toEqual([409, true]);
});

it('is not there without a token, and says so where the token is none', async () => {
  expect((await new Browser().get('/demo')).status).toBe(401);
  env.DEMO_TOKEN = '';
  expect((await new Browser().get('/demo')).status).toBe(404);
});
