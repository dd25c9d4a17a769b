/** The pages of the catalogue besides the product editor: imports, the product list, categories and media. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { drawPicture } from '../../pictures/index.ts';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';

const HEADER =
  'Handle,Title,Vendor,Product Category,Tags,Variant SKU,Variant Price,Variant Inventory Qty,Variant Inventory Tracker,Status';

/** A line of the file: a vase of its number. */
const vase = (n: number, price: string, quantity: string): string =>
  `vase-${n},Vase No. ${n},Studio Rie,Home > Vases,"tall, glazed",VASE-${n},${price},${quantity},shopify,active`;

const GOOD_LINES = Array.from({ length: 14 }, (_, n) => vase(n + 1, `${20 + n}.50`, String(n)));
const FAULTY_LINES = [vase(15, 'cheap', '5'), vase(16, '30.00', 'some')];
const FILE = [HEADER, ...GOOD_LINES, ...FAULTY_LINES].join('\n');

const linkTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const pictureOf = (sku: string): Buffer => drawPicture(sku).png;

/** Follows a link to a file and returns its text. */
async function download(page: Page, link: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return readFile(await file.path(), 'utf8');
}

/** Uploads the file; `only` names the box that is ticked. */
async function upload(page: Page, only?: RegExp): Promise<void> {
  await page.goto('/developer/imports');
  const file = { name: 'vases.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) };
  await page.getByLabel('CSV file').setInputFiles(file);
  if (only) await page.getByLabel(only).check();
  await pressButton(page, 'Upload and import');
  await page.getByText('done', { exact: true }).waitFor({ timeout: 60_000 });
}

/** Checks a file, downloads its errors, and imports what is right. */
async function importVases(page: Page, { inspect }: JourneyContext): Promise<void> {
  await upload(page, /^Only check the file/);
  await waitForText(page, 'Nothing is written');
  await inspect(page, 'catalogue-dry-run');
  const errors = await download(page, linkTo(page, 'Download the errors as CSV'));
  const [head, ...lines] = errors.trim().split('\r\n');
  assert.equal(head, 'line,sku,field,message');
  assert.match(lines[0] ?? '', /^16,VASE-15,Variant Price,/);
  assert.match(lines[1] ?? '', /^17,VASE-16,Variant Inventory Qty,/);
  await page.goto('/developer/products?q=vase');
  await waitForText(page, 'No products found');
  await upload(page);
  await inspect(page, 'catalogue-import-errors');
  await page.goto(`${page.url()}?page=99`);
  await waitForText(page, 'There is no page 99');
}

/** Returns the names in the list of products, in order. */
const names = (page: Page): Promise<string[]> => page.locator('.product a').allTextContents();

/** Filters and sorts the list, and looks at a page past its end. */
async function filterProducts(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/products');
  await page.getByLabel('Vendor', { exact: true }).fill('Studio Rie');
  await page.getByLabel('Tag', { exact: true }).fill('tall');
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('price_desc');
  await pressButton(page, 'Search');
  await waitForText(page, '14 in total');
  assert.equal((await names(page))[0], 'Vase No. 14');
  await inspect(page, 'catalogue-filtered');
  await page.getByRole('combobox', { name: 'Stock' }).selectOption('out');
  await pressButton(page, 'Search');
  await waitForText(page, '1 in total');
  assert.deepEqual(await names(page), ['Vase No. 1']);
  await page.goto('/developer/products?tag=tall&page=99');
  await waitForText(page, 'There is no page 99');
  await inspect(page, 'catalogue-past-end');
  await followLink(page.getByRole('link', { name: /^Go to the last page/ }));
  assert.equal((await names(page)).length, 2);
}

/** Changes some products by ticking them and all others by their filters, then downloads the catalogue. */
async function changeTogether(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/products?q=vase&sort=name_asc');
  const selected = page.locator('[name=ids]:checked');
  const all = page.getByRole('checkbox', { name: 'Select all' });
  await all.check();
  assert.ok((await selected.count()) > 2);
  await all.uncheck();
  assert.equal(await selected.count(), 0);
  for (const name of ['Vase No. 1', 'Vase No. 10']) {
    await page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }).check();
  }
  await pressButton(page, 'Change selected');
  await inspect(page, 'catalogue-bulk');
  await page.getByLabel('Status', { exact: true }).selectOption('inactive');
  await pressButton(page, 'Change 2 products');
  await waitForText(page, '2 changed');
  await inspect(page, 'catalogue-bulk-done');
  await page.goto('/developer/products?q=vase&status=active');
  await followLink(page.getByRole('link', { name: 'Change all 12' }));
  await page.getByLabel('Prices', { exact: true }).selectOption('raise_percent');
  await page.getByLabel(/^Amount \(/).fill('10');
  await page.getByRole('group', { name: 'Add to categories' }).getByLabel('Bowls').check();
  await pressButton(page, 'Change 12 products');
  await waitForText(page, '12 changed');
  await page.goto('/developer/products');
  const file = await download(page, linkTo(page, 'Export'));
  assert.match(file, /^\ufeffHandle,Title,.*\r\n/);
  assert.match(file, /vase-2,Vase No\. 2,.*23\.65/);
}

const categoryRow = (page: Page, name: string): Locator => page.locator('tr', { hasText: name });

