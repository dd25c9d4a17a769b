import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser, fieldsOf } from '../support/fixtures/browser.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { demoShop } from '../support/fixtures/demo.ts';
import { checkoutPath, submitCheckout } from '../support/fixtures/selling/checkout.ts';
import { add, send } from './demo-steps.ts';

/** A form that is sent twice, by a double click, ends as if it was sent once. */

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

const ADDRESS = { first_name: 'Ada', last_name: 'Lovelace', line1: 'Kai 1', city: 'Hamburg', country: 'DE' };
const ADA = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };

async function signedIn(): Promise<Browser> {
  const shopper = new Browser();
  await send(shopper, '/demo/account/register', ADA);
  return shopper;
}

it('saves an address once', async () => {
  await demoShop();
  const ada = await signedIn();
  const path = '/demo/account/addresses/new';
  const fields = { ...fieldsOf((await ada.get(path)).html, path), ...ADDRESS };
  for (let n = 0; n < 2; n++) expect((await ada.post(path, fields)).status).toBe(303);
  expect((await ada.get('/demo/account/addresses')).html.match(/Kai 1/g)).toHaveLength(1);
});

it('sets a password once', async () => {
  const shop = await demoShop();
  await signedIn();
  const { token } = (await shop.post('/customers/password-resets', { email: ADA.email })).body;
  const shopper = new Browser();
  const path = `/demo/account/reset/${token}`;
  const fields = { ...fieldsOf((await shopper.get(path)).html, path), password: 'a better horse' };
  for (let n = 0; n < 2; n++) expect((await shopper.post(path, fields)).status).toBe(303);
});

it('removes a line of the cart, a code and an address once', async () => {
  const shop = await demoShop();
  await shop.post('/coupons', { code: 'HELLO10', kind: 'percent', value: 10 });
  const ada = await signedIn();
  for (const name of ['Cup', 'Pot']) await add(ada, await stockedProduct(shop, { name, stock: 9 }));
  await ada.submit('/demo/cart/coupon', { code: 'HELLO10' });
  const line = /action="(\/demo\/cart\/items\/\d+)\?/.exec(ada.last.html)?.[1];
  await send(ada, '/demo/account/addresses/new', ADDRESS);
  const saved = /href="(\/demo\/account\/addresses\/[^/"]+\/delete)"/.exec(ada.last.html)?.[1] ?? 'none';
  await ada.get('/demo/cart');
  for (const path of [`${line}/remove`, '/demo/cart/coupon/remove', saved]) {
    for (let n = 0; n < 2; n++) {
      const { status } = await ada.post(path, { code: 'HELLO10', quantity: '1' });
      expect([path, n, status]).toEqual([path, n, 303]);
    }
  }
});

it('adds again what is chosen on a page that the browser has kept', async () => {
  const shop = await demoShop();
  const shopper = new Browser();
  const { body } = await stockedProduct(shop, { name: 'Cup', stock: 9 });
  const path = `/demo/products/${body.id}`;
  const kept = fieldsOf((await shopper.get(path)).html, path);
  await shopper.submit(path, { ...kept, quantity: '1' });
  await shopper.submit(path, { ...kept, quantity: '2' });
  expect(shopper.last.html).toMatch(/name="quantity"[^>]* value="3"/);
});

it('puts a product into a new cart once, also when the second click comes with that cart', async () => {
  const shop = await demoShop();
  const shopper = new Browser();
  const { body } = await stockedProduct(shop, { name: 'Cup', stock: 9 });
  const path = `/demo/products/${body.id}`;
  const kept = fieldsOf((await shopper.get(path)).html, path);
  for (let n = 0; n < 2; n++) expect((await shopper.post(path, kept)).status).toBe(303);
  expect((await shopper.get('/demo/cart')).html).toMatch(/name="quantity"[^>]* value="1"/);
});

it('puts a product once into the new cart that replaces one which is ordered', async () => {
  const shop = await demoShop();
  const shopper = new Browser();
  const [pot, cup] = [
    await stockedProduct(shop, { name: 'Pot' }),
    await stockedProduct(shop, { name: 'Cup' }),
  ];
  await add(shopper, pot);
  const path = `/demo/products/${cup.body.id}`;
  const kept = fieldsOf((await shopper.get(path)).html, path);
  await submitCheckout(await checkoutPath(shop, shopper.cookies.get('sfe-demo-cart') ?? ''), 'decline');
  for (let n = 0; n < 2; n++) expect((await shopper.post(path, kept)).status).toBe(303);
  expect((await shopper.get('/demo/cart')).html).toMatch(/name="quantity"[^>]* value="1"/);
});

it('saves what a form sends whose key no header can carry', async () => {
  const shop = await demoShop();
  const cup = await stockedProduct(shop, { name: 'Cup', stock: 9 });
  const ada = new Browser();
  const sendWithKey = async (path: string, fields: Record<string, string>) => {
    const shown = fieldsOf((await ada.get(path)).html, path);
    return (await ada.post(path, { ...shown, ...fields, _once: 'a\nb' })).status;
  };
  expect(await sendWithKey('/demo/account/register', ADA)).toBe(303);
  expect(await sendWithKey(`/demo/products/${cup.body.id}`, {})).toBe(303);
  expect(await sendWithKey('/demo/account/addresses/new', ADDRESS)).toBe(303);
});
