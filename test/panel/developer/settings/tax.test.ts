/** The page of tax rates: rows by country and class, on pages of their own when there are many. */

import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill } from '../../../support/fixtures/browser.ts';
import { lazy } from '../../../support/lazy.ts';
import { world } from '../../../support/world.ts';

/** A shop and its developer, who sends what is refused. */
const untouched = lazy(async () => {
  const shop = await world();
  return { shop, developer: await asDeveloper(shop.slug) };
});

const TAX = '/developer/settings/tax';

/** The fields of rows of a list, by their parts. */
const rows = (list: string, all: readonly Record<string, string>[]): Record<string, string> =>
  Object.fromEntries(
    all.flatMap((row, n) => Object.entries(row).map(([part, value]) => [`${list}.${n}.${part}`, value])),
  );

const byCountry = (...all: readonly (readonly [country: string, rate: string])[]) =>
  rows(
    'tax.rates_by_country',
    all.map(([country, rate]) => ({ country, rate })),
  );

it('edits tax rates by country and class as rows, and removes them', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await fill(developer, TAX, TAX, {
    'tax.mode': 'inclusive',
    'tax.rate_percent': '19',
    'tax.shipping_taxed': 'yes',
    ...byCountry(['Germany', '19'], ['ch', '8,1']),
    ...rows('tax.rates_by_class', [
      { name: 'books', country: 'Switzerland', rate: '2,6' },
      { name: 'books', country: '', rate: '7' },
      { name: 'food and drink', country: '', rate: '5.5' },
    ]),
  });
  expect(developer.last.html).toContain('Saved.');
  const { tax } = (await shop.get('/settings')).body;
  expect(tax).toEqual({
    mode: 'inclusive',
    rate_percent: 19,
    shipping_taxed: true,
    rates_by_country: { DE: 19, CH: 8.1 },
    rates_by_class: {
      books: { rate_percent: 7, rates_by_country: { CH: 2.6 } },
      'food and drink': { rate_percent: 5.5 },
    },
  });
  expect(developer.last.html).toContain('value="Switzerland"');
  await fill(developer, TAX, TAX, byCountry(['', ''], ['Switzerland', '8.1']));
  expect((await shop.get('/settings')).body.tax).toEqual({ ...tax, rates_by_country: { CH: 8.1 } });
});

it.each([
  [byCountry(['Germany', 'nineteen']), 'tax.rates_by_country.0.rate', 'must be a number'],
  [byCountry(['Germany', '19'], ['DE', '7']), 'tax.rates_by_country.1.country', 'is already in the list'],
  [byCountry(['Germany', '19'], ['Nowhere', '7']), 'tax.rates_by_country.1.country', 'must be a country'],
  [byCountry(['Germany', '119']), 'tax.rates_by_country.0.rate', '100'],
  [
    rows('tax.rates_by_class', [
      { name: 'food', country: '', rate: '5' },
      { name: 'No. 1', country: '', rate: '107' },
    ]),
    'tax.rates_by_class.1.rate',
    '100',
  ],
  [
    rows('tax.rates_by_class', [
      { name: 'books', country: '', rate: '7' },
      { name: 'books', country: 'Austria', rate: '110' },
    ]),
    'tax.rates_by_class.1.rate',
    '100',
  ],
  [
    rows('tax.rates_by_class', [{ name: 'b'.repeat(51), country: '', rate: '7' }]),
    'tax.rates_by_class.0.name',
    '50',
  ],
  [
    rows('tax.rates_by_class', [{ name: 'books', country: 'Germany', rate: '7' }]),
    'tax.rates_by_class.0.name',
    'needs a rate without a country too',
  ],
])('shows beside the row what is wrong (%#), and keeps what was typed', async (typed, field, words) => {
  const { shop, developer } = await untouched();
  const before = (await shop.get('/settings')).body;
  const got = await fill(developer, TAX, TAX, typed);
  expect(got.status).toBe(422);
  const [, error = ''] = new RegExp(`id="f-${field}-error">([^<]*)<`).exec(got.html) ?? [];
  expect(error).toContain(words);
  expect(got.html).toContain(`href="#f-${field}"`);
  expect(fieldsOf(got.html, TAX)).toMatchObject(typed);
  expect((await shop.get('/settings')).body).toEqual(before);
});

it('adds a row without JavaScript, and keeps what was typed', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const typed = { 'tax.rate_percent': '12', ...byCountry(['Germany', '19']) };
  const got = await fill(developer, TAX, TAX, { ...typed, _rows: 'add tax.rates_by_country' });
  expect(got.status).toBe(200);
  expect(fieldsOf(got.html, TAX)).toMatchObject({ ...typed, 'tax.rates_by_country.1.country': '' });
  expect((await shop.get('/settings')).body.tax.rate_percent).toBe(0);
});

it('keeps the countries that another page of the rates shows', async () => {
  const shop = await world();
  const codes = ['DE', 'AT', 'CH', 'FR', 'IT', 'ES', 'PT', 'NL'];
  const rates_by_country = Object.fromEntries(codes.map((code, n) => [code, 10 + n]));
  await shop.patch('/settings', { tax: { mode: 'exclusive', rate_percent: 5, rates_by_country } });
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get(TAX)).html).toContain('Page 1 of 2');
  await fill(developer, TAX, TAX, byCountry(['', '']));
  const { DE: _, ...others } = rates_by_country;
  expect((await shop.get('/settings')).body.tax.rates_by_country).toEqual(others);
  await fill(developer, `${TAX}?page=2`, TAX, byCountry(['Netherlands', '21']));
  expect((await shop.get('/settings')).body.tax.rates_by_country).toEqual({ ...others, NL: 21 });
});

it('refuses a country that another page of the rates has', async () => {
  const shop = await world();
  const codes = ['DE', 'AT', 'CH', 'FR', 'IT', 'ES', 'PT', 'NL'];
  const rates_by_country = Object.fromEntries(codes.map((code, n) => [code, 10 + n]));
  await shop.patch('/settings', { tax: { mode: 'exclusive', rate_percent: 5, rates_by_country } });
  const developer = await asDeveloper(shop.slug);
  const added = { 'tax.rates_by_country.6.country': 'Netherlands', 'tax.rates_by_country.6.rate': '21' };
  await fill(developer, TAX, TAX, added);
  expect(developer.last.html).toContain('id="f-tax.rates_by_country.6.country-error">is already in the list');
  await fill(developer, `${TAX}?page=2`, TAX, byCountry(['Portugal', '16'], ['Germany', '21']));
  expect(developer.last.html).toContain('id="f-tax.rates_by_country.1.country-error">is already in the list');
  expect((await shop.get('/settings')).body.tax.rates_by_country).toEqual(rates_by_country);
});

it('changes and removes a tax class with a comma in its name', async () => {
  const shop = await world();
  const rates_by_class = { 'food, drink': { rate_percent: 5 }, books: { rate_percent: 7 } };
  await shop.patch('/settings', { tax: { mode: 'exclusive', rate_percent: 19, rates_by_class } });
  const developer = await asDeveloper(shop.slug);
  await fill(developer, TAX, TAX, { 'tax.rates_by_class.0.rate': '6' });
  const tax = async () => (await shop.get('/settings')).body.tax.rates_by_class;
  expect(await tax()).toEqual({ ...rates_by_class, 'food, drink': { rate_percent: 6 } });
  await fill(developer, TAX, TAX, rows('tax.rates_by_class', [{ name: '', country: '', rate: '' }]));
  expect(await tax()).toEqual({ books: { rate_percent: 7 } });
});
