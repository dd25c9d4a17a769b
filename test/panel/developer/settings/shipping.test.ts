import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill } from '../../../support/fixtures/browser.ts';
import { lazy } from '../../../support/lazy.ts';
import { world } from '../../../support/world.ts';

/** A shop and its developer, who sends what is refused. */
const untouched = lazy(async () => {
  const shop = await world();
  return { shop, developer: await asDeveloper(shop.slug) };
});

const SHIPPING = '/developer/settings/shipping';
const FLAT = `${SHIPPING}/flat-rates`;
const NEW = `${SHIPPING}/new-method`;

it('edits flat rates, also by country, as rows', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const developer = await asDeveloper(shop.slug);
  const at = (n: number, part: string) => `shipping.by_country.${n}.${part}`;
  await fill(developer, FLAT, FLAT, {
    'shipping.flat.EUR': '4,90',
    'shipping.flat.USD': '6',
    'shipping.free_over.EUR': '60',
    [at(0, 'country')]: 'Switzerland',
    [at(0, 'flat.EUR')]: '9.90',
    [at(0, 'flat.USD')]: '9.90',
    [at(0, 'free')]: 'same',
    [at(1, 'country')]: 'US',
    [at(1, 'flat.EUR')]: '',
    [at(1, 'flat.USD')]: '13',
    [at(1, 'free')]: 'from',
    [at(1, 'free_over.EUR')]: '',
    [at(1, 'free_over.USD')]: '100',
    [at(2, 'country')]: 'Norway',
    [at(2, 'flat.EUR')]: '15',
    [at(2, 'flat.USD')]: '',
    [at(2, 'free')]: 'never',
  });
  expect(developer.last.html).toContain('Saved.');
  const { shipping } = (await shop.get('/settings')).body;
  expect(shipping).toEqual({
    flat: { EUR: 4.9, USD: 6 },
    free_over: { EUR: 60 },
    by_country: {
      CH: { flat: 9.9 },
      US: { flat: { USD: 13 }, free_over: { USD: 100 } },
      NO: { flat: { EUR: 15 }, free_over: null },
    },
  });
  await fill(developer, FLAT, FLAT, {});
  expect((await shop.get('/settings')).body.shipping).toEqual(shipping);
  // The value from which it was free is still in its hidden field.
  await fill(developer, FLAT, FLAT, { [at(1, 'free')]: 'never' });
  expect((await shop.get('/settings')).body.shipping.by_country).toEqual({
    ...shipping.by_country,
    US: { flat: { USD: 13 }, free_over: null },
  });
});

it.each([
  [{ 'shipping.flat.EUR': '4.901' }, 'shipping.flat', 'at most 2 decimals in EUR'],
  [{ 'shipping.flat.EUR': '' }, 'shipping.flat', 'is required'],
  [{ 'shipping.flat.EUR': '1,000' }, 'shipping.flat.EUR', 'without a separator of thousands'],
  [{ 'shipping.flat.EUR': '1.500' }, 'shipping.flat.EUR', 'without a separator of thousands'],
  [{ 'shipping.flat.EUR': 'cheap' }, 'shipping.flat.EUR', 'must be a number'],
  [
    {
      'shipping.by_country.0.country': 'Norway',
      'shipping.by_country.0.flat.EUR': '1.001',
      'shipping.by_country.0.free': 'same',
    },
    'shipping.by_country.0.flat',
    'at most 2 decimals',
  ],
  [
    {
      'shipping.by_country.0.country': 'Norway',
      'shipping.by_country.0.flat.EUR': '1',
      'shipping.by_country.0.free': 'from',
    },
    'shipping.by_country.0.free_over',
    'is required',
  ],
])('says what is wrong with %j, and keeps it', async (typed, field, words) => {
  const { developer } = await untouched();
  const got = await fill(developer, FLAT, FLAT, typed);
  expect(got.status).toBe(422);
  const [, summary = ''] = /role="alert"(.*?)<\/div>/.exec(got.html) ?? [];
  expect(summary).toContain(`href="#f-${field}"`);
  expect(summary).toContain(words);
  expect(fieldsOf(got.html, FLAT)).toMatchObject(typed);
});

