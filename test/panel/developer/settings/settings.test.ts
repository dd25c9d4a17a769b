import { expect, it } from 'vitest';
import { asDeveloper, fill } from '../../../support/fixtures/browser.ts';
import { world } from '../../../support/world.ts';

const CHECKOUT = '/developer/settings/checkout';
const GENERAL = '/developer/settings';

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
