/** The pages of an order that has more of everything than one page shows, in texts as long as they may be. */
import { expect, it } from 'vitest';
import type { Browser } from '../../../../support/fixtures/browser.ts';
import { pageWeight } from '../../../../support/fixtures/page-weight.ts';
import { hundredLines } from './large-order.ts';

const MAX_PAGE = 30 * 1024;

/** Opens a page and all that follow it through links of one name; returns the cells of a column of all of them. */
async function everyPage(
  developer: Browser,
  path: string,
  { query, column }: Record<'query' | 'column', string>,
) {
  const cells: string[] = [];
  for (let [at, next]: [number, string | undefined] = [2, path]; next; at++) {
    await developer.get(next);
    expect(await pageWeight(developer.last.html)).toBeLessThanOrEqual(MAX_PAGE);
    const found = developer.last.html.matchAll(new RegExp(`<td data-label="${column}"[^>]*>(.*?)</td>`, 'g'));
    cells.push(...[...found].map(([, cell = '']) => cell));
    const link = new RegExp(`href="([^"#]*[?]${query}=${at})[#"]`).exec(developer.last.html)?.[1];
    next = link?.replaceAll('&amp;', '&');
  }
  return cells;
}

/** Returns a text of `length` that begins with a number, of letters. */
const letters = (n: number, length: number): string =>
  `${n} ${'Lorem ipsum '.repeat(length)}`.slice(0, length).trim();

it('shows all lines of an order on pages of at most 30 KiB, and those to fulfil', async () => {
  const { developer, here } = await hundredLines();
  for (const path of [here, `${here}/fulfil`])
    expect(new Set(await everyPage(developer, path, { query: 'page', column: 'SKU' })).size).toBe(100);
});

it('shows all lines, fulfilments, refunds and notes on pages of at most 30 KiB', async () => {
  const { shop, developer, here, path } = await hundredLines({ name: letters(0, 255), textOf: letters });
  for (let n = 0; n < 11; n++) {
    const tracking = {
      carrier: letters(n, 64),
      number: `N${n}`,
      url: `https://example.com/${'a'.repeat(400)}`,
    };
    await shop.post(`${path}/fulfilments`, { items: [{ line_id: n + 2, quantity: 1 }], tracking });
    await shop.post(`${path}/refunds`, { amount: 1, reason: letters(n, 200) });
    await shop.post(`${path}/notes`, { text: letters(n, 500) });
  }
  const pages = (query: string, column: string) => everyPage(developer, here, { query, column });
  expect(new Set(await pages('page', 'SKU')).size).toBe(100);
  expect(new Set(await pages('parcels', 'Items')).size).toBe(11);
  expect(new Set(await pages('refunds', 'Reason')).size).toBe(11);
  await pages('entries', 'SKU');
});
