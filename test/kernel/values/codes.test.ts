import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countries, isCountry } from '../../../src/kernel/values/countries.ts';
import { isCurrency } from '../../../src/kernel/values/currencies.ts';
import { exponent } from '../../../src/kernel/values/money.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { lazy } from '../../support/lazy.ts';
import { admin, send, type World, world } from '../../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

/** Currencies, countries, origins and hosts: one rule wherever they are taken. */

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

describe('the lists', () => {
  it('contain the 249 countries of ISO 3166-1, each with a name', () => {
    const codes = letters.flatMap((a) => letters.map((b) => a + b)).filter(isCountry);
    expect(codes).toHaveLength(249);
    expect(
      countries()
        .map(({ code }) => code)
        .sort(),
    ).toEqual(codes);
    expect(countries().filter(({ code, name }) => code === name)).toEqual([]);
    for (const code of ['XK', 'ZZ', 'QQ', 'EU', 'UK', 'de', '']) expect(isCountry(code)).toBe(false);
  });

  it('contain currencies with minor units of every exponent', () => {
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const known = codes.filter(isCurrency);
    expect(known).toHaveLength(165);
    const odd = codes.filter((code) => exponent(code) !== 2);
    expect(odd.filter((code) => !isCurrency(code))).toEqual([]);
    for (const code of ['QQQ', 'XXX', 'XTS', 'XAU', 'XDR', 'eur', 'EURO', ''])
      expect(isCurrency(code)).toBe(false);
  });
});

const refuses = async (answer: Awaited<ReturnType<typeof send>>, field: string) => {
  expectProblem(answer, 422, 'validation_error');
  expect(Object.keys(answer.body.errors)).toEqual([field]);
};

describe.each(['QQQ', 'XXX', 'XTS'])('the currency %s', (code) => {
  it('is rejected wherever one is accepted', async () => {
    const shop = await world();
    const of = `/tenants/${shop.slug}`;
    const slug = `t${crypto.randomUUID().slice(0, 12)}`;
    await refuses(await admin('POST', '/tenants', { slug, name: 'T', currency: code }), 'currency');
    await refuses(await admin('PATCH', of, { currency: code }), 'currency');
    await refuses(await admin('PATCH', of, { currencies: ['EUR', code] }), 'currencies.1');
    const flat = { shipping: { flat: { [code]: 1 } } };
    await refuses(await shop.patch('/settings', flat), 'shipping.flat');
    await refuses(await admin('PATCH', of, { settings: flat }), 'settings.shipping.flat');
    await refuses(await shop.post('/cart', { currency: code }), 'currency');
    const item = { name: 'Cup', type: 'simple', price: 1 };
    await refuses(await shop.post('/products', { ...item, prices: { [code]: 1 } }), `prices.${code}`);
    await refuses(await shop.get(`/products?currency=${code}`), 'currency');
    const coupon = { code: 'A', kind: 'fixed', value: { [code]: 1 } };
    const made = await shop.post('/coupons', coupon);
    expectProblem(made, 422, 'validation_error');
  });
});

describe.each(['ZZ', 'XK', 'QQ'])('the country %s', (code) => {
  it('is rejected wherever one is accepted', async () => {
    const shop = await world();
    const cart = (await shop.post('/cart', {})).body.cart_token;
    await refuses(await shop.put(`/cart/${cart}/shipping-address`, { country: code }), 'country');
    const order = { session: 'x', shipping_address: { country: code } };
    await refuses(await shop.post('/orders', order), 'shipping_address.country');
    for (const [settings, field] of [
      [
        { tax: { mode: 'exclusive', rate_percent: 1, rates_by_country: { [code]: 2 } } },
        'tax.rates_by_country',
      ],
      [{ shipping: { flat: 1, by_country: { [code]: 2 } } }, 'shipping.by_country'],
    ] as const) {
      await refuses(await shop.patch('/settings', settings), `${field}.${code}`);
      const patched = await admin('PATCH', `/tenants/${shop.slug}`, { settings });
      await refuses(patched, `settings.${field}.${code}`);
    }
  });
});

const applications = (shop: World) => `/admin/v1/tenants/${shop.slug}/applications`;

it.each([
  'https://*.example.com',
  'https://*',
  'http://*:3000',
  'https://shop.example.com/',
  'https://shop.example.com/shop',
  'https://shop.example.com?x',
  'https://shop.example.com#x',
  'https://shop.example.com:443',
  'http://shop.example.com:80',
  'https://shop.example.com:99999',
  'https://shop.example.com:0',
  'https://user@shop.example.com',
  'https://SHOP.example.com',
  'https://münchen.example.com',
  'https://shop example.com',
  'https://',
  'ftp://shop.example.com',
  'null',
  '*',
])('rejects %s as an origin', async (origin) => {
  const shop = await untouched();
  const body = { name: 'App', kind: 'storefront', allowed_origins: ['https://shop.example.com', origin] };
  const options = { token: env.SUPER_ADMIN_TOKEN, body };
  await refuses(await send('POST', applications(shop), options), 'allowed_origins.1');
});

it('accepts the origins that browsers send', async () => {
  const shop = await world();
  const allowed_origins = [
    'https://shop.example.com',
    'https://shop.example.com:8443',
    'http://localhost:3000',
    'http://127.0.0.1:65535',
    'http://[::1]:3000',
    'https://xn--mnchen-3ya.example.com',
  ];
  const body = { name: 'App', kind: 'storefront', allowed_origins };
  const made = await send('POST', applications(shop), { token: env.SUPER_ADMIN_TOKEN, body });
  expect([made.status, made.body.allowed_origins]).toEqual([201, allowed_origins]);
});

it.each([
  'shop.example.com:99999',
  'shop.example.com:65536',
  'shop.example.com:0',
  'shop.example.com:',
  'shop.example.com:08443',
  '*.example.com',
  'https://shop.example.com',
  'shop.example.com/shop',
  'SHOP.example.com',
  'shop..example.com',
  '-shop.example.com',
  'shop.example.com.',
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(126)}aa`,
  '1.2.3.4',
  'shop.example.1',
  '[::1]',
  'shop',
  '',
])('rejects %s as a host', async (host) => {
  const shop = await untouched();
  const settings = { checkout: { allowed_hosts: ['shop.example.com', host] } };
  await refuses(await shop.patch('/settings', settings), 'checkout.allowed_hosts.1');
});

it('accepts hosts with a port, and drops the default port', async () => {
  const shop = await world();
  const allowed_hosts = ['shop.example.com', 'shop.example.com:8443', 'a.example.com:443', 'localhost:65535'];
  const changed = await shop.patch('/settings', { checkout: { allowed_hosts } });
  expect(changed.body.checkout.allowed_hosts).toEqual(allowed_hosts.map((host) => host.replace(':443', '')));
});
