/** The question before a form is left, in a Chromium, on a page of its own: scripts/panel/parts/forms/unsaved.js. */
import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openChromium } from '../screen.ts';
import { waitUntil } from './on-page.ts';

const script = readFileSync(join(import.meta.dirname, '../../panel/parts/forms/unsaved.js'), 'utf8');

const html = `<form method="post" action="/save" data-unsaved><input name="price" aria-label="Price" value="4">
  <button>Save</button></form><form method="post" action="/up" aria-busy><button>Move up</button></form>`;

test('another form of the page does not throw away what was typed', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    const [asked, sent]: [string[], string[]] = [[], []];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.dismiss();
    });
    await page.route('**/*', (route) => {
      if (route.request().method() === 'POST') sent.push(new URL(route.request().url()).pathname);
      return route.fulfill({ contentType: 'text/html', body: html });
    });
    await page.goto('http://panel.test/form');
    await page.addScriptTag({ content: script });
    await page.getByLabel('Price').fill('5');
    await page.getByRole('button', { name: 'Move up' }).click();
    await waitUntil(page, () => asked.length > 0);
    // What is kept back would have been sent by then.
    await page.waitForTimeout(300);
    deepEqual([asked, sent], [['beforeunload'], []]);
    deepEqual(await page.getByLabel('Price').inputValue(), '5');
    // The form that was kept back is not busy.
    await page.locator('[aria-busy]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await waitUntil(page, () => sent.length > 0);
    deepEqual([asked, sent], [['beforeunload'], ['/save']]);
  } finally {
    await chromium.close();
  }
});
