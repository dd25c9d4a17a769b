import { describe, expect, it } from 'vitest';
import selling from '../../../../docs/selling.md?raw';
import { forgetTenants, sendUcp } from '../../../support/fixtures/agents/agent-shop.ts';
import { asDeveloper, fill } from '../../../support/fixtures/browser.ts';
import { world } from '../../../support/world.ts';

const CHECKOUT = '/developer/settings/checkout';
const GENERAL = '/developer/settings';

it('changes only what its page shows', async () => {
  const shop = await world();
  await shop.patch('/settings', {
    tax: { mode: 'inclusive', rate_percent: 7 },
    shipping: { flat: 3 },
    payments: 'sandbox',
    feeds: { product_url: 'https://a.example.com/{slug}' },
  });
  const developer = await asDeveloper(shop.slug);
  await fill(developer, CHECKOUT, CHECKOUT, { 'checkout.allowed_hosts': 'shop.example.com' });
  expect((await shop.get('/settings')).body).toMatchObject({
    tax: { rate_percent: 7 },
    shipping: { flat: 3 },
    payments: 'sandbox',
    feeds: { product_url: 'https://a.example.com/{slug}' },
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

it('says that a secret has to be typed again after an error in another field', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const secrets = { ...KEY, ...WEBHOOK, 'secrets.checkout_secret': '0123456789abcdef' };
  const wrong = { ...secrets, 'checkout.allowed_hosts': 'no host' };
  const { status, html } = await fill(developer, CHECKOUT, CHECKOUT, wrong);
  expect(status).toBe(422);
  for (const name of Object.keys(secrets)) {
    expect(html).toMatch(new RegExp(`id="f-${name}-hint">Not saved: type it again`));
  }
  expect(html).not.toContain('0123456789');
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

it('keeps browsers from filling in the password of the panel as a secret of the shop', async () => {
  const { html } = await (await asDeveloper((await world()).slug)).get(CHECKOUT);
  const secrets = html.match(/<input[^>]*type="password"[^>]*>/g) ?? [];
  expect(secrets).toHaveLength(3);
  // They ignore "off" where a password is asked for.
  for (const field of secrets) expect(field).toContain('autocomplete="new-password"');
});

it.each([['no host', 'line 2: must be a host name']])('names the line of %j', async (typed, words) => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const got = await fill(developer, CHECKOUT, CHECKOUT, {
    'checkout.allowed_hosts': `shop.example.com\n${typed}`,
  });
  expect(got.html).toContain(`id="f-checkout.allowed_hosts-error">${words}`);
});

describe('the settings for agents', () => {
  const AGENTS = '/developer/settings/agents';

  it('are saved, and the page shows what is missing and the profile', async () => {
    const shop = await world();
    const developer = await asDeveloper(shop.slug);
    await developer.get(AGENTS);
    expect(developer.last.html).toContain('missing');
    expect(developer.last.html).toMatch(/for="f-ucp\.policies\.terms">[^<]*URL/);
    expect(developer.last.html).toContain(`/ucp/${shop.slug}/.well-known/ucp`);
    const host = `shop-${shop.slug}.example.com`;
    await fill(developer, AGENTS, AGENTS, {
      'ucp.enabled': 'yes',
      'ucp.storefront_url': 'https://shop.example.com/',
      'ucp.hosts': host,
      'ucp.policies.refunds': 'https://shop.example.com/refunds',
    });
    expect(developer.last.html).toContain('Saved.');
    expect((await shop.get('/settings')).body.ucp).toEqual({
      enabled: true,
      hosts: [host],
      storefront_url: 'https://shop.example.com/',
      product_url: null,
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

it('says at the fields for agents that a host is taken, or that the plan has no agents', async () => {
  const AGENTS = '/developer/settings/agents';
  const host = `shop-${crypto.randomUUID().slice(0, 8)}.example.com`;
  const other = await world();
  expect((await other.patch('/settings', { ucp: { enabled: false, hosts: [host] } })).status).toBe(200);
  const taken = await fill(await asDeveloper((await world()).slug), AGENTS, AGENTS, { 'ucp.hosts': host });
  expect([taken.status, taken.html]).toEqual([409, expect.stringContaining('id="f-ucp.hosts-error">')]);
  const starter = await asDeveloper((await world({ plan: 'starter' })).slug);
  const refused = await fill(starter, AGENTS, AGENTS, { 'ucp.enabled': 'yes' });
  expect([refused.status, refused.html]).toEqual([
    403,
    expect.stringContaining('id="f-ucp.enabled-error">Your plan has no shopping agents.'),
  ]);
});
