import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { fiveCups } from '../support/fixtures/catalog/products.ts';
import { cartWith } from '../support/fixtures/selling/checkout.ts';
import { type World, world } from '../support/world.ts';

/** A URL that a client names is refused with its field where it is none, whatever is wrong with it. */

const HOST = 'shop.example.com';
const NO_URLS = [
  `shopapp://${HOST}/`,
  `https://${HOST}:99999/`,
  `https://${HOST}:65536/`,
  `https://${HOST}:99999`,
  `https://${HOST}:99999?x=1`,
  `HTTPS://${HOST}:99999#x`,
  `https://${HOST}:-1/`,
  `https://${HOST}:1e3/`,
  `https://${HOST}:8080:8080/`,
  `https://:443/`,
  'https://',
  'https:///',
  `https://[${HOST}]/`,
  `https://[::1:99999/`,
  `https://${HOST}%/`,
  `https://%00${HOST}/`,
  `https://xn--a.com:99999/`,
  `https://256.256.256.256/`,
  `https://1.2.3.4.5:70000/`,
  `https://${HOST} /`,
  `https://user@:99999/`,
  `:99999`,
  '//',
  'javascript:alert(1)',
] as const;

let shop: World;
let cart: string;
beforeAll(async () => {
  shop = await world({ plan: 'enterprise' });
  await shop.patch('/settings', { payments: 'sandbox', checkout: { allowed_hosts: [HOST] } });
  cart = await cartWith(shop, await fiveCups(shop));
});

describe.each(NO_URLS)('%s', (url) => {
  it.each(['return_url', 'cancel_url'])('is rejected as %s', async (field) => {
    const body = { cart_token: cart, return_url: `https://${HOST}/`, [field]: url };
    const answer = await shop.post('/checkout/seamless', body);
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('is rejected wherever a URL is accepted', async () => {
    const item = { name: 'Cup', type: 'simple', price: 1 };
    for (const [answer, field] of [
      [await shop.post('/products', { ...item, images: [url] }), 'images.0'],
      [await shop.post('/categories', { name: 'Cups', image_url: url }), 'image_url'],
      [await shop.patch('/theme/options', { logo_url: url }), 'logo_url'],
      [await shop.patch('/settings', { checkout: { external_url: url } }), 'checkout.external_url'],
      [await shop.post('/webhooks', { url, events: ['order.paid'] }), 'url'],
    ] as const) {
      expectProblem(answer, 422, 'validation_error');
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    }
  });
});
