/** How forms of the panels are sent, in a Chromium, on a page of its own: scripts/panel/js/forms.js. */
import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openChromium } from '../screen.ts';
import { waitUntil } from './on-page.ts';

const script = readFileSync(join(import.meta.dirname, '../../panel/js/forms.js'), 'utf8');

const html = `<form method="post" action="/save"><input name="name" aria-label="Name">
  <button>Save</button><button formaction="/preview">Preview</button></form>`;

/** Clicks these buttons one after the other, while no form gets an answer; returns the paths that were sent: at least so many. */
async function sentBy(clicks: readonly string[], least: number): Promise<string[]> {
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
    for (const [n, box] of boxes.entries()) {
      if (!box) throw new Error('A button is not shown.');
      // By the mouse: a locator waits until its page has the answer.
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await page.waitForTimeout(150);
      // A click takes the place of what a busy machine has not sent yet.
      await waitUntil(page, () => sent.length >= Math.min(n + 1, least));
    }
    return sent;
  } finally {
    await chromium.close();
  }
}

test('the second click of a double click sends nothing', async () =>
  deepEqual(await sentBy(['Save', 'Save'], 1), ['/save']));

test('another button of the form is not taken for a second click', async () =>
  deepEqual(await sentBy(['Preview', 'Save'], 2), ['/preview', '/save']));

test('what was done has the focus, so that screen readers read it', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    await page.setContent(
      `<main><section tabindex="0">A list</section><p role="status" tabindex="-1">Saved.</p></main>${html}`,
    );
    await page.addScriptTag({ content: script });
    deepEqual(await page.locator(':focus').textContent(), 'Saved.');
  } finally {
    await chromium.close();
  }
});
