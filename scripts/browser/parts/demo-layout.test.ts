/** The stylesheets of the demo shop in a Chromium: scripts/panel/css/demo/demo.css, demo-account.css. */
import { ok } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSync } from 'esbuild';
import { openChromium } from '../screen.ts';

const css = ['demo.css', 'demo-account.css']
  .map((name) => join(import.meta.dirname, '../../panel/css/demo', name))
  .flatMap((entry) => buildSync({ entryPoints: [entry], bundle: true, write: false }).outputFiles)
  .map(({ text }) => text)
  .join('\n');

const remove = '<form class="inline"><span>HELLO10</span><button class="quiet">Remove</button></form>';
const address = `<ul class="cells"><li><div class="row"><a href="#">Edit</a>
  <form class="inline"><button class="quiet">Make default</button></form></div></li></ul>`;

test('a button without a border stands in line with the text beside it', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    await page.setContent(
      `<!doctype html><style>${css}</style><section class="panel">${remove}</section>${address}`,
    );
    for (const [text, button] of [
      ['.panel span', '.panel button'],
      ['.row a', '.row button'],
    ] as const) {
      const middles = await Promise.all(
        [text, button].map(async (selector) => {
          const { y = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
          return y + height / 2;
        }),
      );
      ok(Math.max(...middles) - Math.min(...middles) < 2, `${button}: ${middles.join(', ')}`);
    }
  } finally {
    await chromium.close();
  }
});

test('a search from right to left begins beside the button, not below it', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    await page.setContent(`<!doctype html><style>${css}</style><header class="top"><search><form>
      <input name="q" dir="auto" value="قميص"><button>Search</button></form></search></header>`);
    const button = await page.locator('button').boundingBox();
    const field = await page.locator('input').boundingBox();
    const padding = await page.evaluate(
      `parseFloat(getComputedStyle(document.querySelector('input')).paddingRight)`,
    );
    ok(button && field);
    ok(field.x + field.width - Number(padding) <= button.x, `the text begins ${padding} px from the right`);
  } finally {
    await chromium.close();
  }
});
