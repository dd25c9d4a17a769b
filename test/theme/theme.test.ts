import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { NEWEST } from '../support/fixtures/catalog/products.ts';
import { admin, world } from '../support/world.ts';

it('shows a new tenant the default theme, and changes immediately', async () => {
  const shop = await world();
  const before = await shop.get('/theme/options');
  expect(before.status).toBe(200);
  expect(before.body.tenant).toBe(shop.slug);
  expect(before.body.shop_name).toBe((await admin('GET', `/tenants/${shop.slug}`)).body.name);
  expect(before.body.colors.background).toBe('#FFFFFF');

  const patched = await shop.patch('/theme/options', {
    colors: { primary: '#112233' },
    logo_url: 'https://cdn.example.com/logo.png',
  });
  expect(patched.status).toBe(200);
  const version = patched.headers.get('x-catalog-version') ?? '';
  const after = await shop.get('/theme/options', { headers: { 'x-catalog-version': version } });
  expect(after.body.colors).toMatchObject({ primary: '#112233', background: '#FFFFFF' });
  expect(after.body.logo_url).toBe('https://cdn.example.com/logo.png');
  expect((await shop.patch('/theme/options', { logo_url: null })).body.logo_url ?? null).toBeNull();
});

it('tells a storefront the currencies and whether prices include tax, as they are now', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const { body } = await shop.get('/theme/options');
  expect(body).toMatchObject({ currency: 'EUR', currencies: ['EUR', 'USD'], tax_included: false });
  const settings = { tax: { mode: 'inclusive', rate_percent: 19 } };
  const changed = await admin('PATCH', `/tenants/${shop.slug}`, { currencies: ['EUR', 'JPY'], settings });
  expect(changed.status).toBe(200);
  const after = await shop.get('/theme/options', NEWEST);
  expect(after.body).toMatchObject({ currency: 'EUR', currencies: ['EUR', 'JPY'], tax_included: true });
  const patched = await shop.patch('/theme/options', { colors: { primary: '#112233' } });
  expect(patched.body).toMatchObject({ currencies: ['EUR', 'JPY'], tax_included: true });
});

it('tells a storefront the tax rates, for prices with and without tax, as they are now', async () => {
  const shop = await world();
  expect((await shop.get('/theme/options')).body.tax_rates).toEqual({ rate_percent: 0 });
  const rates = {
    rate_percent: 19,
    rates_by_country: { AT: 20 },
    rates_by_class: { food: { rate_percent: 7, rates_by_country: { AT: 10 } } },
  };
  await shop.patch('/settings', { tax: { ...rates, mode: 'inclusive', shipping_taxed: true } });
  expect((await shop.get('/theme/options', NEWEST)).body.tax_rates).toEqual(rates);
});

it('tells a storefront the countries that a method delivers to, as they are now', async () => {
  const [shop, other] = [await world({ currencies: ['EUR', 'USD'] }), await world()];
  const countriesWith = async (...methods: object[]) => {
    const named = methods.map((method, n) => ({ id: `m${n}`, name: `M${n}`, price: 5, ...method }));
    const changed = await shop.patch('/settings', { shipping: { flat: 5, methods: named } });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    return (await shop.get('/theme/options', NEWEST)).body.shipping_countries;
  };
  expect((await shop.get('/theme/options')).body.shipping_countries).toBeNull();
  const [near, far] = [{ countries: ['DE', 'AT'] }, { countries: ['US', 'DE'], price: { USD: 9 } }];
  expect(await countriesWith(near, far)).toEqual(['AT', 'DE', 'US']);
  expect(await countriesWith(near, { ...far, active: false })).toEqual(['AT', 'DE']);
  expect(await countriesWith(near, {})).toBeNull();
  expect(await countriesWith({ ...near, active: false })).toEqual([]);
  const patched = await shop.patch('/theme/options', { colors: { primary: '#112233' } });
  expect(patched.body.shipping_countries).toEqual([]);
  expect((await other.get('/theme/options', NEWEST)).body.shipping_countries).toBeNull();
});

it.each([false, true])('removes what is set to null, with an earlier theme or not: %s', async (before) => {
  const shop = await world();
  const fresh = (await shop.get('/theme/options')).body;
  const font_family = 'Georgia, serif';
  if (before)
    expect((await shop.patch('/theme/options', { font_family })).body.font_family).toBe(font_family);
  const patched = await shop.patch('/theme/options', {
    font_family: null,
    logo_url: null,
    favicon_url: null,
  });
  expect([patched.status, patched.body]).toEqual([200, fresh]);
});

it.each([
  [{ colors: { primary: 'red' } }, 'colors.primary'],
  [{ font_family: '<script>' }, 'font_family'],
  [{ logo_url: 'http://cdn.example.com/a.png' }, 'logo_url'],
  [{ logo: 'x' }, 'logo'],
])('rejects %j and names the field', async (patch, field) => {
  const shop = await world();
  const answer = await shop.patch('/theme/options', patch);
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toHaveProperty([field]);
});

it('takes a logo from a service on this machine only where local URLs are allowed', async () => {
  const shop = await world();
  const logo_url = `http://127.0.0.1:8787/media/demo/${'a'.repeat(64)}`;
  const refused = await shop.patch('/theme/options', { logo_url });
  expectProblem(refused, 422, 'validation_error');
  expect(refused.body.errors).toEqual({ logo_url: ['must be an https URL'] });
  const local = { ...env, DEV_ALLOW_LOCAL_URLS: 'true' };
  const init = { body: JSON.stringify({ logo_url }), headers: { 'content-type': 'application/json' } };
  const answer = await fetchWith(local, 'PATCH', '/v1/theme/options', shop.token, init);
  expect([answer.status, await answer.json()]).toMatchObject([200, { logo_url }]);
});

it('changes the theme only while it has the ETag of If-Match, of whichever read or change that is', async () => {
  const shop = await world();
  const tag = async () => (await shop.get('/theme/options')).headers.get('etag') ?? '';
  const patch = (match: string, body: object) =>
    shop.patch('/theme/options', body, { headers: { 'if-match': match } });
  const first = await tag();
  const changed = await patch(first, { font_family: 'Georgia' });
  expect(changed.status).toBe(200);
  expectProblem(await patch(first, { font_family: 'Arial' }), 412, 'precondition_failed');
  const second = changed.headers.get('etag') ?? '';
  const both = await Promise.all(['Inter', 'Lato'].map((name) => patch(second, { font_family: name })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const version = both.find(({ status }) => status === 200)?.headers.get('x-catalog-version') ?? '';
  const read = await shop.get('/theme/options', { headers: { 'x-catalog-version': version } });
  expect(read.headers.get('etag')).toBe(both.find(({ status }) => status === 200)?.headers.get('etag'));
  expect((await patch('*', { font_family: null })).status).toBe(200);
});
