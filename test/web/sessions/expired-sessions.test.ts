import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { openForm } from '../../../src/web/sessions/resume.ts';
import { asAdmin, asDeveloper, Browser, fieldsOf, type Got } from '../../support/fixtures/browser.ts';
import { type World, world } from '../../support/world.ts';
import { ended, endSessions, FORM, PASSWORD, send, signIn, TYPED } from './session-steps.ts';

/** A session that ends leads back to where it ended, with what was typed. */

/** Opens what the sign-in page carries of the form that was sent last. */
const heldBy = ({ last }: Browser) => openForm(env, `${fieldsOf(last.html, '/developer/sign-in')._resume}`);

it('comes back to the same form with what was typed, and sends nothing until its button is pressed', async () => {
  const { shop, browser } = await ended();
  const asked = await send(browser, FORM, TYPED);
  expect(asked.status).toBe(401);
  expect(asked.html).toContain('Your session has ended');
  expect(asked.html).not.toContain('Hopper');
  // A wrong password loses nothing.
  expect((await signIn(browser, shop, { password: 'not this one' })).status).toBe(401);
  const again = await signIn(browser, shop);
  expect(again.status).toBe(200);
  expect(again.html).toContain('You are signed in again. Nothing was saved yet');
  expect(fieldsOf(again.html, FORM)).toMatchObject(TYPED);
  const invited = () =>
    env.DB.prepare('SELECT 1 FROM panel_users WHERE email = ? AND tenant_id = ?')
      .bind(TYPED.person_email, shop.tenantId)
      .first();
  expect(await invited()).toBeNull();
  const done = await browser.post(FORM, fieldsOf(again.html, FORM));
  expect([done.status, done.html.includes('Invitation for Grace')]).toEqual([200, true]);
  expect(await invited()).not.toBeNull();
});

it('comes back when the browser has dropped the cookie, too', async () => {
  const { shop, browser } = await ended();
  for (const name of [...browser.cookies.keys()])
    if (name.endsWith('developer')) browser.cookies.delete(name);
  await send(browser, FORM, TYPED);
  expect(fieldsOf((await signIn(browser, shop)).html, FORM)).toMatchObject(TYPED);
});

it('does not keep passwords and secrets', async () => {
  const { shop, browser } = await ended();
  await send(browser, '/developer/account/password', {
    current_password: PASSWORD,
    password: 'brand new secret',
  });
  expect((await heldBy(browser))?.fields).toEqual({});
  const again = await signIn(browser, shop);
  expect(again.html).toContain('<h1>Change the password</h1>');
  for (const secret of [PASSWORD, 'brand new secret']) expect(again.html).not.toContain(secret);
  const owner = (await ended()).browser;
  const keys = {
    'secrets.stripe_secret_key': 'sk_live_1',
    'secrets.checkout_secret': 'a long secret of mine',
  };
  await send(owner, '/developer/settings/checkout', { payments: 'stripe', ...keys });
  expect((await heldBy(owner))?.fields).toEqual({ payments: ['stripe'] });
});

it('shows a form that was held longer than an hour empty, and an altered one not at all', async () => {
  const { shop, browser } = await ended();
  await send(browser, FORM, TYPED);
  moveClock(3_600_000 + 1_000);
  expect((await signIn(browser, shop)).headers.get('location')).toBe('/developer');
  const other = await ended();
  await send(other.browser, FORM, TYPED);
  const hidden = fieldsOf(other.browser.last.html, '/developer/sign-in');
  // Not the last character: some of its bits may be padding.
  const altered = `${hidden._resume}`.replace(/.(?=.{8}$)/, (one) => (one === 'A' ? 'B' : 'A'));
  expect((await signIn(other.browser, other.shop, { _resume: altered })).status).toBe(303);
});

it.each([
  ['another site', { origin: 'https://evil.example' }, TYPED],
  ['more than 32 KiB', {}, { ...TYPED, person_name: 'x'.repeat(33 * 1024) }],
])('does not hold a form of %s', async (_case, headers, fields) => {
  const { browser } = await ended();
  const got = await send(browser, FORM, fields, headers);
  expect(got.status).toBe(401);
  expect(got.html).not.toContain('_resume');
  expect(got.html.includes('too large to be kept')).toBe(fields.person_name.length > 32 * 1024);
  expect(got.html).toContain('href="/developer/sign-in"');
});