const METHOD = { name: 'Express (before noon)', active: 'yes', basis: 'price', 'price.EUR': '9.90' };

it('adds, changes, orders and deletes shipping methods', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await fill(developer, NEW, NEW, {
    ...METHOD,
    countries: ['DE', 'Austria'],
    min_days: '1',
    max_days: '2',
    'free_over.EUR': '100',
  });
  await fill(developer, NEW, NEW, {
    name: 'Freight',
    id: 'freight',
    active: 'yes',
    min_days: '5',
    basis: 'weight',
    'by_weight.0.from': '0',
    'by_weight.0.price.EUR': '10',
    'by_weight.1.from': '5000',
    'by_weight.1.price.EUR': '15',
  });
  const read = async () => (await shop.get('/settings')).body.shipping.methods;
  expect(await read()).toEqual([
    {
      id: 'express-before-noon',
      name: 'Express (before noon)',
      price: 9.9,
      countries: ['DE', 'AT'],
      free_over: 100,
      min_days: 1,
      max_days: 2,
      active: true,
    },
    {
      id: 'freight',
      name: 'Freight',
      min_days: 5,
      active: true,
      tiers: [
        { from_weight: 0, price: 10 },
        { from_weight: 5000, price: 15 },
      ],
    },
  ]);
  const { html } = await developer.get(SHIPPING);
  for (const text of ['€9.90', 'DE, AT', '1 to 2', 'from 5', 'by weight, from €10.00', 'everywhere']) {
    expect(html).toContain(text);
  }
  const up = `${SHIPPING}/methods/freight/up`;
  await fill(developer, SHIPPING, up, {});
  expect((await read()).map(({ id }: { id: string }) => id)).toEqual(['freight', 'express-before-noon']);
  const gone = await developer.submit(up, { before: 'gone' });
  expect([gone.status, gone.html.includes('Shipping method not found.')]).toEqual([404, true]);
  const here = `${SHIPPING}/methods/freight`;
  await fill(developer, here, here, {
    basis: 'value',
    'by_value.0.from.EUR': '0',
    'by_value.0.price.EUR': '7',
    'by_value.1.from.EUR': '50',
    'by_value.1.price.EUR': '4',
  });
  expect((await developer.get(SHIPPING)).html).toContain('by value, from €4.00');
  expect((await read())[0].tiers).toEqual([
    { from_subtotal: 0, price: 7 },
    { from_subtotal: 50, price: 4 },
  ]);
  expect((await developer.get(`${here}/delete`)).html).toContain('can no longer choose it');
  await developer.submit(`${here}/delete`, {});
  expect((await read()).map(({ id }: { id: string }) => id)).toEqual(['express-before-noon']);
  expect((await developer.get(here)).status).toBe(404);
});

it('lists a method without a price in the main currency', async () => {
  const shop = await world({ currencies: ['EUR', 'CHF'] });
  const methods = [{ id: 'alps', name: 'Alps', price: { CHF: 9 }, active: true }];
  expect((await shop.patch('/settings', { shipping: { flat: 5, methods } })).status).toBe(200);
  const { html } = await (await asDeveloper(shop.slug)).get(SHIPPING);
  expect(html).toContain('in other currencies');
});

