import { env, exports } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser } from '../../support/fixtures/browser.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { demoShop } from '../../support/fixtures/demo.ts';
import { add } from '../demo-steps.ts';

const LOCAL = 'https://127.0.0.1';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
  env.DEV_ALLOW_LOCAL_URLS = 'false';
});

/** A shop with a coupon and two shipping methods, and a browser with a red mug in its cart. */
async function withMug() {
  const shop = await demoShop();
  await shop.post('/coupons', { code: 'HELLO10', kind: 'percent', value: 10 });
  const standard = { id: 'standard', name: 'Standard parcel', price: 5 };
  const methods = [standard, { id: 'express', name: 'Express', price: 12, countries: ['DE'], max_days: 1 }];
  await shop.patch('/settings', { shipping: { methods } });
  const mug = await stockedProduct(shop, {
    name: 'Mug',
    type: 'configurable',
    price: 20,
    variants: [{ sku: 'MUG-RED', price: 20, stock: 9, attributes: { colour: 'Red' } }],
  });
  const shopper = new Browser();
  const here = `/demo/products/${mug.body.id}`;
  await shopper.get(here);
  await shopper.submit(here, { quantity: '2' });
  return { shop, shopper, mug };
}

it('shows what was chosen, and how many items there are on every page', async () => {
  const { shopper } = await withMug();
  expect(shopper.last.html).toMatch(/Colour: Red[\s\S]*€20\.00 each/);
  const home = await shopper.get('/demo');
  expect(home.html).toContain('<span class="count">2</span>');
});

it('tells lines of one product apart in the names of their fields and buttons', async () => {
  const { shopper } = await withMug();
  const { html } = await shopper.get('/demo/cart');
  expect(html).toContain('aria-label="Quantity of Mug, Red"');
  expect(html).toContain('aria-label="Update Mug, Red"');
  expect(html).toContain('aria-label="Remove Mug, Red"');
});

it('strikes the price before a sale through', async () => {
  const { shop, shopper } = await withMug();
  await add(shopper, await stockedProduct(shop, { name: 'Plate', price: 20, sale: { price: 15 } }), {
    quantity: '2',
  });
  const { html } = await shopper.get('/demo/cart');
  expect(html).toMatch(/Now <\/span>€30\.00[\s\S]*<s><span class="hidden">Before <\/span>€40\.00<\/s>/);
});

it('keeps a quantity that is refused, and says why beside it', async () => {
  const { shop, shopper } = await withMug();
  const plate = await stockedProduct(shop, { name: 'Plate', stock: 9 });
  await add(shopper, plate);
  for (const [quantity, why] of [
    ['900', 'Only 9 in stock.'],
    ['', 'must be a whole number'],
  ] as const) {
    const { html } = await shopper.submit('/demo/cart/items/2', { quantity });
    expect(html).toContain(`<a href="#f-quantity">Quantity of Plate: ${why}`);
    const [mug = '', itself = ''] = html.split('<li class="line">').slice(1);
    expect(mug).not.toContain('aria-invalid');
    expect(itself).toMatch(/aria-invalid="true"[\s\S]*id="f-quantity-error"/);
    expect(itself).toContain(why);
    expect(itself).toContain(`value="${quantity}"`);
  }
});

it('says what became of a quantity', async () => {
  const { shopper } = await withMug();
  const text = async (path: string, quantity: string) =>
    (await shopper.submit(`/demo/cart/items/1${path}`, { quantity })).html;
  expect(await text('', '3')).toMatch(/role="status"[^>]*>\s*Your cart is updated\.[\s\S]*€60\.00/);
  expect(await text('/remove', '')).toMatch(
    /role="status"[^>]*>\s*Removed from your cart\.[\s\S]*Your cart is empty\./,
  );
});

it('takes a coupon code and removes it, and says beside the field why another is refused', async () => {
  const { shopper } = await withMug();
  await shopper.submit('/demo/cart/coupon', { code: 'hello10' });
  expect(shopper.last.html).toMatch(/The code is in your cart\.[\s\S]*HELLO10[\s\S]*-€4\.00/);
  const wrong = await shopper.submit('/demo/cart/coupon', { code: 'NOPE' });
  expect(wrong.status).toBe(404);
  expect(wrong.html).toMatch(/name="code"[^>]*value="NOPE"/);
  expect(wrong.html).toMatch(/<a href="#f-code">Coupon code: There is no such coupon\./);
  const long = await shopper.submit('/demo/cart/coupon', { code: 'x'.repeat(80) });
  expect(long.html).toMatch(/<a href="#f-code">Coupon code: must have at most 64 characters</);
  await shopper.submit('/demo/cart/coupon/remove', { code: 'HELLO10' });
  expect(shopper.last.html).not.toContain('HELLO10');
});

it('says from when a code applies, and to what another is for', async () => {
  const { shop, shopper } = await withMug();
  const plate = await stockedProduct(shop, { name: 'Plate' });
  await shop.post('/coupons', { code: 'FROM30', kind: 'percent', value: 10, minimum_subtotal: 30 });
  await shop.post('/coupons', { code: 'PLATES', kind: 'percent', value: 10, product_ids: [plate.body.id] });
  const { html } = await shopper.submit('/demo/cart/coupon', { code: 'PLATES' });
  expect(html).toContain('<a href="#f-code">Coupon code: This code is for other products.');
  await shopper.submit('/demo/cart/coupon', { code: 'FROM30' });
  await shopper.submit('/demo/cart/items/1', { quantity: '1' });
  expect(shopper.last.html).toContain('<strong>FROM30</strong><small> applies from €30.00 of goods</small>');
});

