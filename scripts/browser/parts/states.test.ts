/** What is chosen, focused or pointed at can be seen and read: the stylesheets in a Chromium. */
import { deepEqual, doesNotMatch, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { demoCss, onPage, panelCss } from './on-page.ts';

const listed = (link: string) => Array.from({ length: 60 }, () => link).join('');

/** Says whether the middle of what has the focus is under something else. */
const COVERED = `(() => {
  const { activeElement: focused } = document;
  const { x, y, width, height } = focused.getBoundingClientRect();
  return document.elementFromPoint(x + Math.min(width / 2, 10), y + height / 2) !== focused;
})()`;

/** Walks back through a page from its end, and returns how many of its links were covered. */
async function coveredLinks(page: Page): Promise<number> {
  await page.locator('main a').last().focus();
  let covered = 0;
  for (let n = 0; n < 50; n++) {
    await page.keyboard.press('Shift+Tab');
    if (await page.evaluate(COVERED)) covered++;
  }
  return covered;
}

test('the bar at the top of a phone does not cover the link that has the focus', () =>
  onPage(
    `<style>${panelCss}</style><body class="framed"><header class="top"><button class="burger">Menu</button>
      <p class="brand">Harbour Books</p></header><main>${listed('<p><a href="/">Order</a></p>')}</main>`,
    async (page) => deepEqual(await coveredLinks(page), 0),
    360,
  ));

test('the head of a table does not cover the link that has the focus', () =>
  onPage(
    `<style>${panelCss}</style><main><section class="scroll"><table><thead><tr><th>Order</th></tr></thead>
      <tbody>${listed('<tr><td><a href="/">1001</a></td></tr>')}</tbody></table></section></main>`,
    async (page) => deepEqual(await coveredLinks(page), 0),
    1600,
  ));

const TRAILS = {
  panel: `<style>${panelCss}</style><nav class="trail"><a href="/">Orders</a><a href="/">Order 1</a></nav>`,
  'demo shop': `<style>${demoCss}</style><nav class="trail"><ol><li><a href="/">Orders</a></li>
    <li><a href="/">Order 1</a></li></ol></nav>`,
};
for (const [place, html] of Object.entries(TRAILS)) {
  test(`the signs between breadcrumbs of the ${place} are not read out`, () =>
    onPage(html, async (page) => {
      const read = await page.locator('.trail').ariaSnapshot();
      doesNotMatch(read.replaceAll('/url: /', ''), /[›/]/);
    }));
}

/** What can be chosen, chosen. */
const CHOSEN = {
  option:
    '<fieldset class="chips"><div><label><input type="radio" checked><span>M</span></label></div></fieldset>',
  category: '<nav class="categories"><ul><li><a href="/" aria-current="page">M</a></li></ul></nav>',
  tab: '<nav class="tabs"><ul><li><a href="/" aria-current="page">M</a></li></ul></nav>',
  filter: '<div class="pills"><a href="/" aria-current="page">M</a></div>',
  picture: '<div class="thumbs"><a href="/" aria-current="true"><span class="picture"></span></a></div>',
};
const UNCHOOSE = `for (const it of document.querySelectorAll('input, [aria-current]')) {
  it.checked = false;
  it.removeAttribute('aria-current');
}`;

for (const [what, html] of Object.entries(CHOSEN)) {
  test(`the ${what} that is chosen shows in forced colours`, () =>
    onPage(`<style>${demoCss}</style><main class="wrap">${html}</main>`, async (page) => {
      await page.emulateMedia({ forcedColors: 'active' });
      const chosen = await page.screenshot();
      await page.evaluate(UNCHOOSE);
      ok(!chosen.equals(await page.screenshot()), 'the chosen one looks like the others');
    }));
}

/** The contrast of a picture's most frequent colour with the one that differs most from it. */
const CONTRAST = `async (picture) => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + picture)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const color = data.slice(at, at + 3).join();
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const light = (color) =>
    color.split(',').map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0.05);
  const [[ground]] = [...counts].sort(([, a], [, b]) => b - a);
  return Math.max(...[...counts.keys()].map((color) => {
    const [one, two] = [light(color), light(ground)];
    return Math.max(one, two) / Math.min(one, two);
  }));
}`;

/** Colours of a theme that are just readable: 4.6:1. */
const THEME = ':root{--primary:#5c7d70;--on-primary:#fff;--ground:#15171c;--text:#eceef1;--edge:#818387}';

/** The stylesheet of the checkout, read: its module needs a Worker's. */
const style = readFileSync(join(import.meta.dirname, '../../../src/checkout/pages/style.ts'), 'utf8');
const [, checkoutCss = ''] = style.match(/const RULES = `([^`]+)`/) ?? [];

for (const [place, css] of [
  ['demo shop', demoCss],
  ['checkout', checkoutCss],
] as const) {
  test(`a button of the ${place} stays readable while it is pointed at`, () =>
    onPage(
      `<style>${css}${THEME}</style><main class="narrow"><p><a class="button main" href="/"><span>MMMM</span></a></p></main>`,
      async (page) => {
        await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
        const button = page.locator('.button');
        const contrasts: number[] = [];
        for (const pointed of [false, true]) {
          if (pointed) await button.hover();
          const picture = (await button.locator('span').screenshot()).toString('base64');
          contrasts.push(Number(await page.evaluate(`(${CONTRAST})('${picture}')`)));
        }
        const [before = 0, pointedAt = 0] = contrasts;
        ok(before >= 4.5 && pointedAt >= 4.5, `${before}, and ${pointedAt} while it is pointed at`);
      },
    ));
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`what a field says while it is empty is readable in ${colorScheme}`, () =>
    onPage(
      `<style>${panelCss}</style><main><input placeholder="MMMM" aria-label="Search"></main>`,
      async (page) => {
        await page.emulateMedia({ colorScheme });
        const { x = 0, y = 0 } = (await page.locator('input').boundingBox()) ?? {};
        const picture = await page.screenshot({ clip: { x: x + 4, y: y + 4, width: 80, height: 24 } });
        const contrast = Number(await page.evaluate(`(${CONTRAST})('${picture.toString('base64')}')`));
        ok(contrast >= 4.5, `${contrast}`);
      },
    ));
}
