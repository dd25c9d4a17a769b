/** What scripts change is said to screen readers, which read an element that was there before its text was. */
import { equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openChromium } from '../screen.ts';
import { bundled, waitUntil } from './on-page.ts';

/** Opens a page with a script; `answers` are the pages that it asks for. */
async function withScript(path: string, answers: readonly string[], look: (page: Page) => Promise<void>) {
  const chromium = await openChromium();
  try {
    const page = await chromium.newPage();
    const left = [...answers];
    await page.route('**/*', (route) =>
      route.fulfill({ contentType: 'text/html', body: (left.length > 1 ? left.shift() : left[0]) ?? '' }),
    );
    await page.goto('http://panel.test/page');
    await page.addScriptTag({ content: bundled(path) });
    await look(page);
  } finally {
    await chromium.close();
  }
}

/** The element of a page that is read whenever its text changes. */
async function statusOf(page: Page) {
  const status = await page.$('[role="status"], [aria-live]');
  if (!status) throw new Error('Nothing of the page is read when it changes.');
  return status;
}

test('copying is said', () =>
  withScript(
    'parts/content/copy.js',
    ['<pre id="a">x</pre><button data-copy="a" aria-label="Copy curl: set up" hidden>Copy</button>'],
    async (page) => {
      await page.evaluate(
        `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => {} } })`,
      );
      const status = await statusOf(page);
      await page.getByRole('button').click();
      equal(await status.textContent(), 'Copied curl: set up');
      equal(await page.getByRole('button').textContent(), 'Copied');
    },
  ));

const progress = (state: string, count: number, live: boolean) =>
  `<main><section id="progress" ${live ? 'data-live="yes"' : ''}><p><span class="state">${state}</span>
    ${count} of 30 lines</p></section></main>`;

test('the end of an import is said', () =>
  withScript(
    'parts/content/progress.js',
    [progress('running', 3, true), progress('running', 9, true), progress('done', 30, false)],
    async (page) => {
      const status = await statusOf(page);
      await page.getByText('done').first().waitFor();
      match((await status.textContent()) ?? '', /done\s+30 of 30 lines/);
    },
  ));

const found = (count: number) => `<p class="hidden">${count} suggestions</p>
  <ul>${'<li><a href="/">Cup</a></li>'.repeat(count)}</ul>`;

test('how many suggestions a search has is said, also when there are none', () =>
  withScript(
    'js/demo.js',
    ['<search><input type="search"><div data-suggestions hidden></div></search>', ...[found(2), found(0)]],
    async (page) => {
      const status = await statusOf(page);
      for (const [text, said] of [
        ['cup', '2 suggestions'],
        ['cupboard', '0 suggestions'],
      ] as const) {
        await page.getByRole('searchbox').fill(text);
        await waitUntil(page, async () => (await status.textContent()) === said);
      }
    },
  ));

const picker = (id: string) => `<form method="post" action="/form"><fieldset class="picker" id="p">
  <div class="chosen"></div><input type="search" name="_q"><button name="_find" value="p">Search</button>
  <div class="found" aria-live="polite"><label><input type="checkbox" name="ids" value="${id}">Cup ${id}</label></div>
  </fieldset></form>`;

test('what a picker finds is said', () =>
  withScript('parts/forms/pickers.js', [picker('1'), picker('2')], async (page) => {
    const status = await statusOf(page);
    await page.getByRole('searchbox').fill('cup');
    await page.getByText('Cup 2').waitFor();
    equal(await status.textContent(), 'Cup 2');
  }));

const row = (n: number) => `<li class="entry"><fieldset class="entry-fields" aria-label="Files: file ${n}">
  <input name="files.${n}.title" value="${n}"></fieldset><div class="entry-buttons">
  <button name="_rows" value="up files.${n}" aria-label="Move up: file ${n}">↑</button>
  <button name="_rows" value="remove files.${n}" aria-label="Remove: file ${n}">×</button></div></li>`;
const rows = (
  count: number,
) => `<form><fieldset id="f-files"><ol>${Array.from({ length: count }, (_, n) => row(n + 1)).join('')}</ol>
  <button name="_rows" value="add files">Add a file</button></fieldset></form>`;

test('a row that has moved is named after its new place, and so are the others', () =>
  withScript('parts/forms/rows.js', [rows(2)], async (page) => {
    await page.getByRole('button', { name: 'Move up: file 2' }).click();
    equal(await page.evaluate('document.activeElement.ariaLabel'), 'Move up: file 1');
    equal(await page.getByRole('group', { name: 'Files: file 2' }).getByRole('textbox').inputValue(), '1');
    equal(await page.getByRole('button', { name: 'Remove: file 1' }).count(), 1);
  }));

test('the focus is on the button that adds a row once the last one is removed', () =>
  withScript('parts/forms/rows.js', [rows(1)], async (page) => {
    await page.getByRole('button', { name: 'Remove: file 1' }).click();
    equal(await page.locator(':focus').textContent(), 'Add a file');
  }));
