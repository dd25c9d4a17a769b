import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import { Browser, fieldsOf } from '../../support/fixtures/browser.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { demoShop } from '../../support/fixtures/demo.ts';
import { checkoutPath, submitCheckout } from '../../support/fixtures/selling/checkout.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

const EMAIL = 'ada@example.com';

/** A browser in which a customer has just registered. */
async function registered(email = EMAIL): Promise<Browser> {
  const shopper = new Browser();
  await shopper.get('/demo/account/register');
  await shopper.submit('/demo/account/register', { name: 'Ada', email, password: 'correct horse' });
  return shopper;
}

const HOME = {
  label: 'Home',
  first_name: 'Ada',
  last_name: 'Lovelace',
  line1: 'Kai 1',
  city: 'Hamburg',
  country: 'DE',
};

it('keeps what was typed of an address when the session has ended, until it is sent by a new one', async () => {
  await demoShop();
  const ada = await registered();
  await ada.get('/demo/account/addresses/new');
  await ada.submit('/demo/account/addresses/new', HOME);
  const home = /href="(\/demo\/account\/addresses\/[^/"]+)"/.exec(
    ada.last.html.replaceAll('/addresses/new', ''),
  )?.[1];
  for (const path of ['/demo/account/addresses/new', home ?? 'none']) {
    await ada.get(path);
    ada.cookies.set('sfe-demo-customer', `cs_${'x'.repeat(32)}`);
    const ended = await ada.submit(path, { ...HOME, line1: 'Kai 22' });
    expect(ended.status).toBe(401);
    expect(ended.html).toMatch(/Your session has ended[\s\S]*value="Kai 22"/);
    const tab = new Browser();
    await tab.get('/demo/account/login');
    await tab.submit('/demo/account/login', { email: EMAIL, password: 'correct horse' });
    ada.cookies.set('sfe-demo-customer', tab.cookies.get('sfe-demo-customer') ?? '');
    await ada.submit(path, fieldsOf(ended.html, path));
    expect(ada.last.html).toContain('Kai 22');
    expect(ada.last.html).toContain('Your addresses');
  }
});

it('keeps addresses: adds, edits, makes one the default, and deletes after asking', async () => {
  await demoShop();
  const ada = await registered();
  expect((await ada.get('/demo/account/addresses')).html).toContain('No addresses yet.');
  await ada.get('/demo/account/addresses/new');
  const wrong = await ada.submit('/demo/account/addresses/new', { ...HOME, country: '' });
  expect(wrong.html).toMatch(/#f-country">Country: [\s\S]*value="Kai 1"/);
  await ada.submit('/demo/account/addresses/new', HOME);
  expect(ada.last.html).toMatch(/Home [\s\S]*Default[\s\S]*Ada Lovelace[\s\S]*Germany/);
  await ada.get('/demo/account/addresses/new');
  await ada.submit('/demo/account/addresses/new', { ...HOME, label: 'Work', city: 'Bremen' });

  const work = /action="(\/demo\/account\/addresses\/[^/"]+)\/default"/.exec(ada.last.html)?.[1] ?? 'none';
  await ada.submit(`${work}/default`, {});
  const { html } = await ada.get(work);
  const fields = fieldsOf(html, work);
  expect(fields).toMatchObject({ label: 'Work', city: 'Bremen', country: 'DE' });
  await ada.submit(work, { ...fields, city: 'Kiel', label: '' });
  expect(ada.last.html).toMatch(/Kiel/);
  expect(ada.last.html).not.toMatch(/Bremen|>Work/);
  expect((await ada.get(`${work}/delete`)).html).toMatch(/Kiel[\s\S]*Delete address/);
  await ada.submit(`${work}/delete`, {});
  expect(ada.last.html).not.toContain('Kiel');
  expect((await ada.get(work)).status).toBe(404);
  // Another customer's address does not exist.
  const eve = await registered('eve@example.com');
  const hers = /href="(\/demo\/account\/addresses\/[^/"]+)\/delete"/.exec(
    (await ada.get('/demo/account/addresses')).html,
  );
  expect((await eve.get(hers?.[1] ?? 'none')).status).toBe(404);
});

