/** The stylesheet of the panels in a Chromium: scripts/panel/css/panel.css. */
import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { onPage, panelCss } from './on-page.ts';

/** The stylesheet of a part, by its path below `parts`. */
const partCss = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../panel/parts', `${path}.css`), 'utf8');

const onPanel = (body: string, look: (page: Page) => Promise<void>, width?: number): Promise<void> =>
  onPage(`<style>${panelCss}</style><main>${body}</main>`, look, width);

/** How far right a text's first character and its last one begin. */
const ENDS = (selector: string) => `(() => {
  const text = document.querySelector('${selector}').firstChild;
  const at = (from) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, from + 1);
    return range.getBoundingClientRect().x;
  };
  return [at(0), at(text.length - 1)];
})()`;

test('a text in Arabic is written from right to left, with its full stop at the left', () =>
  onPanel(
    '<h1>قميص قطني.</h1><table><tr><td>قميص قطني.</td></tr></table><dl><dd>قميص قطني.</dd></dl><textarea></textarea>',
    async (page) => {
      for (const selector of ['h1', 'td', 'dd']) {
        // They are what the expression makes of them.
        const [first = 0, last = 0] = (await page.evaluate(ENDS(selector))) as number[];
        ok(last < first, `${selector}: the full stop is at ${last}, the first letter at ${first}`);
      }
      await page.setContent(`<style>${panelCss}${partCss('lists/products')}</style>
        <p class="brand">قميص قطني.</p><p class="lines">قميص قطني.</p><nav class="trail"><a href="/">قميص قطني.</a></nav>
        <table><tr><td><span class="product"><img><a id="listed" href="/">قميص قطني.</a></span></td>
          <td><span class="with-picture"><img><span><a id="line" href="/">قميص قطني.</a></span></span></td></tr></table>
        <label><input type="checkbox"><span>قميص قطني.</span></label>`);
      for (const selector of ['.brand', '.lines', '.trail a', '#listed', '#line', 'label span']) {
        const [first = 0, last = 0] = (await page.evaluate(ENDS(selector))) as number[];
        ok(last < first, `${selector}: the full stop is at ${last}, the first letter at ${first}`);
      }
      for (const field of ['<input value="قميص قطني.">', '<textarea>قميص قطني.</textarea>']) {
        await page.setContent(`<style>${panelCss}</style>${field}`);
        const bidi = await page.evaluate(
          `getComputedStyle(document.querySelector('input, textarea')).unicodeBidi`,
        );
        ok(bidi === 'plaintext', `${field} is ${bidi}`);
      }
    },
  ));

/** A row of the variants' grid, in a page as narrow as one beside the navigation can be. */
const GRID_ROW = `<style>main { width: 656px; }</style><section class="scroll wide"><table><tr>
  <td><a href="/">Midnight black / Large</a><input value="JERSEY-BLACK-M"></td>
  <td><input inputmode="decimal" value="12500000.00"></td>
  <td><input type="number" value="12"></td>
  <td><span class="together"><img width="40" height="40"><select><option>From the left, 1</option></select></span></td>
  <td><input type="checkbox"></td>
</tr></table></section>`;

test('a large amount in a table is shown whole', () =>
  onPanel(GRID_ROW, async (page) => {
    const [needed = 0, given = 0] = (await page.evaluate(`(() => {
      const { scrollWidth, clientWidth } = document.querySelector('[inputmode]');
      return [scrollWidth, clientWidth];
    })()`)) as number[];
    ok(needed <= given, `it needs ${needed} pixels and has ${given}`);
  }));

test('the lines of a note stay apart', () =>
  onPanel('<p>Dear Anna</p><p class="lines">Dear Anna,\nhappy birthday</p>', async (page) => {
    const [one = 0, two = 0] = (await page.evaluate(
      `[...document.querySelectorAll('p')].map((it) => it.offsetHeight)`,
    )) as number[];
    ok(two > 1.5 * one, `a line is ${one} pixels high, and two are ${two}`);
  }));

/** The figures of the overview. */
const STATS = `<style>${partCss('content/stats')}</style><dl class="stats">${[
  '€123,456.78',
  '1,204',
  '€89.90',
  '12',
]
  .map((value) => `<div><dt>Sales</dt><dd class="value">${value}</dd></div>`)
  .join('')}</dl>`;

test('an amount of the overview is on one line, on phones and beside the navigation', () =>
  onPanel(STATS, async (page) => {
    for (const width of [328, 358, 720, 976]) {
      await page.evaluate(`document.querySelector('.stats').style.width = '${width}px'`);
      const lines = await page.evaluate(`(() => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector('.value'));
        return range.getClientRects().length;
      })()`);
      ok(lines === 1, `${lines} lines in ${width} pixels`);
    }
  }));

/** The totals of an order with a discount whose name is one long word. */
const TOTALS = `<style>${partCss('content/totals')}</style><dl class="totals">
  <div><dt>Discount (${'Donaudampfschifffahrt'.repeat(3)})</dt><dd>-€1,057.20</dd></div><div><dt>Total</dt><dd>€1</dd></div></dl>`;

test('an amount beside a long word is on one line', () =>
  onPanel(TOTALS, async (page) => {
    await page.evaluate(`document.querySelector('dl').style.width = '300px'`);
    const [discount = 0, total = 0] = (await page.evaluate(
      `[...document.querySelectorAll('dd')].map((it) => {
        const range = document.createRange();
        range.selectNodeContents(it);
        return range.getClientRects().length;
      })`,
    )) as number[];
    deepEqual([discount, total], [1, 1]);
  }));

