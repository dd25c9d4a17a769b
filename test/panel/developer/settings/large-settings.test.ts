/** The pages of settings with as many rows as a shop may have, in up to four currencies. */
import { expect, it } from 'vitest';
import { countries } from '../../../../src/kernel/values/countries.ts';
import { asDeveloper, type Browser, fieldsOf } from '../../../support/fixtures/browser.ts';
import { pageWeight } from '../../../support/fixtures/page-weight.ts';
import { world } from '../../../support/world.ts';

const SHIPPING = '/developer/settings/shipping';
const MAX_PAGE = 30 * 1024;
const CODES = countries().map(({ code }) => code);
const longText = (n: number, length: number): string =>
  `${n}${'"&<>'.repeat(length / 4 + 1)}`.slice(0, length);

const ofEach = <T>(codes: readonly string[], value: T): Record<string, T> =>
  Object.fromEntries(codes.map((code) => [code, value]));

async function shopIn(currencies: readonly string[], settings: object) {
  const shop = await world({ currencies: [...currencies] });
  const saved = await shop.patch('/settings', settings);
  expect(saved.status, JSON.stringify(saved.body).slice(0, 300)).toBe(200);
  const shipping = async () => (await shop.get('/settings')).body.shipping;
  return { shop, developer: await asDeveloper(shop.slug), shipping };
}

/** Opens a page and those that follow it, each of at most 30 KiB; returns the HTML of all. */
async function allPages(developer: Browser, path: string): Promise<string> {
  let all = '';
  for (let next: string | undefined = path; next; ) {
    const { html, status } = await developer.get(next);
    expect([status, next]).toEqual([200, next]);
    expect(await pageWeight(html), next).toBeLessThanOrEqual(MAX_PAGE);
    all += html;
    next = /rel="next" href="([^"]+)"/.exec(html)?.[1];
  }
  return all;
}

it.each([[['EUR']], [['EUR', 'USD', 'GBP', 'CHF']]])(
  'shows all methods and the prices of all countries on pages of at most 30 KiB, in %j',
  async (currencies) => {
    const amount = (value: number) =>
      currencies.length === 1 ? value : Object.fromEntries(currencies.map((code, n) => [code, value + n]));
    const methods = Array.from({ length: 20 }, (_, n) => ({
      id: `${n}-${'m'.repeat(60)}`,
      name: longText(n, 100),
      price: amount(1234.5),
      countries: CODES.slice(0, 100),
    }));
    const by_country = ofEach(CODES, { flat: amount(1234.5), free_over: amount(100) });
    const flat = { flat: amount(5), free_over: amount(50), by_country };
    const { developer, shipping } = await shopIn(currencies, { shipping: { ...flat, methods } });
    const html = await allPages(developer, SHIPPING);
    for (const { id } of methods) expect(html).toContain(`href="${SHIPPING}/methods/${id}"`);
    expect(html).toContain(`${CODES.length} countries`);
    const rates = await allPages(developer, `${SHIPPING}/flat-rates`);
    expect(rates.match(/name="shipping\.by_country\.\d+\.country"/g)).toHaveLength(CODES.length);
    const page = /\?page=(\d+)"[^>]*>Previous/.exec(developer.last.html)?.[1];
    await developer.get(`${SHIPPING}/flat-rates?page=${page}`);
    const [field = ''] = /shipping\.by_country\.0\.flat\.EUR/.exec(developer.last.html) ?? [];
    const fields = fieldsOf(developer.last.html, `${SHIPPING}/flat-rates`);
    await developer.submit(`${SHIPPING}/flat-rates`, { ...fields, [field]: '7' });
    const now = await shipping();
    const changed = CODES.filter(
      (code) => JSON.stringify(now.by_country[code]) !== JSON.stringify(by_country[code]),
    );
    expect([changed.length, Object.keys(now.by_country).length]).toEqual([1, CODES.length]);
    expect(now.methods).toHaveLength(20);
  },
);

it('moves a method of the second page up, and shows that page again', async () => {
  const methods = Array.from({ length: 20 }, (_, n) => ({ id: `m${n}`, name: longText(n, 100), price: 4 }));
  const { developer, shipping } = await shopIn(['EUR'], { shipping: { flat: 5, methods } });
  const { html } = await developer.get(`${SHIPPING}?page=2`);
  const [, path = '', id] = /action="([^"]+\/methods\/(m\d+)\/up)"/.exec(html) ?? [];
  // A double click moves it by one place.
  for (const _ of [1, 2]) {
    const sent = await developer.post(path, fieldsOf(html, path));
    expect(sent.headers.get('location')).toContain(`${SHIPPING}?page=2`);
  }
  const order = (await shipping()).methods.map((method: { id: string }) => method.id);
  expect(order.indexOf(id)).toBe(Number(id?.slice(1)) - 1);
});
