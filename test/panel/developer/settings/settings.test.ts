import { describe, expect, it } from 'vitest';
import selling from '../../../../docs/selling.md?raw';
import { forgetTenants, sendUcp } from '../../../support/fixtures/agents/agent-shop.ts';
import { asDeveloper, fieldsOf, fill } from '../../../support/fixtures/browser.ts';
import { world } from '../../../support/world.ts';

const TAX = '/developer/settings/tax';
const CHECKOUT = '/developer/settings/checkout';
const GENERAL = '/developer/settings';

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
    ...{ 'tax.mode': 'inclusive', 'tax.rate_percent': '19', 'tax.shipping_taxed': 'yes' },
    ...byCountry(['Germany', '19'], ['ch', '8,1']),
    ...rows('tax.rates_by_class', [
      { name: 'books', country: '', rate: '7' },
      { name: 'books', country: 'Switzerland', rate: '2,6' },
      { name: 'food and drink', country: '', rate: '5.5' },
    ]),
  });
  expect(developer.last.html).toContain('Saved.');
  const { tax } = (await shop.get('/settings')).body;
  expect(tax).toEqual({
    ...{ mode: 'inclusive', rate_percent: 19, shipping_taxed: true, rates_by_country: { DE: 19, CH: 8.1 } },
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
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
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

it('changes only what its page shows', async () => {
  const shop = await world();
  await shop.patch('/settings', {
    ...{ tax: { mode: 'inclusive', rate_percent: 7 }, shipping: { flat: 3 }, payments: 'sandbox' },
    feeds: { product_url: 'https://a.example.com/{slug}' },
  });
  const developer = await asDeveloper(shop.slug);
  await fill(developer, CHECKOUT, CHECKOUT, { 'checkout.allowed_hosts': 'shop.example.com' });
  expect((await shop.get('/settings')).body).toMatchObject({
    ...{ tax: { rate_percent: 7 }, shipping: { flat: 3 }, payments: 'sandbox' },
    ...{ feeds: { product_url: 'https://a.example.com/{slug}' } },
    checkout: { allowed_hosts: ['shop.example.com'], external_url: null },
  });
});

it('shows what the platform has set', async () => {
  const shop = await world({ name: 'Kettle & Cup', currencies: ['EUR', 'CHF'] });
  const { html } = await (await asDeveloper(shop.slug)).get(GENERAL);
  for (const text of ['Kettle &amp; Cup', shop.slug, 'EUR, CHF', 'growth']) expect(html).toContain(text);
});

it('says which endpoint and events Stripe needs, as the page of payments does', async () => {
  const shop = await world();
  const { html } = await (await asDeveloper(shop.slug)).get(CHECKOUT);
  expect(html).toMatch(new RegExp(`https?://[^/<]+/payments/stripe/${shop.slug}</code>`));
  const named = new Set(selling.match(/(?<=`)(checkout\.session|charge|refund)\.[a-z_.]+(?=`)/g));
  expect(named.size).toBe(11);
  for (const event of named) expect(html).toContain(`<code>${event}</code>`);
});

const KEY = { 'secrets.stripe_secret_key': 'sk_test_0123456789' };
const WEBHOOK = { 'secrets.stripe_webhook_secret': 'whsec_0123456789' };

it.each([
  [{}, 'secrets.stripe_secret_key'],
  [KEY, 'secrets.stripe_webhook_secret'],
  [WEBHOOK, 'secrets.stripe_secret_key'],
])('refuses Stripe with only %j, at the field of the secret', async (typed, field) => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const got = await fill(developer, CHECKOUT, CHECKOUT, { payments: 'stripe', ...typed });
  expect(got.status).toBe(422);
  expect(got.html).toMatch(new RegExp(`id="f-${field}-error">is required while payments is stripe`));
  expect((await shop.get('/settings')).body.payments).toBe('none');
});

it('keeps the secrets of Stripe while it is chosen, and never shows them', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await fill(developer, CHECKOUT, CHECKOUT, { payments: 'stripe', ...KEY, ...WEBHOOK });
  const { html } = await developer.get(CHECKOUT);
  expect(html).toMatch(/id="f-secrets.stripe_secret_key-hint">Set/);
  expect(html).not.toMatch(/sk_test|whsec_0/);
  const remove = { 'remove.stripe_secret_key': 'yes' };
  const refused = await fill(developer, CHECKOUT, CHECKOUT, remove);
  expect([refused.status, refused.html.includes('href="#f-secrets.stripe_secret_key"')]).toEqual([422, true]);
  await fill(developer, CHECKOUT, CHECKOUT, { payments: 'none', ...remove });
  expect((await developer.get(CHECKOUT)).html).toMatch(/id="f-secrets.stripe_secret_key-hint">Not set/);
});