it('shows delivery to a country, by the method that is chosen', async () => {
  const { shopper } = await withMug();
  await shopper.get('/demo/cart/delivery');
  const germany = await shopper.submit('/demo/cart/delivery', { country: 'DE' });
  expect(germany.html).toMatch(
    /Standard parcel[\s\S]*€5\.00[\s\S]*Express[\s\S]*up to 1 day\b[\s\S]*€12\.00/,
  );
  await shopper.submit('/demo/cart/delivery/method', { method: 'express' });
  expect(shopper.last.html).toMatch(/Express to Germany[\s\S]*Shipping<\/dt><dd>€12\.00/);
  await shopper.get('/demo/cart/delivery');
  const wrong = await shopper.submit('/demo/cart/delivery', { country: 'XX' });
  expect(wrong.status).toBe(422);
});

it('asks for no delivery of what is not shipped', async () => {
  const shop = await demoShop();
  const shopper = new Browser();
  await add(shopper, await stockedProduct(shop, { name: 'Course', type: 'virtual' }));
  expect((await shopper.get('/demo/cart')).html).toContain('Taxes depend on your country.');
  await shopper.get('/demo/cart/delivery');
  const { html } = await shopper.submit('/demo/cart/delivery', { country: 'DE' });
  expect(html).toContain('Nothing in your cart is shipped.');
  expect(html).not.toContain('Nothing is delivered');
});

it.each([
  ['coupon', { code: 'HELLO10' }],
  ['coupon/remove', { code: 'HELLO10' }],
  ['delivery', { country: 'DE' }],
  ['delivery/method', { method: 'express' }],
])(
  'shows an empty cart after a form of /demo/cart/%s whose cart another tab has left',
  async (form, fields) => {
    const { shopper } = await withMug();
    await shopper.get('/demo/cart');
    const { last } = shopper;
    await shopper.submit('/demo/cart/new', {});
    shopper.last = last;
    const shown = await shopper.submit(`/demo/cart/${form}`, fields);
    expect([shown.status, shown.html]).toEqual([200, expect.stringContaining('Your cart is empty.')]);
  },
);

/** The stylesheets of a page. */
const stylesheetsOf = (html: string) =>
  [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href);

it('looks like the cart also where the way to checkout is refused', async () => {
  const { shop, shopper, mug } = await withMug();
  const cart = await shopper.get('/demo/cart');
  await shop.delete(`/products/${mug.body.id}`);
  const refused = await shopper.submit('/demo/checkout', {});
  expect(refused.html).toContain('<h1 dir="auto">Your cart</h1>');
  expect(stylesheetsOf(refused.html)).toEqual(stylesheetsOf(cart.html));
});

/** The browser in local development: checkout returns to the service itself there alone. */
function locally(shopper: Browser): Browser {
  env.DEV_ALLOW_LOCAL_URLS = 'true';
  return shopper.through((request) => {
    const headers = new Headers(request.headers);
    headers.set('origin', LOCAL);
    const url = LOCAL + new URL(request.url).pathname;
    return exports.default.fetch(new Request(new Request(url, request), { headers }));
  });
}

it('leads to the checkout of a shop that has its own', async () => {
  const { shop, shopper } = await withMug();
  const allowed_hosts = ['pay.example.com'];
  const checkout = { allowed_hosts, external_url: 'https://pay.example.com/go?shop=1' };
  expect((await shop.patch('/settings', { checkout })).status).toBe(200);
  const { status, html, headers } = await locally(shopper).post('/demo/checkout', {
    _token: shopper.token() ?? '',
  });
  expect(status).toBe(200);
  // Chromium refuses to redirect a form to a host that the policy of its page doesn't name.
  expect(headers.get('refresh')).toMatch(/^0;url=https:\/\/pay\.example\.com\/go\?shop=1&/);
  expect(html).toMatch(/<a class="button" href="https:\/\/pay\.example\.com\/go\?shop=1&amp;[^"]+">/);
});

it('asks to check the new total where a price has risen since the cart was shown', async () => {
  const { shop, shopper } = await withMug();
  const plate = await stockedProduct(shop, { name: 'Plate', price: 10, stock: 9 });
  await add(shopper, plate);
  expect((await shop.patch(`/products/${plate.body.id}`, { price: 12 })).status).toBe(200);
  const { html } = await locally(shopper).post('/demo/checkout', { _token: shopper.token() ?? '' });
  expect(html).toContain('The total has risen. Check the cart, and go to checkout again.');
  expect(html).toContain('The price of Plate has changed from €10.00 to €12.00.');
});

it("shows a booked time in the zone of its place, as the product's page does", async () => {
  const shop = await demoShop();
  const slot = { from: '2099-05-01T09:00:00Z', to: '2099-05-01T10:30:00Z' };
  const { body } = await stockedProduct(shop, {
    name: 'Tour',
    type: 'booking',
    booking: { timezone: 'Europe/Berlin', slots: [{ ...slot, capacity: 4 }] },
  });
  const shopper = new Browser();
  const page = await shopper.get(`/demo/products/${body.id}`);
  expect(page.html).toMatch(/Time \(Europe\/Berlin\)[\s\S]*Fri, May 1, 2099, 11:00–12:30/);
  const chosen = '2099-05-01T09:00:00.000Z 2099-05-01T10:30:00.000Z';
  await shopper.submit(`/demo/products/${body.id}`, { quantity: '1', slot: chosen });
  expect(shopper.last.html).toContain('From: Fri, May 1, 2099, 11:00 (Europe/Berlin)');
  expect(shopper.last.html).toContain('To: Fri, May 1, 2099, 12:30 (Europe/Berlin)');
});
