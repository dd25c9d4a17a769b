/** What happens to an order after its payment: parcels, a refund, and what the shopper sees of them. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { client } from '../../dev/client.ts';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';
import { SLUG } from './super-admin.ts';

const STANDARD = { id: 'standard', name: 'Standard parcel', price: 4.9, min_days: 2, max_days: 4 };
const EXPRESS = {
  id: 'express',
  name: 'Express',
  description: 'With a signature',
  countries: ['DE', 'AT'],
  price: 12.5,
  max_days: 1,
};
const HOME = {
  label: 'Home',
  country: 'DE',
  first_name: 'Rosalind',
  last_name: 'Franklin',
  line1: 'Speicherstrasse 7',
  postal_code: '20457',
  city: 'Hamburg',
};
const WORK = { ...HOME, label: 'Work', line1: 'Am Kaiserkai 1' };
const TRACKING = 'https://carrier.example.com/parcels/0034-7';

/** An application of the tenant's own that may do anything. */
async function integration({ service }: JourneyContext) {
  const platform = client(service.base, service.admin);
  const made = await platform<{ token: string }>('POST', `/admin/v1/tenants/${SLUG}/applications`, {
    name: 'Warehouse floor',
    kind: 'integration',
  });
  return { token: made.token, api: client(service.base, made.token) };
}

/** A customer with two saved addresses, and a cart that two promotions reduce; returns the URL of their checkout page. */
async function customerCheckout(context: JourneyContext): Promise<string> {
  const { service, outside } = context;
  const { token, api } = await integration(context);
  await api('PATCH', '/v1/settings', { shipping: { methods: [STANDARD, EXPRESS] } });
  const product = async (name: string, price: number) =>
    (await api<{ id: number }>('POST', '/v1/products', { type: 'simple', name, price, stock: 10 })).id;
  const [chart, table] = [await product('Harbour chart, folded', 12), await product('Tide table', 8.5)];
  const terms = { combinable: true, conditions: { product_ids: [chart, table] } };
  for (const promotion of [
    { name: 'Chart week', trigger: 'automatic', effect: { kind: 'percent', value: 10 }, priority: 1 },
    { name: 'Two off', trigger: 'code', code: 'TIDE', effect: { kind: 'fixed', value: 2 } },
  ]) {
    await api('POST', '/v1/promotions', { ...promotion, ...terms });
  }
  const { cart_token } = await api<{ cart_token: string }>('POST', '/v1/cart', {
    items: [
      { product_id: chart, quantity: 3 },
      { product_id: table, quantity: 1 },
    ],
  });
  await api('POST', `/v1/cart/${cart_token}/coupon`, { code: 'tide' });
  const registered = await api<{ token: string }>('POST', '/v1/customers/register', {
    email: 'rosalind@example.com',
    password: 'exposure number 51',
    name: 'Rosalind Franklin',
    cart_token,
  });
  const headers = { 'X-Customer-Token': registered.token };
  const asCustomer = client(service.base, token, headers);
  for (const address of [HOME, WORK]) await asCustomer('POST', '/v1/customers/me/addresses', address);
  const departure = { cart_token, return_url: `${outside.url}/thanks`, cancel_url: `${outside.url}/cart` };
  return (await asCustomer<{ redirect_url: string }>('POST', '/v1/checkout/seamless', departure))
    .redirect_url;
}

/** The shopper chooses an address and one of two shipping methods, leaves a note, and pays; returns their page. */
async function choosesAndPays(context: JourneyContext, checkout: string): Promise<Page> {
  const { open, inspect, outside } = context;
  const page = await open();
  await page.goto(checkout);
  await page.getByRole('radio', { name: /^Work/ }).check();
  await pressButton(page, 'Use this address');
  assert.equal(await page.getByLabel('Street and number').inputValue(), WORK.line1);
  assert.ok(await page.getByRole('radio', { name: /^Standard parcel 2 to 4 days €4\.90/ }).isChecked());
  for (const deducted of ['Discount (Chart week)', 'Discount (Two off, TIDE)'])
    await waitForText(page, deducted);
  await inspect(page, 'checkout-methods');
  await page.getByRole('radio', { name: /^Express/ }).check();
  await pressButton(page, 'Update totals');
  await waitForText(page, 'Shipping to Germany (Express)');
  assert.ok(await page.getByRole('radio', { name: /^Express/ }).isChecked());
  await pressButton(page, 'Use a different billing address');
  await fill(page, { 'Note to the shop (optional)': 'Please ring twice.' });
  await inspect(page, 'checkout-billing');
  await pressButton(page, /^Pay €50\.55/);
  await page.waitForURL(`${outside.url}/thanks?**`);
  return page;
}

/** Shows the shopper's page of the paid order. */
async function seeThanks(page: Page, checkout: string): Promise<void> {
  await page.goto(`${checkout}/thanks`);
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
}

/** The merchant finds the order by the shopper's name. */
async function findOrder(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/orders');
  await page.getByRole('main').getByRole('searchbox').fill('nobody of this name');
  await pressButton(page, 'Search');
  await waitForText(page, 'No orders found.');
  await inspect(page, 'orders-none-found');
  await page.getByRole('main').getByRole('searchbox').fill('franklin');
  await page.getByLabel('Fulfilment').selectOption('unfulfilled');
  await pressButton(page, 'Search');
  const found = page.getByRole('table').getByRole('link');
  assert.equal(await found.count(), 1);
  await inspect(page, 'orders-found');
  await followLink(found);
  await waitForText(page, 'Please ring twice.');
  await waitForText(page, 'Chart week');
  await inspect(page, 'order-to-fulfil');
}

