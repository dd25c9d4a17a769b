import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { publishStockChanges } from '../../src/tenants/store.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { registerCustomer } from '../support/fixtures/selling/customers.ts';
import { contextOf, storeOf } from '../support/runtime/runtime.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { admin, world } from '../support/world.ts';

const slugOf = () => `t${crypto.randomUUID().slice(0, 12)}`;

it('creates a tenant with defaults, shows it, lists it, and rejects a second one with its slug', async () => {
  const slug = slugOf();
  const made = await admin('POST', '/tenants', { slug, name: 'Acme', currency: 'EUR', currencies: ['USD'] });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    slug,
    plan: 'starter',
    status: 'active',
    currencies: ['EUR', 'USD'],
    settings: { tax: { mode: 'exclusive', rate_percent: 0 }, shipping: { flat: 0 }, payments: 'none' },
  });
  expect((await admin('GET', `/tenants/${slug}`)).body).toEqual(made.body);
  expect((await admin('GET', '/tenants?limit=100')).body.meta.total).toBeGreaterThan(0);
  const again = await admin('POST', '/tenants', { slug, name: 'Other', currency: 'USD' });
  expect([again.status, again.body.code]).toEqual([409, 'slug_taken']);
  expect((await admin('GET', '/tenants/nobody-here')).body.code).toBe('tenant_not_found');
});

it.each([
  [{ slug: 'Acme' }, 'slug'],
  [{ slug: '1acme' }, 'slug'],
  [{ slug: 'a' }, 'slug'],
  [{ currency: 'euro' }, 'currency'],
  [{ currencies: [] }, 'currencies'],
  [{ plan: 'free' }, 'plan'],
  [{ name: ' ' }, 'name'],
  [{ settings: { shipping: { flat: 1.234 } } }, 'settings.shipping.flat'],
  [{ settings: { shipping: { flat: { USD: 1 } } } }, 'settings.shipping.flat'],
  [
    { settings: { shipping: { flat: 0, by_country: { DE: { flat: 0.001 } } } } },
    'settings.shipping.by_country.DE.flat',
  ],
  [{ settings: { tax: { mode: 'exclusive', rate_percent: 101 } } }, 'settings.tax.rate_percent'],
  [{ settings: { checkout: { allowed_hosts: ['https://a.example'] } } }, 'settings.checkout.allowed_hosts.0'],
  [{ id: 7 }, 'id'],
])('refuses to create %j and names the field', async (more, field) => {
  const answer = await admin('POST', '/tenants', { slug: slugOf(), name: 'Acme', currency: 'EUR', ...more });
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toHaveProperty([field]);
});

it('says how the host of an international domain is written', async () => {
  const shop = await world();
  const withHost = (host: string) => shop.patch('/settings', { checkout: { allowed_hosts: [host] } });
  const refused = await withHost('bücher.example');
  expect(refused.body.errors['checkout.allowed_hosts.0']).toEqual([expect.stringContaining('xn--')]);
  expect((await withHost('xn--bcher-kva.example')).status).toBe(200);
});

it('returns the new catalogue version for changed settings', async () => {
  const shop = await world();
  const version = async (flat: number) =>
    Number((await shop.patch('/settings', { shipping: { flat } })).headers.get('x-catalog-version'));
  const first = await version(4);
  expect(first).toBeGreaterThan(0);
  expect(await version(5)).toBeGreaterThan(first);
  expect(await version(5)).toBe(await version(5));
});

it('replaces the sections of the settings that are named, and keeps the others', async () => {
  const shop = await world();
  const tax = { mode: 'inclusive', rate_percent: 19, rates_by_country: { AT: 20 } };
  expect((await shop.patch('/settings', { tax })).body).toMatchObject({ tax, shipping: { flat: 0 } });
  const checkout = { allowed_hosts: ['shop.example.com'] };
  expect((await shop.patch('/settings', { checkout })).body).toMatchObject({ tax, checkout });
  expect((await shop.get('/settings')).body).toMatchObject({ tax, checkout, payments: 'none' });
  const wrong = await shop.patch('/settings', { shipping: { flat: 0.001 } });
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['shipping.flat']]);
});

