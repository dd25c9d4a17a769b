import { expect, it } from 'vitest';
import { asAdmin, asDeveloper, fieldsOf, fill } from '../support/fixtures/browser.ts';
import { importFile } from '../support/fixtures/imports.ts';
import { world } from '../support/world.ts';

const SETTINGS = '/developer/settings';

/** What a form says beside a field, and whether the field says that it is wrong. */
function besideField(html: string, name: string): { error: string; marked: boolean } {
  const [, error = ''] = new RegExp(`id="f-${name}-error">([^<]*)<`).exec(html) ?? [];
  const [tag = ''] = new RegExp(`<(?:input|textarea|select)[^>]*id="f-${name}"[^>]*>`).exec(html) ?? [];
  return { error, marked: tag.includes('aria-invalid="true"') && tag.includes(`f-${name}-error`) };
}

it('edits tax and shipping by country, and removes countries', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const developer = await asDeveloper(shop.slug);
  const typed =
    'ch 9,90\nUS EUR 12.50, USD 13 free from 100\nNO 15 never free\nSE EUR 8 free from EUR 80, USD 90';
  await fill(developer, SETTINGS, SETTINGS, {
    'tax.rates_by_country': 'DE 19\nCH 8.1 %',
    'tax.rates_by_class': 'books: 7, ch 2,6 %, AT 10\nfood and drink: 5.5',
    'shipping.by_country': typed,
  });
  expect(developer.last.html).toContain('Saved.');
  const { body } = await shop.get('/settings');
  expect(body.tax.rates_by_country).toEqual({ DE: 19, CH: 8.1 });
  expect(body.tax.rates_by_class).toEqual({
    books: { rate_percent: 7, rates_by_country: { CH: 2.6, AT: 10 } },
    'food and drink': { rate_percent: 5.5 },
  });
  expect(body.shipping.by_country).toEqual({
    CH: { flat: 9.9 },
    US: { flat: { EUR: 12.5, USD: 13 }, free_over: 100 },
    NO: { flat: 15, free_over: null },
    SE: { flat: { EUR: 8 }, free_over: { EUR: 80, USD: 90 } },
  });
  // What is shown is what was meant: saving it again changes nothing.
  await fill(developer, SETTINGS, SETTINGS, {});
  expect((await shop.get('/settings')).body).toEqual(body);
  await fill(developer, SETTINGS, SETTINGS, { 'shipping.by_country': 'CH 9.90' });
  expect((await shop.get('/settings')).body.shipping.by_country).toEqual({ CH: { flat: 9.9 } });
});

it.each([
  ['shipping.by_country', 'CH 9.90\nfar away', 'line 2: must be like CH 9.90'],
  ['shipping.by_country', 'CH 9.90\nCH 8', 'line 2: must not repeat CH'],
  ['shipping.by_country', 'CH 9.90 free from', 'line 1: must be like'],
  ['shipping.by_country', 'CH GBP 3', 'does not sell in GBP'],
  ['tax.rates_by_country', 'DE nineteen', 'line 1: must be like DE 19'],
  ['tax.rates_by_class', 'books 7', 'line 1: must be like books: 7'],
  ['shipping.flat', 'EUR 4.901', 'at most 2 decimals in EUR'],
  ['checkout.allowed_hosts', 'shop.example.com\nno host', 'line 2: must be a host name'],
])('shows beside %s why %j is invalid, and keeps the input', async (name, typed, words) => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const before = (await shop.get('/settings')).body;
  const got = await fill(developer, SETTINGS, SETTINGS, { [name]: typed });
  expect(got.status).toBe(422);
  const { error, marked } = besideField(got.html, name);
  expect(error).toContain(words);
  expect(marked).toBe(true);
  expect(got.html).toContain(`href="#f-${name}"`);
  const [, summary = ''] = /role="alert"(.*?)<\/div>/.exec(got.html) ?? [];
  expect(summary).toContain(words);
  expect(fieldsOf(got.html, SETTINGS)[name]).toBe(typed);
  expect((await shop.get('/settings')).body).toEqual(before);
});

it('shows beside the field what is already in use, and which of several origins is invalid', async () => {
  const shop = await world();
  const admin = await asAdmin();
  const taken = await fill(admin, '/admin/new-tenant', '/admin/new-tenant', {
    name: 'Twin',
    slug: shop.slug,
  });
  expect([taken.status, besideField(taken.html, 'slug').error]).toEqual([409, 'The slug is taken.']);
  expect(besideField(taken.html, 'slug').marked).toBe(true);
  const here = `/admin/tenants/${shop.slug}/applications/${shop.applicationId}`;
  const wrong = await fill(admin, here, here, { allowed_origins: 'https://a.example.com\nb.example.com' });
  expect(besideField(wrong.html, 'allowed_origins').error).toMatch(/^line 2: must be an origin/);
});

it('shows whether secrets are set, and never their values', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await fill(developer, SETTINGS, SETTINGS, { 'secrets.stripe_secret_key': 'sk_test_0123456789' });
  const { html } = await developer.get(SETTINGS);
  expect(html).toMatch(/id="f-secrets.stripe_secret_key-hint">Set</);
  expect(html).toMatch(/id="f-secrets.stripe_webhook_secret-hint">Not set</);
  expect(html).not.toContain('sk_test');
});

it('shows beside the field that Stripe needs the callback secret', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const refused = await fill(developer, SETTINGS, SETTINGS, {
    payments: 'stripe',
    'secrets.stripe_secret_key': 'sk_test_0123456789',
  });
  const { error, marked } = besideField(refused.html, 'secrets.stripe_webhook_secret');
  expect([refused.status, error, marked]).toEqual([422, expect.stringContaining('is required'), true]);
  expect((await shop.get('/settings')).body.payments).toBe('none');
});

it('lists past imports with their errors', async () => {
  const shop = await world();
  const { id } = await importFile(shop, 'Handle,Title,Variant Price\nmug,Mug,12\ncup,Cup,none\n');
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer/imports');
  expect(html).toContain(`href="/developer/imports/${id}"`);
  expect(html).toMatch(/data-label="Failed"[^>]*><b class="error">1</);
  expect((await developer.get(`/developer/imports/${id}`)).html).toContain('The price is &quot;none&quot;');
});

it("sets an application's expiration, and resets a password by a link", async () => {
  const shop = await world();
  const admin = await asAdmin();
  const here = `/admin/tenants/${shop.slug}/applications/${shop.applicationId}`;
  await fill(admin, here, here, { expires_at: '2031-05-01T12:30' });
  expect(fieldsOf(admin.last.html, here).expires_at).toBe('2031-05-01T12:30');
  await asDeveloper(shop.slug, admin, 'ada@example.com');
  await admin.get(`/admin/tenants/${shop.slug}`);
  const action = /action="(\/admin\/tenants\/[^"]+\/link)"/.exec(admin.last.html)?.[1] ?? 'none';
  const reset = await admin.submit(action, {});
  expect(reset.html).toContain('Reset link');
  expect(reset.html).toContain('ada@example.com');
});
