import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { asAdmin, asDeveloper, Browser, invitation } from '../../support/fixtures/browser.ts';
import { emitEvent, Receiver, subscribe } from '../../support/fixtures/webhooks.ts';
import { send, world } from '../../support/world.ts';

const slug = () => `p${crypto.randomUUID().slice(0, 12)}`;
const tokenIn = (html: string) => /value="(sfe_live_[^"]+)"/.exec(html)?.[1] ?? 'none';

it('creates a tenant and an application whose token works, and deactivates it', async () => {
  const admin = await asAdmin();
  const name = slug();
  await admin.get('/admin/new-tenant');
  const made = await admin.submit('/admin/new-tenant', {
    name: 'Acme',
    slug: name,
    currency: 'EUR',
    plan: 'growth',
  });
  expect(made.html).toContain('<h1>Acme</h1>');
  const fields = {
    name: 'Shop',
    kind: 'storefront',
    scopes_storefront: ['catalog:read'],
    allowed_origins: '',
  };
  await admin.get(`/admin/tenants/${name}/applications/new`);
  const once = /name="_once" value="([^"]+)"/.exec(admin.last.html)?.[1] ?? '';
  const form = { ...fields, rate_limit_per_minute: '', _once: once };
  const first = await admin.post(`/admin/tenants/${name}/applications/new`, form);
  const token = tokenIn(first.html);
  expect((await send('GET', '/v1/products', { token })).status).toBe(200);
  // A second click on the button makes no second application.
  const again = await admin.post(`/admin/tenants/${name}/applications/new`, form);
  expect(tokenIn(again.html)).toBe(token);
  const list = await admin.get(`/admin/tenants/${name}/applications`);
  expect(list.html).toContain('1 in total');
  expect(list.html).not.toContain(token);
  const id = /applications\/(\d+)"/.exec(list.html)?.[1];
  await admin.get(`/admin/tenants/${name}/applications/${id}`);
  await admin.submit(`/admin/tenants/${name}/applications/${id}`, {
    name: 'Window',
    allowed_origins: '',
    rate_limit_per_minute: '',
    scopes: 'catalog:read',
  });
  expect(admin.last.html).toContain('Saved.');
  const asked = await admin.get(`/admin/tenants/${name}/applications/${id}/disable`);
  expect(asked.html).toContain('Disable the token of Window?');
  moveClock(2_000);
  expect((await send('GET', '/v1/products', { token })).status).toBe(200);
  await admin.submit(`/admin/tenants/${name}/applications/${id}/disable`, {});
  moveClock(2_000);
  expect((await send('GET', '/v1/products', { token })).status).toBe(401);
});

it('searches the tenants by slug and name, and keeps the search on the next page', async () => {
  const admin = await asAdmin();
  const mark = crypto.randomUUID().slice(0, 8);
  for (let n = 10; n < 31; n++)
    await send('POST', '/admin/v1/tenants', {
      token: env.SUPER_ADMIN_TOKEN,
      body: { slug: `s${mark}-${n}`, name: `Shop ${mark}`, currency: 'EUR' },
    });
  const found = await admin.get(`/admin?q=+shop+${mark.toUpperCase()}+`);
  expect(found.html).toContain(`value="shop ${mark.toUpperCase()}"`);
  expect(found.html).toContain('21 in total');
  expect(found.html).toContain(`s${mark}-29`);
  expect(found.html).not.toContain(`s${mark}-30`);
  const next = /href="(\/admin\?[^"]*page=2[^"]*)"/.exec(found.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await admin.get(next)).html).toContain(`s${mark}-30`);
  const none = await admin.get(`/admin?q=nobody-${mark}`);
  expect(none.html).toContain('No tenants found.');
  expect(none.html).toContain('<a href="/admin">Show all tenants</a>');
  const refused = await admin.get(`/admin?q=${'x'.repeat(101)}`);
  expect([refused.status, refused.html.includes('role="alert">q: ')]).toEqual([422, true]);
});