it('changes only the named checkout settings, and unsets with null', async () => {
  const shop = await world();
  const external_url = 'https://shop.example.com/pay';
  const patched = async (checkout: object) => (await shop.patch('/settings', { checkout })).body.checkout;
  expect(await patched({ external_url })).toEqual({ allowed_hosts: [], external_url });
  const hosts = { allowed_hosts: ['shop.example.com'] };
  expect(await patched(hosts)).toEqual({ ...hosts, external_url });
  expect(await patched({})).toEqual({ ...hosts, external_url });
  expect(await patched({ external_url: null })).toEqual({ ...hosts, external_url: null });
  const byPlatform = await admin('PATCH', `/tenants/${shop.slug}`, {
    settings: { checkout: { external_url } },
  });
  expect(byPlatform.body.settings.checkout).toEqual({ ...hosts, external_url });
  const slug = slugOf();
  const fresh = { slug, name: 'Acme', currency: 'EUR', settings: { checkout: { external_url } } };
  const made = await admin('POST', '/tenants', fresh);
  expect(made.body.settings.checkout).toEqual({ allowed_hosts: [], external_url });
  const wrong = await shop.patch('/settings', { checkout: { hosts: [] } });
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['checkout.hosts']]);
});

it('moves the catalogue once for a change of stock', async () => {
  const shop = await world();
  await storeOf(shop).prepare('UPDATE tenants SET stock_moved_at = 1 WHERE id = ?').bind(shop.tenantId).run();
  const published = await publishStockChanges(contextOf(shop));
  moveClock(1_000);
  expect((await publishStockChanges(contextOf(shop))).value).toBe(published.value);
});

it('loses none of two concurrent changes', async () => {
  const shop = await world();
  const hosts = { allowed_hosts: ['shop.example.com'] };
  const [a, b] = await Promise.all([
    shop.patch('/settings', { payments: 'sandbox' }),
    shop.patch('/settings', { checkout: hosts }),
  ]);
  expect([a.status, b.status]).toEqual([200, 200]);
  expect((await shop.get('/settings')).body).toMatchObject({ payments: 'sandbox', checkout: hosts });
});

it('changes settings only while they still have the ETag that was seen', async () => {
  const shop = await world();
  const etag = (await shop.get('/settings')).headers.get('etag') ?? '';
  const change = (low_stock_threshold: number) =>
    shop.patch('/settings', { low_stock_threshold }, { headers: { 'if-match': etag } });
  expect((await change(7)).status).toBe(200);
  expectProblem(await change(8), 412, 'precondition_failed');
  expect((await shop.get('/settings')).body.low_stock_threshold).toBe(7);
});

it('keeps the main currency if a product is made while it changes', async () => {
  const shop = await world({ currency: 'EUR' });
  beforeBatch(/update "tenants" set "name"/i, async () => {
    expect((await shop.post('/products', { name: 'Shirt', type: 'simple', price: 1 })).status).toBe(201);
  });
  const changed = await admin('PATCH', `/tenants/${shop.slug}`, { currency: 'USD' });
  expect([changed.status, Object.keys(changed.body.errors ?? {})]).toEqual([422, ['currency']]);
  expect((await admin('GET', `/tenants/${shop.slug}`)).body.currency).toBe('EUR');
});

it('changes the main currency only until there is a product', async () => {
  const shop = await world({ currency: 'EUR' });
  // Neither of these is one, though both raise events.
  expect((await shop.post('/categories', { name: 'Shirts' })).status).toBe(201);
  await registerCustomer(shop);
  // However slow the machine is, the application's lease does not end before the product is sent.
  stopClock();
  const before = await admin('PATCH', `/tenants/${shop.slug}`, { currency: 'USD' });
  expect(before.body).toMatchObject({ currency: 'USD', currencies: ['USD', 'EUR'] });
  const shirt = { name: 'Shirt', type: 'simple', price: 1 };
  // The lease still names the currency of before, in which the price would be.
  const early = await shop.post('/products', shirt);
  expect([early.status, early.body.code]).toEqual([409, 'conflict']);
  moveClock(2_000);
  const made = await shop.post('/products', shirt);
  expect([made.status, made.body.currency]).toEqual([201, 'USD']);
  const after = await admin('PATCH', `/tenants/${shop.slug}`, { currency: 'EUR' });
  expect([after.status, Object.keys(after.body.errors)]).toEqual([422, ['currency']]);
  expect((await admin('PATCH', `/tenants/${shop.slug}`, { name: 'New name' })).body.name).toBe('New name');
});

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'rejects a field named %s like any other unknown field',
  async (field) => {
    const shop = await world();
    const raw = `{"${field}": {"tax": 1}, "tax": {"mode": "inclusive", "rate_percent": 5, "rates_by_country": {"${field}": 7}}}`;
    const answer = await shop.patch('/settings', undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toContain(field);
    expect((await shop.get('/settings')).body.tax.rate_percent).toBe(0);
  },
);

it('stores a name with any characters as written', async () => {
  const shop = await world();
  const name = 'Çay & <b>"Tee"</b> 🫖 日本';
  expect((await admin('PATCH', `/tenants/${shop.slug}`, { name })).body.name).toBe(name);
  expect((await admin('GET', `/tenants/${shop.slug}`)).body.name).toBe(name);
});