/** Makes categories, moves them by button and by mouse, edits one, and deletes one after being asked. */
async function growTree(page: Page, { inspect }: JourneyContext): Promise<void> {
  for (const name of ['Plates', 'Mugs', 'Teapots']) {
    await page.goto('/developer/categories/new');
    await fill(page, { Name: name });
    if (name === 'Plates') await inspect(page, 'catalogue-new-category');
    await pressButton(page, 'Create category');
    await waitForText(page, 'Created.');
  }
  const order = async () => (await page.locator('.branch > a:first-child').allTextContents()).join(' ');
  const before = await order();
  await pressButton(page, 'Move Plates up');
  await waitForText(page, 'Moved.');
  assert.notEqual(await order(), before);
  await categoryRow(page, 'Teapots').dragTo(categoryRow(page, 'Mugs'));
  await page.locator('.level-1', { hasText: 'Teapots' }).waitFor();
  await inspect(page, 'catalogue-categories');
  await followLink(linkTo(page, 'Mugs'));
  const second = await page.context().newPage();
  await second.goto(page.url());
  await fill(page, { Name: 'Mugs and cups' });
  await pressButton(page, 'Save');
  await waitForText(page, 'Saved.');
  await fill(second, { Name: 'Beakers' });
  await pressButton(second, 'Save');
  await waitForText(second, 'Mugs and cups');
  await inspect(second, 'catalogue-category-conflict');
  await pressButton(second, 'Take theirs');
  await second.close();
  await inspect(page, 'catalogue-category');
  await followLink(linkTo(page, 'Delete category'));
  await inspect(page, 'catalogue-delete-category');
  await pressButton(page, 'Delete category');
  await waitForText(page, 'Removed.');
}

/** Uploads a picture that nothing shows, and deletes it after being asked. */
async function keepMedia(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/media');
  const file = { name: 'mill.png', mimeType: 'image/png', buffer: pictureOf('BRW-MILL') };
  await page.getByLabel('Picture', { exact: true }).setInputFiles(file);
  await pressButton(page, 'Upload');
  await waitForText(page, 'Created.');
  await inspect(page, 'catalogue-media');
  await followLink(page.locator('tbody tr').first().getByRole('link').first());
  await waitForText(page, 'No product shows it');
  await followLink(linkTo(page, 'Delete picture'));
  await inspect(page, 'catalogue-delete-picture');
  await pressButton(page, 'Delete picture');
  await waitForText(page, 'Removed.');
}

/** Describes a picture where the media are, and sees the text at the product that shows it. */
async function describePicture(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/media');
  await followLink(page.locator('tbody tr').first().getByRole('link').first());
  await fill(page, { 'In Vase No. 3': 'A vase on a shelf' });
  await pressButton(page, 'Save');
  await waitForText(page, 'Saved.');
  await inspect(page, 'catalogue-picture');
  await page.goto('/developer/products?q=vase-3');
  await followLink(page.locator('.product a').first());
  assert.equal(await page.getByRole('img', { name: 'A vase on a shelf' }).count(), 1);
}

/** Drops files onto an element, as from a folder of the desktop. */
async function dropFiles(page: Page, target: Locator, skus: readonly string[]): Promise<void> {
  const files = skus.map((sku) => ({ name: `${sku}.png`, base64: pictureOf(sku).toString('base64') }));
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of ${JSON.stringify(files)}) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: 'image/png' }));
    }
    return transfer;
  })()`);
  for (const event of ['dragover', 'drop']) await target.dispatchEvent(event, { dataTransfer });
}

/** Drops pictures on a product, drags the last one to the front, and is warned before leaving unsaved. */
async function dragPictures(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/products?q=vase-3');
  await followLink(page.locator('.product a').first());
  await followLink(page.getByRole('navigation', { name: 'Product' }).getByRole('link', { name: 'Pictures' }));
  await dropFiles(page, page.locator('[data-drop]'), ['WRK-POTT', 'BRW-PAPR', 'BRW-SCAL']);
  await pressButton(page, 'Save pictures');
  await waitForText(page, 'Saved.');
  // The expression lists the addresses of pictures.
  const order = async () =>
    (await page.evaluate(
      `[...document.querySelectorAll('.entry .thumb')].map(({ src }) => src)`,
    )) as string[];
  const [first, second, third] = await order();
  await page
    .locator('.entry')
    .nth(2)
    .dragTo(page.locator('.entry').first(), {
      sourcePosition: { x: 4, y: 4 },
      targetPosition: { x: 4, y: 4 },
    });
  assert.deepEqual(await order(), [third, first, second]);
  const asked = page.waitForEvent('dialog');
  const leave = page.getByRole('link', { name: 'Products', exact: true }).first().click();
  const dialog = await asked;
  assert.equal(dialog.type(), 'beforeunload', 'nobody is warned that the order is not saved');
  await dialog.dismiss();
  await leave;
  await pressButton(page, 'Save pictures');
  await waitForText(page, 'Saved.');
  assert.deepEqual(await order(), [third, first, second]);
  await inspect(page, 'catalogue-pictures');
}

/** Imports, filters, edits and exports products, arranges categories, uploads pictures. It takes the category Bowls. */
export async function cataloguePages(page: Page, context: JourneyContext): Promise<void> {
  await importVases(page, context);
  await filterProducts(page, context);
  await changeTogether(page, context);
  await growTree(page, context);
  await keepMedia(page, context);
  await dragPictures(page, context);
  await describePicture(page, context);
}