it('creates a tenant of the EU, and shows where its data is stored', async () => {
  const admin = await asAdmin();
  const form = await admin.get('/admin/new-tenant');
  expect(form.html).toContain('Where its data is stored');
  const fields = { name: 'Käse', currency: 'EUR', plan: 'growth' };
  const inEu = await admin.submit('/admin/new-tenant', { ...fields, slug: slug(), jurisdiction: 'eu' });
  expect(inEu.html).toContain('in the EU only');
  await admin.get('/admin/new-tenant');
  const elsewhere = await admin.submit('/admin/new-tenant', { ...fields, slug: slug(), jurisdiction: '' });
  expect(elsewhere.html).toContain('anywhere');
});

it('names the invalid field, and keeps the input', async () => {
  const admin = await asAdmin();
  await admin.get('/admin/new-tenant');
  const got = await admin.post('/admin/new-tenant', {
    name: 'Acme & Söhne',
    slug: 'NOT A SLUG',
    currency: 'EUR',
    plan: 'growth',
  });
  expect(got.status).toBe(422);
  expect(got.html).toContain('href="#f-slug"');
  expect(got.html).toContain('value="Acme &amp; Söhne"');
  expect(got.html).toMatch(/id="f-slug"[^>]*aria-invalid="true"/);
});

it('invites a developer once, who signs in and loses access when removed', async () => {
  const shop = await world();
  const admin = await asAdmin();
  const link = await invitation(admin, shop.slug, 'grace@example.com');
  const grace = new Browser();
  await grace.get(link);
  const home = await grace.submit(link, { password: 'a long enough one' });
  expect(home.html).toContain('Welcome. Your account is ready.');
  const late = new Browser();
  expect((await late.get(link)).status).toBe(404);
  await late.get('/developer/sign-in');
  const who = { shop: shop.slug, email: 'Grace@example.com' };
  const wrong = await late.post('/developer/sign-in', { ...who, password: 'not this one' });
  expect([wrong.status, wrong.html.includes('The shop, e-mail or password is incorrect.')]).toEqual([
    401,
    true,
  ]);
  await late.submit('/developer/sign-in', { ...who, password: 'a long enough one' });
  expect(late.last.status).toBe(200);
  await admin.get(`/admin/tenants/${shop.slug}`);
  const id = /developers\/(\d+)\/remove/.exec(admin.last.html)?.[1];
  await admin.submit(`/admin/tenants/${shop.slug}/developers/${id}/remove`, {});
  expect((await late.get('/developer/applications')).status).toBe(303);
});

it("does not show a developer another tenant's applications", async () => {
  const [mine, theirs] = await Promise.all([world(), world()]);
  const developer = await asDeveloper(mine.slug);
  const got = await developer.get(`/developer/applications/${theirs.applicationId}`);
  expect(got.status).toBe(404);
  await developer.get('/developer/applications');
  const fields = { name: 'x', allowed_origins: '', rate_limit_per_minute: '' };
  const changed = await developer.post(`/developer/applications/${theirs.applicationId}`, fields);
  expect(changed.status).toBe(404);
  const rotated = await developer.post(`/developer/applications/${theirs.applicationId}/rotate`, {});
  expect(rotated.status).toBe(404);
  expect((await theirs.get('/products')).status).toBe(200);
});

it("refuses a suspended tenant's panel", async () => {
  const shop = await world();
  const admin = await asAdmin();
  const developer = await asDeveloper(shop.slug, admin);
  await admin.get(`/admin/tenants/${shop.slug}`);
  await admin.submit(`/admin/tenants/${shop.slug}/suspend`, {});
  expect((await developer.get('/developer/applications')).status).toBe(403);
});

it("says that a suspended tenant's webhooks go on sending, as they do", async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  await subscribe(shop, receiver.url);
  const admin = await asAdmin();
  const page = `/admin/tenants/${shop.slug}/suspend`;
  const { html } = await admin.get(page);
  const [trail] = /aria-label="Breadcrumbs">.*?<\/nav>/.exec(html) ?? [];
  expect(trail).toContain(`href="/admin/tenants/${shop.slug}"`);
  expect(html).toContain('Its webhooks still send');
  expect(html).not.toContain('held');
  await admin.submit(page, {});
  await emitEvent(shop, 'stock.changed', { sku: 'CUP' });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 30_000 });
});
