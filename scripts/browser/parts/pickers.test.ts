/** The script of pickers in a Chromium, on a page of its own: scripts/panel/parts/forms/pickers.js. */
import { equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openChromium } from '../screen.ts';
import { waitUntil } from './on-page.ts';

const script = readFileSync(join(import.meta.dirname, '../../panel/parts/forms/pickers.js'), 'utf8');

/** The picker as the service renders it: what is chosen, then what was found and is not chosen. */
function picker(chosen: readonly string[]): string {
  const entry = (id: string) =>
    `<label><input type="checkbox" name="ids" value="${id}"${chosen.includes(id) ? ' checked' : ''}>${id}</label>`;
  const [some, others] = [true, false].map((is) => ['1', '2'].filter((id) => chosen.includes(id) === is));
  return `<form method="post" action="/form"><fieldset class="picker" id="p">
    <div class="chosen">${some?.map(entry).join('')}</div>
    <input type="search" name="_q"><button name="_find" value="p">Search</button>
    <div class="found">${others?.map(entry).join('')}</div></fieldset></form>`;
}

test('what is chosen while a search runs stays chosen', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    const searches: (() => Promise<void>)[] = [];
    await page.route('**/form', (route) => {
      const body = route.request().postData();
      const html = picker(new URLSearchParams(body ?? '').getAll('ids'));
      const answer = () => route.fulfill({ contentType: 'text/html', body: html });
      if (body === null) return answer();
      searches.push(answer);
    });
    await page.goto('http://panel.test/form');
    await page.addScriptTag({ content: script });
    const nextSearch = async () => {
      await waitUntil(page, () => searches.length > 0);
      return searches.shift();
    };
    await page.getByRole('searchbox').fill('cup');
    const answer = await nextSearch();
    await page.getByRole('checkbox', { name: '2' }).check();
    await answer?.();
    await (await nextSearch())?.();
    await waitUntil(page, async () => (await page.locator('.chosen [value="2"]').count()) === 1);
    equal(await page.getByRole('checkbox', { name: '2' }).isChecked(), true);
    equal(await page.getByRole('checkbox', { name: '1' }).isChecked(), false);
  } finally {
    await chromium.close();
  }
});