it('shows each line of an address in the direction of its script', async () => {
  await demoShop();
  const ada = await registered();
  await ada.get('/demo/account/addresses/new');
  await ada.submit('/demo/account/addresses/new', {
    ...HOME,
    line1: 'شارع الملك فهد 12',
    postal_code: '10117',
  });
  // As a whole from right to left, a city would stand before its postal code.
  expect(ada.last.html).toMatch(/<address><bdi>[\s\S]*<bdi>شارع الملك فهد 12<\/bdi><br\/><bdi>10117 /);
});

it('shows an order with its parcels and downloads, to its customer only', async () => {
  const shop = await demoShop();
  const ada = await registered();
  const links = [{ title: 'Maps', price: 0, url: 'https://files.example.com/maps.zip' }];
  const book = (await stockedProduct(shop, { name: 'Book', type: 'downloadable', links })).body;
  const mug = (await stockedProduct(shop, { name: 'Mug' })).body;
  for (const { id } of [book, mug]) {
    await ada.get(`/demo/products/${id}`);
    await ada.submit(`/demo/products/${id}`, fieldsOf(ada.last.html, `/demo/products/${id}`));
  }
  const cart = ada.cookies.get('sfe-demo-cart') ?? '';
  await submitCheckout(await checkoutPath(shop, cart), 'pay');
  const list = await ada.get('/demo/account');
  const path = /href="(\/demo\/account\/orders\/[^"]+)"/.exec(list.html)?.[1] ?? 'none';
  const before = await ada.get(path);
  expect(before.html).toMatch(/Order 1001[\s\S]*>Download Maps<[\s\S]*Your order is being prepared\./);
  const { id } = (await shop.get('/orders')).body.data[0];
  const tracking = { carrier: 'DHL', number: '0034', url: 'https://carrier.example.com/0034' };
  expect((await shop.post(`/orders/${id}/fulfilments`, { tracking })).status).toBe(201);
  const after = await ada.get(path);
  expect(after.html).toMatch(/Shipped on[\s\S]*href="https:\/\/carrier\.example\.com\/0034">DHL 0034</);
  const eve = await registered('eve@example.com');
  expect((await eve.get(path)).status).toBe(404);
  expect((await new Browser().get(path)).headers.get('location')).toBe(
    `/demo/account/login?next=${encodeURIComponent(path)}`,
  );
});

it('says when a parcel was shipped and delivered, also after its tracking was changed', async () => {
  const shop = await demoShop();
  const ada = await registered();
  const mug = (await stockedProduct(shop, { name: 'Mug' })).body;
  await ada.get(`/demo/products/${mug.id}`);
  await ada.submit(`/demo/products/${mug.id}`, fieldsOf(ada.last.html, `/demo/products/${mug.id}`));
  await submitCheckout(await checkoutPath(shop, ada.cookies.get('sfe-demo-cart') ?? ''), 'pay');
  const { id } = (await shop.get('/orders')).body.data[0];
  const parcel = (await shop.post(`/orders/${id}/fulfilments`, {})).body;
  moveClock(3 * DAY);
  const path = `/orders/${id}/fulfilments/${parcel.id}`;
  expect((await shop.patch(path, { tracking: { number: '0034' } })).status).toBe(200);
  const { html } = await ada.get(`/demo/account/orders/${id}`);
  expect(/Shipped on <time datetime="([^"]+)"/.exec(html)?.[1]).toBe(parcel.created_at);
  const { delivered_at } = (await shop.patch(path, { status: 'delivered' })).body;
  moveClock(3 * DAY);
  expect((await shop.patch(path, { tracking: { number: '0035' } })).status).toBe(200);
  const arrived = (await ada.get(`/demo/account/orders/${id}`)).html;
  expect(/Delivered on <time datetime="([^"]+)"/.exec(arrived)?.[1]).toBe(delivered_at);
});

it('sets a new password by a link of the shop, once', async () => {
  const shop = await demoShop();
  await registered();
  const { token } = (await shop.post('/customers/password-resets', { email: EMAIL })).body;
  const shopper = new Browser();
  const path = `/demo/account/reset/${token}`;
  await shopper.get(path);
  await shopper.submit(path, { password: 'a better horse' });
  expect(shopper.last.html).toMatch(/You are signed in\.[\s\S]*ada@example\.com/);
  const again = new Browser();
  await again.get(path);
  expect((await again.submit(path, { password: 'another horse' })).html).toContain('no longer valid');
});
