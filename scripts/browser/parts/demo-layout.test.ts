/** The stylesheets of the demo shop in a Chromium: scripts/panel/css/demo/demo.css and those of its pages. */
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { openChromium } from '../screen.ts';
import { demoCss } from './on-page.ts';

const remove = '<form class="inline"><span>HELLO10</span><button class="quiet">Remove</button></form>';
const address = `<ul class="cells"><li><div class="row"><a href="#">Edit</a>
  <form class="inline"><button class="quiet">Make default</button></form></div></li></ul>`;

test('a button without a border stands in line with the text beside it', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    await page.setContent(
      `<!doctype html><style>${demoCss}</style><section class="panel">${remove}</section>${address}`,
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
    await page.setContent(`<!doctype html><style>${demoCss}</style><header class="top"><search><form>
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

/** A name that no line of a phone holds. */
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** Where the shop writes names of categories, options and promotions. */
const NAMED = [
  `<section class="hero"><div><h1>${LONG}</h1><p class="lead">${LONG}, chosen with care.</p></div>
    <div class="collage"><span class="picture"></span></div></section>`,
  `<ul class="tiles"><li><a href="/"><span>${LONG}</span></a></li></ul>`,
  `<div class="pills"><a href="/">${LONG}</a></div>`,
  `<fieldset class="set"><a href="/">${LONG}</a></fieldset>`,
  `<div class="between"><h2>${LONG}</h2><a href="/">See all</a></div>`,
  `<nav class="trail"><ol><li><a href="/">${LONG}</a></li></ol></nav>`,
  `<fieldset class="chips"><legend>${LONG}</legend><div><label><input type="radio"><span><span>${LONG}</span></span></label></div></fieldset>`,
  `<ul class="parts"><li><label><span>${LONG}</span></label><input></li></ul>`,
  `<label class="choice"><input type="radio"><span>${LONG}</span><span class="price">€14.00</span></label>`,
  `<dl class="totals"><div><dt>${LONG}</dt><dd>-€1,057.20</dd></div></dl>`,
  `<p class="note">${LONG}</p>`,
  `<p>${LONG}, ${LONG}@example.com</p>`,
];

test('no name is wider than a phone', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage({ viewport: { width: 390, height: 800 } });
    const wide: string[] = [];
    for (const part of NAMED) {
      await page.setContent(
        `<!doctype html><style>${demoCss}</style><body><main class="wrap">${part}</main>`,
      );
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (Number(over) > 0) wide.push(`${over} px: ${part.slice(0, 40)}`);
    }
    deepEqual(wide, []);
  } finally {
    await chromium.close();
  }
});

test('a price beside a long name is on one line', async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage({ viewport: { width: 320, height: 800 } });
    const prices = NAMED.filter((part) => part.includes('€'));
    await page.setContent(
      `<!doctype html><style>${demoCss}</style><body><main class="wrap">${prices.join('')}</main>`,
    );
    const lines = await page.evaluate(`[...document.querySelectorAll('.price, dd')].map((it) => {
      const range = document.createRange();
      range.selectNodeContents(it);
      return range.getClientRects().length;
    })`);
    deepEqual(lines, [1, 1]);
  } finally {
    await chromium.close();
  }
});

/** A line of the cart that is reduced, with a large amount. */
const LINE = `<ul class="rows"><li class="line"><span class="picture"></span>
  <div><h2><a href="/">Enamel mug</a></h2><p class="soft">€99,999,999.00 each</p></div>
  <div><p class="price"><span class="sale">€99,999,999.00</span> <s>€99,999,999.99</s></p></div>
  <form class="inline"><label>Quantity<input type="number" value="1"></label><button class="quiet">Remove</button></form>
</li></ul>`;

test("on a phone, large amounts in the cart leave the product's name its width", async () => {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage({ viewport: { width: 320, height: 800 } });
    await page.setContent(`<!doctype html><style>${demoCss}</style><body><main class="wrap">${LINE}</main>`);
    const width = await page.evaluate(`document.querySelector('h2').offsetWidth`);
    ok(Number(width) >= 160, `it has ${width} px`);
    const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    ok(Number(over) <= 0, `${over} px stick out to the side`);
  } finally {
    await chromium.close();
  }
});
