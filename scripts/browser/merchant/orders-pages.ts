/** Orders and customers as a merchant works with them: views, filters, tags, notes, slips, export and erasure. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { client } from '../../dev/client.ts';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';
import { SLUG } from './super-admin.ts';

const EMAIL = 'dorothy@example.com';

/** A customer of the tenant with a saved address, who pays for two things. */
async function sell({ open, service, outside }: JourneyContext): Promise<void> {
  const platform = client(service.base, service.admin);
  const made = await platform<{ token: string }>('POST', `/admin/v1/tenants/${SLUG}/applications`, {
    name: 'Order desk',
    kind: 'integration',
  });
  const api = client(service.base, made.token);
  const product = async (body: object) =>
    (await api<{ id: number }>('POST', '/v1/products', { type: 'simple', stock: 5, ...body })).id;
  const logbook = await product({ name: 'Ship’s logbook', price: 18 });
  const compass = await product({ name: 'Brass compass', price: 42 });
  const { cart_token } = await api<{ cart_token: string }>('POST', '/v1/cart', {
    items: [
      { product_id: logbook, quantity: 2 },
      { product_id: compass, quantity: 1 },
    ],
  });
  const { token } = await api<{ token: string }>('POST', '/v1/customers/register', {
    email: EMAIL,
    password: 'three white dwarfs',
    name: 'Dorothy Hodgkin',
    cart_token,
  });
  const asCustomer = client(service.base, made.token, { 'X-Customer-Token': token });
  await asCustomer('POST', '/v1/customers/me/addresses', {
    label: 'Laboratory',
    country: 'DE',
    first_name: 'Dorothy',
    last_name: 'Hodgkin',
    line1: 'Elbchaussee 9',
    postal_code: '22765',
    city: 'Hamburg',
  });
  const { redirect_url } = await asCustomer<{ redirect_url: string }>('POST', '/v1/checkout/seamless', {
    cart_token,
    return_url: `${outside.url}/thanks`,
    cancel_url: `${outside.url}/cart`,
  });
  const page = await open();
  await page.goto(redirect_url);
  await pressButton(page, /^Pay €/);
  await page.waitForURL(`${outside.url}/thanks?**`);
}

/** The merchant narrows the list down, and takes it home as a file. */
async function findsOrder(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/orders');
  await followLink(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'To fulfil' }));
  assert.equal(await page.getByRole('combobox', { name: 'Payment' }).inputValue(), 'paid,partially_refunded');
  await inspect(page, 'orders-view');
  await page.getByRole('main').getByRole('searchbox').fill(EMAIL);
  await fill(page, { 'From (UTC)': '2020-01-01', 'Until (UTC)': '2099-12-31' });
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('total_desc');
  await pressButton(page, 'Search');
  await waitForText(page, '1 in total');
  await inspect(page, 'orders-filtered');
  const download = page.waitForEvent('download');
  await followLink(page.getByRole('link', { name: 'Export these orders as CSV' }));
  assert.equal((await download).suggestedFilename(), 'orders.csv');
  await followLink(page.getByRole('table').getByRole('link'));
  await waitForText(page, 'Brass compass');
}

/** The merchant tags the order, writes to a colleague, and prints what goes into the parcel. */
async function preparesParcel(page: Page, { inspect }: JourneyContext): Promise<void> {
  await fill(page, { 'Note to your colleagues': 'She collects the compass herself on Friday.' });
  await pressButton(page, 'Add note');
  await page.getByRole('listitem').getByText('She collects the compass').waitFor();
  await fill(page, { 'Tags of this order': 'VIP guest\ncollects' });
  await pressButton(page, 'Save tags');
  await inspect(page, 'order-noted');
  await followLink(page.getByRole('link', { name: 'Packing slip' }));
  await waitForText(page, 'Elbchaussee 9');
  assert.equal(await page.getByText('€').count(), 0, 'a packing slip has no prices');
  await page.getByRole('button', { name: 'Print' }).waitFor();
  await inspect(page, 'order-packing-slip');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false);
  await page.emulateMedia({ media: 'screen' });
  await page.goBack();
  await followLink(page.getByRole('link', { name: 'VIP guest' }));
  await waitForText(page, '1 in total');
  await followLink(page.getByRole('table').getByRole('link'));
}