/** The merchant sends one chart, then the rest with tracking. */
async function fulfilInTwo(page: Page, { inspect }: JourneyContext): Promise<void> {
  const fulfil = (name: string) => page.getByLabel(`Fulfil of ${name}`);
  await followLink(page.getByRole('link', { name: 'Fulfil items' }));
  await inspect(page, 'order-fulfil');
  await page.evaluate('for (const form of document.forms) form.noValidate = true');
  await fulfil('Harbour chart, folded').fill('4');
  await pressButton(page, 'Fulfil');
  await page
    .getByRole('alert')
    .getByRole('link', { name: /^Fulfil of Harbour chart, folded: / })
    .waitFor();
  await inspect(page, 'order-too-many');
  await fulfil('Harbour chart, folded').fill('1');
  await fulfil('Tide table').fill('0');
  await pressButton(page, 'Fulfil');
  await waitForText(page, 'partially fulfilled');
  await inspect(page, 'order-partly-fulfilled');
  await followLink(page.getByRole('link', { name: 'Fulfil items' }));
  assert.equal(await fulfil('Harbour chart, folded').inputValue(), '2');
  await fill(page, { Carrier: 'DHL', 'Tracking number': '0034-7', 'Tracking page': TRACKING });
  await pressButton(page, 'Fulfil');
  await page.getByText('fulfilled', { exact: true }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'DHL 0034-7' }).getAttribute('href'), TRACKING);
  await pressButton(page, 'Mark delivered fulfilment 1');
  await page.getByText('delivered', { exact: true }).waitFor();
  await inspect(page, 'order-all-fulfilled');
}

/** The merchant chooses to refund the tide table, then confirms the amount on a page of its own. */
async function refundOneLine(page: Page, { inspect }: JourneyContext): Promise<void> {
  await followLink(page.getByRole('link', { name: 'Refund all or a part' }));
  await page.getByRole('option', { name: 'Everything that is left: €50.55' }).waitFor({ state: 'attached' });
  await inspect(page, 'refund');
  await page.getByLabel('Refund', { exact: true }).selectOption('part');
  await page.getByLabel('Refund of Tide table').fill('1');
  await inspect(page, 'refund-line');
  await pressButton(page, 'Continue');
  await page.getByRole('heading', { name: /^Refund €7\.27 of order / }).waitFor();
  await inspect(page, 'refund-confirm');
  await followLink(page.getByRole('link', { name: 'Change what is refunded' }));
  assert.equal(await page.getByLabel('Refund of Tide table').inputValue(), '1');
  await pressButton(page, 'Continue');
  await page.getByLabel('Reason').fill('Water damage');
  await pressButton(page, 'Refund €7.27');
  await waitForText(page, 'The refund is requested.');
  await page.getByText('partially refunded', { exact: true }).first().waitFor();
  await page
    .getByRole('region', { name: 'Refunds' })
    .getByText('succeeded', { exact: true })
    .first()
    .waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' }).first();
  const happened = await timeline.getByRole('listitem').locator('strong').allTextContents();
  assert.deepEqual(happened, ['Refunded', 'Edited', 'Fulfilled', 'Fulfilled', 'Paid', 'Placed']);
  await timeline.getByText('2 × Harbour chart, folded, 1 × Tide table').waitFor();
  await inspect(page, 'order-partly-refunded');
}

/** The merchant makes a product feed, sees what it leaves out, and deletes it. */
async function makeFeed(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/feeds');
  await inspect(page, 'feeds-none');
  await followLink(page.getByRole('link', { name: 'address of a product in your shop' }));
  await page.getByLabel('Address of a product in your shop').fill('https://books.example.com/p/{slug}');
  await pressButton(page, 'Save');
  await waitForText(page, 'Saved.');
  await page.goto('/developer/feeds');
  await page.getByLabel('Format').selectOption('jsonl');
  await pressButton(page, 'Create feed');
  await page.getByRole('heading', { name: 'Product feed (jsonl)' }).waitFor();
  await inspect(page, 'feed');
  const feed = await page.request.get(await page.getByLabel('Address').inputValue());
  assert.equal(feed.status(), 200);
  await page.goto('/developer/feeds');
  await inspect(page, 'feeds');
  await followLink(page.getByRole('table').getByRole('link').first());
  await followLink(page.getByRole('link', { name: 'Delete feed' }));
  await inspect(page, 'feed-delete');
  await pressButton(page, 'Delete feed');
  await waitForText(page, 'No product feeds yet.');
}

/** A shopper buys with a shipping method; the merchant fulfils in two parcels, and refunds a line. */
export async function afterPayment(merchant: Page, context: JourneyContext): Promise<void> {
  const { open, inspect } = context;
  const checkout = await customerCheckout(context);
  const shopper = await choosesAndPays(context, checkout);
  await seeThanks(shopper, checkout);
  await inspect(shopper, 'thanks-before-shipping');
  await findOrder(merchant, context);
  await fulfilInTwo(merchant, context);
  await refundOneLine(merchant, context);
  await makeFeed(merchant, context);
  await seeThanks(shopper, checkout);
  const parcel = shopper.getByRole('link', { name: 'DHL 0034-7' });
  assert.equal(await parcel.getAttribute('href'), TRACKING);
  await inspect(shopper, 'thanks');
  const stranger = await open();
  await seeThanks(stranger, checkout);
  assert.equal(await stranger.getByText('DHL').count(), 0);
  await inspect(stranger, 'thanks-elsewhere');
}
