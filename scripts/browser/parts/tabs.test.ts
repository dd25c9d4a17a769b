/** The tabs of a page in a Chromium, on a page of its own: scripts/panel/js/tabs.js. */
import { ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openChromium } from '../screen.ts';

const panel = join(import.meta.dirname, '../../panel');
const css = readFileSync(join(panel, 'css/surfaces.css'), 'utf8');
const script = readFileSync(join(panel, 'js/tabs.js'), 'utf8');

const names = ['General', 'Tax', 'Shipping', 'Checkout and payments', 'Agents'];
const tabs = names.map((name) => `<a href="/" ${name === 'Agents' ? 'aria-current="page"' : ''}>${name}</a>`);

test('the current tab of many is in view on a phone', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage({ viewport: { width: 320, height: 600 } });
    await page.setContent(`<!doctype html><style>${css} .tabs a { padding: 8px 12px }</style>
      <main style="padding: 0 16px"><nav class="tabs">${tabs.join('')}</nav></main>`);
    await page.addScriptTag({ content: script });
    const { x = 0, width = 0 } = (await page.locator('[aria-current]').boundingBox()) ?? {};
    ok(x >= 16 && x + width <= 304, `it is from ${x} to ${x + width} px`);
  } finally {
    await chromium.close();
  }
});