/** The merchant finds the order and its customer from the side bar, then sends and archives the order from the list. */
async function sendsFromList(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('hodgkin');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor();
  await inspect(page, 'search');
  await page.goto('/developer/orders');
  await page.getByRole('row').filter({ hasText: 'Dorothy' }).getByRole('checkbox').check();
  await pressButton(page, 'Change selected');
  await page.getByLabel('Fulfil everything that is left').check();
  await page.getByLabel('Archive', { exact: true }).selectOption('yes');
  await inspect(page, 'orders-bulk');
  await pressButton(page, 'Change 1 order');
  await waitForText(page, 'Saved.');
  assert.equal(await page.getByText('Dorothy').count(), 0, 'an archived order is not among the open ones');
  await followLink(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Archived' }));
  await inspect(page, 'orders-archived');
  await followLink(page.getByRole('table').getByRole('link'));
  await pressButton(page, 'Open again');
  await waitForText(page, 'Saved.');
}

/** The merchant begins to cancel, reads what would happen, and keeps the order. */
async function keepsOrder(page: Page, { inspect }: JourneyContext): Promise<void> {
  await followLink(page.getByRole('link', { name: 'Cancel this order' }));
  await page.getByRole('button', { name: 'Cancel order' }).waitFor();
  await inspect(page, 'order-cancel');
  await followLink(page.getByRole('link', { name: 'Keep the order' }));
  await page.getByText('paid', { exact: true }).first().waitFor();
}

/** The merchant looks after a customer: corrects the name, hands over the data, and erases them when asked. */
async function looksAfterCustomer(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/customers');
  await inspect(page, 'customers');
  await page.getByRole('main').getByRole('searchbox').fill('hodg');
  await pressButton(page, 'Search');
  const list = page.waitForEvent('download');
  await followLink(page.getByRole('link', { name: 'Export these customers as CSV' }));
  assert.equal((await list).suggestedFilename(), 'customers.csv');
  await followLink(page.getByRole('link', { name: 'Dorothy Hodgkin' }));
  await waitForText(page, 'Elbchaussee 9');
  await inspect(page, 'customer');
  await fill(page, { Name: 'Dorothy Crowfoot Hodgkin', Phone: 'call me' });
  await pressButton(page, 'Save');
  await page.getByRole('alert').waitFor();
  await inspect(page, 'customer-wrong');
  await fill(page, { Phone: '+49 40 123456' });
  await pressButton(page, 'Save');
  await page.getByRole('heading', { name: 'Dorothy Crowfoot Hodgkin' }).waitFor();
  const download = page.waitForEvent('download');
  await followLink(page.getByRole('link', { name: 'Export all data' }));
  assert.match((await download).suggestedFilename(), /^customer-\d+\.json$/);
  await followLink(page.getByRole('link', { name: 'Erase this customer' }));
  const confirmation = "Type the customer's e-mail to confirm";
  await fill(page, { [confirmation]: 'somebody@example.com' });
  await pressButton(page, 'Erase customer');
  await waitForText(page, 'Nothing was erased.');
  await inspect(page, 'customer-erase');
  await fill(page, { [confirmation]: EMAIL });
  await pressButton(page, 'Erase customer');
  await waitForText(page, 'Removed.');
  await page.goto('/developer/customers?q=hodgkin');
  await waitForText(page, 'No customers found.');
  await inspect(page, 'customers-none-found');
}

/** A merchant works through an order and looks after its customer. */
export async function ordersAndCustomers(merchant: Page, context: JourneyContext): Promise<void> {
  await sell(context);
  await findsOrder(merchant, context);
  await preparesParcel(merchant, context);
  await sendsFromList(merchant, context);
  await keepsOrder(merchant, context);
  await looksAfterCustomer(merchant, context);
}