it.each([
  [{ 'price.EUR': '' }, 'price', 'is required'],
  [{ 'price.EUR': '1.001' }, 'price', 'at most 2 decimals'],
  [{ name: '' }, 'name', ''],
  [{ id: 'Express!' }, 'id', 'must be words of a-z'],
  [{ countries: ['Atlantis'] }, 'countries', 'is not a country'],
  [{ min_days: '3', max_days: '2' }, 'max_days', 'must not be less than “Days at least”'],
  [{ basis: 'weight' }, 'by_weight', ''],
  [
    { basis: 'weight', 'by_weight.0.from': '5', 'by_weight.0.price.EUR': '1' },
    'by_weight.0.from',
    'must be 0',
  ],
  [{ basis: 'value', 'by_value.0.from.EUR': '0' }, 'by_value.0.price', 'is required'],
])('refuses a method with %j at its field', async (typed, field, words) => {
  const { shop, developer } = await untouched();
  const got = await fill(developer, NEW, NEW, { ...METHOD, ...typed });
  expect(got.status).toBe(422);
  const [, summary = ''] = /role="alert"(.*?)<\/div>/.exec(got.html) ?? [];
  expect(summary).toContain(`href="#f-${field}"`);
  expect(summary).toContain(words);
  expect((await shop.get('/settings')).body.shipping.methods).toBeUndefined();
});

it('refuses a flat rate of a country that another page has', async () => {
  const shop = await world();
  const codes = ['DE', 'AT', 'CH', 'FR', 'IT', 'ES', 'PT', 'NL'];
  const by_country = Object.fromEntries(codes.map((code, n) => [code, { flat: 10 + n }]));
  await shop.patch('/settings', { shipping: { flat: 5, free_over: null, by_country } });
  const developer = await asDeveloper(shop.slug);
  const added = { country: 'Netherlands', 'flat.EUR': '21', free: 'same' };
  const fields = Object.entries(added).map(([part, value]) => [`shipping.by_country.3.${part}`, value]);
  const refused = await fill(developer, FLAT, FLAT, Object.fromEntries(fields));
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('id="f-shipping.by_country.3.country-error">is already in the list');
  expect((await shop.get('/settings')).body.shipping.by_country).toEqual(by_country);
});

it.each([
  { basis: 'price', 'price.EUR': '5' },
  { basis: 'weight', 'by_weight.0.from': '0', 'by_weight.0.price.EUR': '5' },
])('saves a method after its error is corrected: %j', async (priced) => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const refused = await fill(developer, NEW, NEW, {
    name: 'Parcel',
    min_days: '3',
    max_days: '1',
    ...priced,
  });
  expect(refused.status).toBe(422);
  const saved = await developer.submit(NEW, { ...fieldsOf(refused.html, NEW), max_days: '5' });
  expect(saved.status).toBe(200);
  expect((await shop.get('/settings')).body.shipping.methods).toMatchObject([{ id: 'parcel', max_days: 5 }]);
});

it.each([
  [['EUR'], /<input id="f-shipping.flat.EUR"[^>]*aria-invalid="true"[^>]*aria-describedby="([^"]+)"/],
  [['EUR', 'USD'], /id="f-shipping.flat">.*?<fieldset aria-describedby="([^"]+)"/],
])('reads the error of an amount in %j out with its field', async (currencies, field) => {
  const shop = await world({ currencies });
  const developer = await asDeveloper(shop.slug);
  const empty = { 'shipping.flat.EUR': '', 'shipping.flat.USD': '' };
  const { html } = await fill(developer, FLAT, FLAT, empty);
  const [, ids = ''] = field.exec(html) ?? [];
  const texts = ids.split(' ').map((id) => new RegExp(`id="${id}">([^<]*)<`).exec(html)?.[1]);
  expect(texts).toContain('is required');
});

it('gives each method an identifier of its own where names leave none', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const names = ['速達', '普通便', 'Express', 'Express'];
  for (const name of names) {
    await fill(developer, NEW, NEW, { name, 'price.EUR': '4' });
    expect(developer.last.html).toContain('Created.');
  }
  const { methods } = (await shop.get('/settings')).body.shipping;
  expect(methods.map((method: { name: string }) => method.name)).toEqual(names);
  expect(methods.map(({ id }: { id: string }) => id)).toEqual(['method', 'method-2', 'express', 'express-2']);
  // An identifier that somebody typed is theirs to choose.
  await fill(developer, NEW, NEW, { name: 'Parcel', id: 'express', 'price.EUR': '4' });
  expect(developer.last.html).toContain('must be unique among the methods');
});
