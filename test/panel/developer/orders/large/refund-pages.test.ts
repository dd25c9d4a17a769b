/** The refund of an order with more lines than one page of its form has. */
import { expect, it } from 'vitest';
import { type Browser, fieldsOf } from '../../../../support/fixtures/browser.ts';
import { pageWeight } from '../../../../support/fixtures/page-weight.ts';
import { lazy } from '../../../../support/lazy.ts';
import { hundredLines } from './large-order.ts';

const MAX_PAGE = 30 * 1024;

const largest = lazy(() => hundredLines());
/** An order of short texts. */
const shirts = lazy(() => hundredLines({ name: 'Shirt', textOf: (n: number) => `S${n}` }));

const every = (units: string) =>
  Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`units.${n + 1}`, units]));

/** The numbers of the lines that the form shows a field for. */
const shownLines = ({ last }: Browser): number[] =>
  [...last.html.matchAll(/<input id="f-units\.(\d+)"/g)].map(([, line]) => Number(line));

it('chooses units of any line on pages of at most 30 KiB, however long the texts are', async () => {
  const { developer, here } = await largest();
  const action = `${here}/refund`;
  await developer.get(action);
  const found = new Set<number>();
  for (let page = 2; developer.last.html.includes(`name="_turn" value="${page}"`); page++) {
    for (const line of shownLines(developer)) found.add(line);
    expect(await pageWeight(developer.last.html)).toBeLessThanOrEqual(MAX_PAGE);
    const sent = { ...every('2'), ...fieldsOf(developer.last.html, action), what: 'part', _turn: `${page}` };
    expect((await developer.post(action, sent)).status).toBe(200);
  }
  for (const line of shownLines(developer)) found.add(line);
  expect(found.size).toBe(100);
});

it('says what is refunded on pages of at most 30 KiB, however many units are chosen', async () => {
  const { developer, here } = await largest();
  const query = new URLSearchParams({ what: 'part', ...every('2') });
  for (const choice of [`${query}`, 'what=all']) {
    const first = await developer.get(`${here}/refund/confirm?${choice}`);
    expect(first.html).toContain('Refund €1,000.00 of order 1001?');
    expect(await pageWeight(first.html)).toBeLessThanOrEqual(MAX_PAGE);
    const next = /rel="next" href="([^"]+)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&');
    const second = await developer.get(next ?? 'none');
    expect(second.html).toContain('Refund €1,000.00 of order 1001?');
    expect(second.html).not.toContain(/<td data-label="For">[^<]*</.exec(first.html)?.[0]);
  }
});

it('keeps the units of the other pages, and refunds all of them', async () => {
  const { shop, developer, here, path } = await shirts();
  const action = `${here}/refund`;
  await developer.get(action);
  const [first = 0] = shownLines(developer);
  await developer.post(action, {
    ...fieldsOf(developer.last.html, action),
    what: 'part',
    [`units.${first}`]: '1',
    restock: 'yes',
    _turn: '3',
  });
  const [third = 0] = shownLines(developer);
  expect(third).toBeGreaterThan(first);
  const typed = fieldsOf(developer.last.html, action);
  expect(typed).toMatchObject({ what: 'part', [`units.${first}`]: '1', restock: ['yes'] });
  await developer.submit(action, { ...typed, [`units.${third}`]: '2' });
  const asked = developer.last.html;
  expect(asked).toContain('Refund €15.00 of order 1001?');
  // Who changes their mind finds all of the choice again.
  const change = /href="([^"]+)">Change what is refunded/.exec(asked)?.[1]?.replaceAll('&amp;', '&') ?? '';
  await developer.get(change);
  expect(fieldsOf(developer.last.html, action)).toMatchObject({
    [`units.${first}`]: '1',
    [`units.${third}`]: '2',
  });
  await developer.submit(action, fieldsOf(developer.last.html, action));
  await developer.submit(`${action}/confirm`, fieldsOf(developer.last.html, `${action}/confirm`));
  const [refund] = (await shop.get(path)).body.refunds;
  expect(refund).toMatchObject({
    amount: 15,
    items: [
      { line_id: first, quantity: 1, restock: true },
      { line_id: third, quantity: 2, restock: true },
    ],
  });
});

it('shows the page of the line whose units are refused', async () => {
  const { developer, here } = await shirts();
  const action = `${here}/refund`;
  await developer.get(action);
  const sent = { ...fieldsOf(developer.last.html, action), what: 'part', 'units.100': '3' };
  const refused = await developer.post(action, sent);
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('id="f-units.100-error"')]);
  expect(shownLines(developer)).toContain(100);
});