test('amounts in several currencies of a row do not touch', () =>
  onPanel(
    `<style>${partCss('forms/rows')}</style><li class="entry"><fieldset class="entry-fields"><fieldset><div class="pair">
       <p class="field"><label>EUR</label><input></p><p class="field"><label>USD</label><input></p>
     </div></fieldset></fieldset></li>`,
    async (page) => {
      await page.evaluate(`document.querySelector('.pair').style.width = '160px'`);
      const gap = await page.evaluate(
        `document.querySelectorAll('label')[1].getBoundingClientRect().top
          - document.querySelector('input').getBoundingClientRect().bottom`,
      );
      ok(Number(gap) >= 8, `they are ${gap} pixels apart`);
    },
  ));

test('what is pressed on a phone is 44 pixels high', () =>
  onPanel(
    `<form><input value="a"><select><option>A</option></select><button>Save</button><button class="quiet">×</button>
       <a class="button secondary" href="/">Edit</a><p class="check"><input type="checkbox"><label>Active</label></p>
     </form><nav class="tabs"><a href="/">Tax</a></nav><nav class="pages"><a href="/">Next</a></nav>
     <div class="side"><a href="/">Orders</a></div>`,
    async (page) => {
      await page.setViewportSize({ width: 390, height: 800 });
      const low = await page.evaluate(
        `[...document.querySelectorAll('a, button, select, .check, input:not([type])')].flatMap((it) =>
          it.getBoundingClientRect().height < 44 ? [it.outerHTML.slice(0, 60) + it.getBoundingClientRect().height] : [])`,
      );
      deepEqual(low, []);
      const box = await page.locator('[type=checkbox]').boundingBox();
      ok(box && box.height < 20, 'a checkbox keeps its size');
    },
  ));

test('only the current tab is marked where the system chooses the colours', () =>
  onPanel(
    '<nav class="tabs"><a href="/">Tax</a><a href="/" aria-current="page">Shipping</a></nav>',
    async (page) => {
      // Each border is drawn in a colour of the system then, a transparent one too.
      await page.emulateMedia({ forcedColors: 'active' });
      const [borders, heights] = (await page.evaluate(`(() => {
        const tabs = [...document.querySelectorAll('.tabs a')];
        return [tabs.map((it) => getComputedStyle(it).borderBottomWidth), tabs.map((it) => it.offsetHeight)];
      })()`)) as [string[], number[]];
      deepEqual(borders, ['0px', '2px']);
      ok(heights[0] === heights[1], `they are ${heights} pixels high`);
    },
  ));

test('a printed order has no empty fields and no buttons', () =>
  onPanel(
    `<section class="card"><h2>Totals</h2>€12.50</section><p><a class="button" href="/">Refund</a></p>
     <section class="card"><h2>Note</h2><form><textarea></textarea><button>Add</button></form></section>
     <section class="card"><h2>Tags</h2><p>VIP</p><form><textarea></textarea></form></section>`,
    async (page) => {
      await page.emulateMedia({ media: 'print' });
      const shown = await page.evaluate(
        `[...document.querySelectorAll('section, .button, form')].filter((it) => it.checkVisibility())
          .map((it) => it.textContent.trim())`,
      );
      deepEqual(shown, ['Totals€12.50', 'TagsVIP']);
    },
  ));

test('a page printed across is as wide as its paper', () =>
  onPanel('', async (page) => {
    await page.setContent(
      `<!doctype html><style>${panelCss}</style><body class="framed"><div class="top">Orders</div><main><p>Paid</p></main>`,
    );
    await page.emulateMedia({ media: 'print' });
    ok(Number(await page.evaluate(`document.querySelector('p').offsetWidth`)) > 1000);
  }));

test('the longest tag of an order breaks in a narrow window, and a state does not', () =>
  onPanel(
    `<section class="card"><a class="state" href="/">${'W'.repeat(64)}</a><p style="width: 4rem">
      <span class="state">partially refunded</span></p></section>`,
    async (page) => {
      await page.setViewportSize({ width: 360, height: 800 });
      const sticksOut = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      ok(Number(sticksOut) <= 0, `${sticksOut} px stick out to the side`);
      const lines = await page.evaluate(`document.querySelector('span.state').getClientRects().length`);
      deepEqual(lines, 1);
    },
  ));

test('a long button and the instant of a request break on the smallest phone', () =>
  onPanel(
    `<section class="card"><p><a class="button" href="/">Flat rates and prices by country</a></p></section>
      <dl class="facts"><div><dt>Time</dt><dd><time class="lines">2026-11-28 19:39:21 UTC</time></dd></div></dl>`,
    async (page) => {
      const sticksOut = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      ok(Number(sticksOut) <= 0, `${sticksOut} px stick out to the side`);
    },
    320,
  ));

const field = (label: string, more: string) =>
  `<p class="field"><label for="${label}">${label}</label><input id="${label}" ${more}></p>`;

test('a form of which fields may stay empty says which ones may not', () =>
  onPanel(
    `<form>${field('Name', 'required')}${field('Vendor', '')}</form>
      <form>${field('E-mail', 'required')}${field('Password', 'required')}</form>`,
    async (page) => {
      const marks = await page.evaluate(`[...document.querySelectorAll('label')].flatMap((label) =>
        getComputedStyle(label, '::after').content.includes('required') ? [label.textContent] : [])`);
      deepEqual(marks, ['Name']);
      // The field itself says so to screen readers.
      await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    },
  ));
