/** The script of the demo shop in a Chromium, on a page of its own: scripts/panel/js/demo.js. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { openChromium } from '../screen.ts';
import { bundled, waitUntil } from './on-page.ts';

const script = bundled('js/demo.js');

/** The form of a group as the service renders it with these quantities. */
function group(chosen: URLSearchParams): string {
  const quantity = (name: string) =>
    `<label>${name}<input type="number" name="${name}" value="${chosen.get(name) ?? 4}"></label>`;
  const total = Number(chosen.get('plate') ?? 4) + Number(chosen.get('bowl') ?? 4);
  return `<p data-part="offer">€${total}</p>
    <form data-choices><div data-part="pickers">${quantity('plate')}${quantity('bowl')}</div></form>`;
}

test('a quantity that is typed while the price of another one loads stays', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    const loads: (() => Promise<void>)[] = [];
    await page.route('**/product*', (route) => {
      const { searchParams } = new URL(route.request().url());
      const answer = () => route.fulfill({ contentType: 'text/html', body: group(searchParams) });
      if (searchParams.size === 0) return answer();
      loads.push(answer);
    });
    await page.goto('http://shop.test/product');
    await page.addScriptTag({ content: script });
    const nextLoad = async () => {
      await waitUntil(page, () => loads.length > 0);
      return loads.shift();
    };
    const [plate, bowl] = [page.getByLabel('plate'), page.getByLabel('bowl')];
    const quantities = async () => [await plate.inputValue(), await bowl.inputValue()];
    await plate.fill('0');
    await plate.press('Tab');
    const answer = await nextLoad();
    await page.keyboard.type('1');
    await answer?.();
    await page.waitForTimeout(200);
    deepEqual(await quantities(), ['0', '1']);
    await bowl.press('Tab');
    await (await nextLoad())?.();
    await page.getByText('€1').waitFor();
    deepEqual(await quantities(), ['0', '1']);
  } finally {
    await chromium.close();
  }
});
