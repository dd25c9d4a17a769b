/** How forms of the panels are sent, in a Chromium, on a page of its own: scripts/panel/js/forms.js. */
import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openChromium } from '../screen.ts';

const script = readFileSync(join(import.meta.dirname, '../../panel/js/forms.js'), 'utf8');

const html = `<form method="post" action="/save"><input name="name" aria-label="Name">
  <button>Save</button><button formaction="/preview">Preview</button></form>`;

/** Clicks these buttons one after the other, while no form gets an answer; returns the paths that were sent. */
async function sentBy(clicks: readonly string[]): Promise<string[]> {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    const sent: string[] = [];
    await page.route('**/*', (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.fulfill({ contentType: 'text/html', body: html });
      sent.push(new URL(request.url()).pathname);
    });
    await page.goto('http://panel.test/form');
    await page.addScriptTag({ content: script });
    const boxes = await Promise.all(clicks.map((name) => page.getByRole('button', { name }).boundingBox()));
    for (const box of boxes) {
      if (!box) throw new Error('A button is not shown.');
      // By the mouse: a locator waits until its page has the answer.
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await page.waitForTimeout(150);
    }
    return sent;
  } finally {
    await chromium.close();
  }
}

test('the second click of a double click sends nothing', async () =>
  deepEqual(await sentBy(['Save', 'Save']), ['/save']));

test('another button of the form is not taken for a second click', async () =>
  deepEqual(await sentBy(['Preview', 'Save']), ['/preview', '/save']));