it.each([['no host', 'line 2: must be a host name']])('names the line of %j', async (typed, words) => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const got = await fill(developer, CHECKOUT, CHECKOUT, {
    'checkout.allowed_hosts': `shop.example.com\n${typed}`,
  });
  expect(got.html).toContain(`id="f-checkout.allowed_hosts-error">${words}`);
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

describe('the settings for agents', () => {
  const AGENTS = '/developer/settings/agents';

  it('are saved, and the page shows what is missing and the profile', async () => {
    const shop = await world();
    const developer = await asDeveloper(shop.slug);
    await developer.get(AGENTS);
    expect(developer.last.html).toContain('missing');
    expect(developer.last.html).toContain(`/ucp/${shop.slug}/.well-known/ucp`);
    const host = `shop-${shop.slug}.example.com`;
    await fill(developer, AGENTS, AGENTS, {
      ...{ 'ucp.enabled': 'yes', 'ucp.storefront_url': 'https://shop.example.com/', 'ucp.hosts': host },
      'ucp.policies.refunds': 'https://shop.example.com/refunds',
    });
    expect(developer.last.html).toContain('Saved.');
    expect((await shop.get('/settings')).body.ucp).toEqual({
      ...{ enabled: true, hosts: [host], storefront_url: 'https://shop.example.com/', product_url: null },
      policies: { privacy: null, terms: null, refunds: 'https://shop.example.com/refunds' },
    });
    expect(developer.last.html).toContain('dev.ucp.shopping.catalog.search');
  });

  it('name the field that is wrong', async () => {
    const shop = await world();
    const developer = await asDeveloper(shop.slug);
    await fill(developer, AGENTS, AGENTS, { 'ucp.enabled': 'yes', 'ucp.storefront_url': 'http://shop' });
    expect(developer.last.html).toContain('must be an https URL');
  });

  it('rotate the signing key after a question, recorded in the audit log', async () => {
    const shop = await world({ settings: { ucp: { enabled: true } } });
    const developer = await asDeveloper(shop.slug);
    await developer.get(AGENTS);
    expect(developer.last.html).toContain('No agent has read the profile yet.');
    const published = async () => {
      // An isolate uses keys that it has read for a second.
      forgetTenants();
      const { body } = await sendUcp('GET', `/ucp/${shop.slug}/.well-known/ucp`);
      return body.signing_keys.map(({ kid }: { kid: string }) => kid);
    };
    const [first] = await published();
    const rotate = `${AGENTS}/rotate-key`;
    expect((await developer.get(AGENTS)).html).toContain(`href="${rotate}"`);
    await fill(developer, rotate, rotate, {});
    const [kept, second] = await published();
    expect([kept, second]).toEqual([first, expect.any(String)]);
    await developer.get(AGENTS);
    expect(developer.last.html).toMatch(new RegExp(`${first}.*signs.*${second}.*announced`, 's'));

    await fill(developer, rotate, rotate, { compromised: 'yes' });
    const [only, ...others] = await published();
    expect(others).toEqual([]);
    expect([first, second]).not.toContain(only);
    const entries = (await shop.get('/audit?action=rotateSigningKey')).body.data;
    expect(entries.map(({ changes }: { changes: object[] }) => changes)).toEqual([
      [{ field: 'compromised', new: 'true' }],
      [],
    ]);
  });
});
