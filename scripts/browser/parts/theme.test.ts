/** The live preview of the theme page, in a Chromium, on a page of its own: scripts/panel/parts/pages/theme.js. */
import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openChromium } from '../screen.ts';
import { waitUntil } from './on-page.ts';

const script = readFileSync(join(import.meta.dirname, '../../panel/parts/pages/theme.js'), 'utf8');

const html = `<div><form method="post" action="/theme"><input name="font" aria-label="Font"><button>Save</button></form>
  <section id="preview">none</section></div>`;

test('a preview that is under way ends with the next change, and when the form is sent', {
  timeout: 60_000,
}, async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    // Neither a preview nor the form gets an answer: what ends a request is the script.
    await page.route('**/*', (route) =>
      route.request().method() === 'POST'
        ? undefined
        : route.fulfill({ contentType: 'text/html', body: html }),
    );
    const ended: string[] = [];
    page.on('requestfailed', (request) => ended.push(request.postData() ?? ''));
    await page.goto('http://panel.test/theme');
    await page.addScriptTag({ content: script });
    const preview = (font: string) =>
      page.waitForRequest((request) => request.postData() === `font=${font}&_find=preview`);
    for (const font of ['a', 'b']) {
      const asked = preview(font);
      await page.getByLabel('Font').fill(font);
      await asked;
    }
    const sent = page.waitForRequest((request) => request.postData() === 'font=b');
    // Clicking waits for the page that the form leads to.
    void page
      .getByRole('button')
      .click()
      .catch(() => undefined);
    await sent;
    await waitUntil(page, () => ended.length >= 2);
    deepEqual(ended, ['font=a&_find=preview', 'font=b&_find=preview']);
  } finally {
    await chromium.close();
  }
});
