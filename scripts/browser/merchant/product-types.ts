import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';

const NEW = '/developer/products/new';

/** Opens the form of a new product of a type, by its name on the page of types. */
async function openNew(page: Page, type: string): Promise<void> {
  await page.goto(NEW);
  await followLink(page.getByRole('link', { name: type, exact: true }));
  await page.getByLabel('Name', { exact: true }).waitFor();
}

/** Fills in the price, in the shop's first currency. */
const fillPrice = (page: Page, amount: string): Promise<void> =>
  page
    .getByLabel(/^Price \(/)
    .first()
    .fill(amount);

/** Opens a tab of the product's pages. */
const openTab = (page: Page, name: string): Promise<void> =>
  followLink(page.getByRole('navigation', { name: 'Product' }).getByRole('link', { name, exact: true }));

/** Looks at the filled form of a new product, and creates it. */
async function create(page: Page, { inspect }: JourneyContext, name: string): Promise<void> {
  await inspect(page, `products-new-${name}`);
  await pressButton(page, 'Create product');
  await waitForText(page, 'Created.');
}

/** Makes products that stand alone: a simple and a virtual one, and a download. */
async function singleProducts(page: Page, context: JourneyContext): Promise<void> {
  await openNew(page, 'Simple product');
  await fill(page, { Name: 'Espresso cup', 'Stock that can be sold': '12' });
  await fillPrice(page, '18');
  await create(page, context, 'simple');
  await openNew(page, 'Virtual product');
  await fill(page, { Name: 'Kiln firing' });
  await fillPrice(page, '25');
  await create(page, context, 'virtual');
  await openNew(page, 'Download');
  await fill(page, {
    Name: 'Glaze recipes',
    Title: 'Book',
    'Address of the file': 'https://files.example.com/glazes.pdf',
  });
  await fillPrice(page, '9');
  await create(page, context, 'download');
  await openTab(page, 'Files');
  await context.inspect(page, 'products-files');
}

/** Makes a group and a bundle of the espresso cup. */
async function setsOfCups(page: Page, context: JourneyContext): Promise<void> {
  for (const [type, tab] of [
    ['Group', 'Products'],
    ['Bundle', 'Choices'],
  ] as const) {
    await openNew(page, type);
    await fill(page, { Name: `${type} of cups` });
    await fillPrice(page, '30');
    if (type === 'Bundle') await fill(page, { Title: 'Cup' });
    await page.getByLabel('Search products by name or SKU').fill('espresso');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByLabel(/^Espresso cup/).check();
    await create(page, context, type.toLowerCase());
    await openTab(page, tab);
    await context.inspect(page, `products-${tab.toLowerCase()}`);
  }
  await followLink(page.getByRole('link', { name: '1 product' }));
  await waitForText(page, 'Espresso cup');
  await context.inspect(page, 'products-choice');
}

/** Makes a course that is booked by its time slots. */
async function bookableCourse(page: Page, context: JourneyContext): Promise<void> {
  await openNew(page, 'Booking');
  await fill(page, { Name: 'Throwing course', 'Time zone': 'Europe/Berlin', 'First day': '2030-05-06' });
  await fill(page, { 'Last day': '2030-05-12', 'Begins at': '18:00', Minutes: '120', 'Places in each': '8' });
  await page.getByLabel('Monday').check();
  await page.getByLabel('Thursday').check();
  await fillPrice(page, '60');
  await create(page, context, 'booking');
  await openTab(page, 'Time slots');
  assert.equal(await page.getByLabel('From', { exact: true }).first().inputValue(), '2030-05-06T18:00');
  await context.inspect(page, 'products-slots');
}

/** Makes products of each type that the newcomer does not have yet. */
export async function everyOtherType(page: Page, context: JourneyContext): Promise<void> {
  await singleProducts(page, context);
  await setsOfCups(page, context);
  await bookableCourse(page, context);
}
