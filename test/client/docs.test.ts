import { Webhook } from 'standardwebhooks';
import { afterEach, expect, it, vi } from 'vitest';
import examples from '../../docs/client.md?examples';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { readReturn, sandboxShop, submitCheckout } from '../support/fixtures/selling/checkout.ts';
import { worker } from './calls.ts';

/** docs/client.md: every example of the page runs, in its order, against the service. */

afterEach(() => vi.unstubAllGlobals());

const password = 'correct horse';
const checkoutSecret = 'a checkout secret of the tenant';
const webhookSecret = `whsec_${btoa('a secret of twenty-four b')}`;

/** A shop with what the page names. */
async function shopOfThePage() {
  const shop = await sandboxShop();
  await shop.patch('/settings', { secrets: { checkout_secret: checkoutSecret } });
  const category = await shop.post('/categories', { name: 'Mugs' });
  await stockedProduct(shop, { name: 'Tea' });
  await stockedProduct(shop, {
    name: 'Stoneware mug',
    price: 12.5,
    stock: 5,
    category_ids: [category.body.id],
  });
  await shop.post('/coupons', { code: 'SUMMER-10', kind: 'percent', value: 10 });
  const person = { name: 'Ada', email: 'ada@example.com', password };
  expect((await shop.post('/customers/register', person)).status).toBe(201);
  await vi.waitFor(
    async () => expect((await shop.get('/search?q=stonewrae')).body.meta.total).toBe(1),
    30_000,
  );
  const { token } = await shop.register({ kind: 'storefront' });
  return { token, categoryId: category.body.id };
}

/** A signed delivery of the event that an order was paid. */
function delivery(number: string): Request {
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'order.paid',
    timestamp: new Date().toISOString(),
    data: { number: Number(number), totals: { grand_total: 22.5 } },
  });
  return new Request('https://shop.example.com/hooks', {
    method: 'POST',
    body,
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': new Webhook(webhookSecret).sign('evt_1', new Date(), body),
    },
  });
}

it('does what docs/client.md says', async () => {
  const shop = await shopOfThePage();
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    String(url).startsWith('https://api.example.com/') ? worker(url, init) : real(url, init),
  );
  const said: Record<string, unknown[]> = {};
  let lines: unknown[] = [];
  const stored = new Map<string, string>();
  const location = { href: '' };
  // Its parts change as the page's story goes on: first a shopper comes back, then a webhook.
  const request = { url: '', headers: new Headers(), text: async () => '' };
  let number = '';
  const ran = async (title: string) => {
    said[title] = lines;
    lines = [];
    if (title === 'Check out' && request.url === '') {
      const back = readReturn(await submitCheckout(new URL(location.href).pathname, 'pay'));
      number = back.order_number;
      request.url = back.url.href;
    }
    if (title === "List the customer's orders") {
      const sent = delivery(number);
      Object.assign(request, { headers: sent.headers, text: () => sent.text() });
    }
  };
  await examples({
    ...shop,
    ran,
    password,
    checkoutSecret,
    webhookSecret,
    request,
    location,
    console: { log: (...words: unknown[]) => lines.push(words.join(' ').replaceAll('\u00a0', ' ')) },
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
  });
  expect(said).toEqual({
    'Create a client': [],
    'List products': ['2 of 2', 'Stoneware mug', 'Tea'],
    'Search and filter': [],
    'Show a product': ['Stoneware mug 12,50 €'],
    'Add to the cart': ['€12.50'],
    'Change a quantity': ['2'],
    'Redeem a coupon': ['€2.50'],
    'Sign in': ['Ada'],
    'Bind a cart': ['true'],
    'Check out': [number],
    "List the customer's orders": [`${number} paid €22.50`],
    'Order again': ['2'],
    'Receive a webhook': [`${number} 22.5`],
    // A stock figure may be 10 seconds old.
    'Handle errors': [expect.stringMatching(/^[35]$/)],
  });
  expect(JSON.parse(stored.get('session') ?? '')).toMatchObject({
    customerToken: expect.stringMatching(/^cs_/),
  });
});
