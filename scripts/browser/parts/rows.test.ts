/** The script of rows in a Chromium, on a page of its own: scripts/panel/parts/forms/rows.js. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openChromium } from '../screen.ts';
import { waitUntil } from './on-page.ts';

const script = readFileSync(join(import.meta.dirname, '../../panel/parts/forms/rows.js'), 'utf8');

const row = (n: number, value: string) =>
  `<li class="entry"><label for="f-tags.${n}.name">Name</label><input id="f-tags.${n}.name"
    name="tags.${n}.name" value="${value}"><button name="_rows" value="remove tags.${n}">Remove</button></li>`;

/** The list as the service renders it: the rows that were sent, numbered from 0, and an added one. */
const list = (values: readonly string[]) =>
  `<form method="post" action="/form"><input name="title" aria-label="Title"><fieldset id="f-tags"><ol>
    ${values.map((value, n) => row(n, value)).join('')}</ol>
    <button name="_rows" value="add tags">Add a tag</button></fieldset></form>`;

test('what is typed while a row is added stays', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    const additions: (() => Promise<void>)[] = [];
    await page.route('**/form', (route) => {
      const body = route.request().postData();
      const sent = [...(body ?? '').matchAll(/name="tags\.\d+\.name"\r\n\r\n(.*)\r\n/g)].map(
        ([, value = '']) => value,
      );
      const html = list(body === null ? ['a', 'b', 'c'] : [...sent, '']);
      const answer = () => route.fulfill({ contentType: 'text/html', body: html });
      if (body === null) return answer();
      additions.push(answer);
    });
    await page.goto('http://panel.test/form');
    await page.addScriptTag({ content: script });
    const names = () =>
      page.getByLabel('Name').evaluateAll((all) => all.map((one) => one.getAttribute('name')));
    const values = async () =>
      Promise.all((await page.getByLabel('Name').all()).map((one) => one.inputValue()));
    await page.getByRole('button', { name: 'Remove' }).nth(0).click();
    await page.getByRole('button', { name: 'Add a tag' }).click();
    await waitUntil(page, () => additions.length > 0);
    const typed = page.getByLabel('Name').nth(0).fill('typed meanwhile');
    await page.waitForTimeout(100);
    await additions.shift()?.();
    await typed;
    await page.getByLabel('Name').nth(2).waitFor();
    deepEqual(await values(), ['typed meanwhile', 'c', '']);
    // The service numbers rows anew: no two have the same number.
    equal(new Set(await names()).size, 3);
    await page.getByLabel('Name').nth(2).fill('new');
    deepEqual(await values(), ['typed meanwhile', 'c', 'new']);
  } finally {
    await chromium.close();
  }
});