it('comes back in the admin panel, too', async () => {
  const browser = new Browser();
  const asked = await browser.get('/admin/health');
  await browser.get(asked.headers.get('location') ?? '');
  const hidden = fieldsOf(browser.last.html, '/admin/sign-in');
  const back = await browser.post('/admin/sign-in', { ...hidden, secret: env.SUPER_ADMIN_TOKEN });
  expect(back.headers.get('location')).toBe('/admin/health');
  const admin = await asAdmin();
  await admin.get('/admin/new-tenant');
  for (const name of [...admin.cookies.keys()]) if (name.endsWith('admin')) admin.cookies.delete(name);
  await send(admin, '/admin/new-tenant', {
    name: 'Half typed',
    slug: 'half',
    currency: 'EUR',
    plan: 'growth',
  });
  const again = await admin.post('/admin/sign-in', {
    ...fieldsOf(admin.last.html, '/admin/sign-in'),
    secret: env.SUPER_ADMIN_TOKEN,
  });
  expect(fieldsOf(again.html, '/admin/new-tenant')).toMatchObject({ name: 'Half typed', plan: 'growth' });
});

/** A session that ends while a form is open; returns the form that is shown after the next sign-in, filled in. */
async function resumed(shop: World, page: string, path: string, typed: Record<string, string>) {
  const browser = await asDeveloper(shop.slug);
  const { html } = await browser.get(page);
  const fields = fieldsOf(html, path);
  await endSessions(shop);
  return async (): Promise<Got> => {
    await send(browser, path, { ...fields, ...typed } as Record<string, string>);
    const again = await signIn(browser, shop);
    expect(again.html).toContain('You are signed in again');
    return browser.submit(path, fieldsOf(again.html, path));
  };
}

it('comes back with every row that was typed', async () => {
  const shop = await world();
  const tax = '/developer/settings/tax';
  const rates = { DE: '19', AT: '20', CH: '8.1' };
  const typed = Object.entries(rates).flatMap(([country, rate], n) => [
    [`tax.rates_by_country.${n}.country`, country],
    [`tax.rates_by_country.${n}.rate`, rate],
  ]);
  await (await resumed(shop, tax, tax, Object.fromEntries(typed)))();
  expect((await shop.get('/settings')).body.tax.rates_by_country).toEqual({ DE: 19, AT: 20, CH: 8.1 });
});

it('comes back to the page of a list that was typed into', async () => {
  const shop = await world();
  const slots = Array.from({ length: 7 }, (_, n) => ({
    from: `2100-01-0${n + 1}T08:00:00.000Z`,
    to: `2100-01-0${n + 1}T09:00:00.000Z`,
    capacity: 4,
  }));
  const booking = { timezone: 'UTC', slots };
  const { id } = (await shop.post('/products', { name: 'Course', type: 'booking', price: 9, booking })).body;
  const page = `/developer/products/${id}/slots`;
  await (await resumed(shop, `${page}?page=2`, page, { 'slots.0.capacity': '9' }))();
  const { body } = await shop.get(`/products/${id}`);
  const wanted = slots.map((slot, n) => ({ ...slot, capacity: n === 6 ? 9 : 4 }));
  expect(body.booking.slots).toMatchObject(wanted);
});

it('comes back without undoing what somebody else has saved meanwhile', async () => {
  const shop = await world();
  const { id } = (await shop.post('/categories', { name: 'Mugs', description: 'For tea' })).body;
  const page = `/developer/categories/${id}`;
  const comeBack = await resumed(shop, page, page, { description: 'For coffee' });
  await shop.patch(`/categories/${id}`, { name: 'Cups' });
  await comeBack();
  const { body } = await shop.get(`/categories/${id}`);
  expect(body).toMatchObject({ name: 'Cups', description: 'For coffee' });
});

it('comes back to the product that was to be duplicated, without a copy', async () => {
  const shop = await world();
  const { id } = (await shop.post('/products', { name: 'Mug', type: 'simple', price: 5 })).body;
  const browser = await asDeveloper(shop.slug);
  const page = `/developer/products/${id}`;
  await browser.get(page);
  await endSessions(shop);
  expect((await send(browser, `${page}/duplicate`, {})).status).toBe(401);
  const again = await signIn(browser, shop);
  const to = again.headers.get('location') ?? '';
  expect([again.status, to]).toEqual([303, `${page}?note=resumed`]);
  expect((await browser.get(to)).html).toContain('Nothing was saved yet');
  expect((await shop.get('/products')).body.meta.total).toBe(1);
});

it('takes a sign-out after the session has ended for no form to come back to', async () => {
  const { browser } = await ended();
  const left = await send(browser, '/developer/sign-out', {});
  expect([left.status, left.html.includes('Sign in to your shop')]).toEqual([401, true]);
  expect(left.html).not.toContain('nothing was saved');
});
