import { afterEach, expect, it, vi } from 'vitest';
import { failStatements } from '../support/faults/database.ts';
import { asAdmin, asDeveloper, Browser, fieldsOf, type Got } from '../support/fixtures/browser.ts';
import { admin as platform, world } from '../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A page that says what happened and leads on, as safe as any other. */
function expectPage(got: Got, status: number, words: string): void {
  expect(got.status).toBe(status);
  expect(got.headers.get('content-type')).toMatch(/^text\/html/);
  expect(got.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(got.headers.get('cache-control')).toBe('no-store');
  expect(got.html).toContain('<html lang="en">');
  expect(/<h1>(.*?)<\/h1>/.exec(got.html)?.[1]).toBe(words);
  expect(/<main.*<a [^>]*href="\/(admin|developer)/s.test(got.html)).toBe(true);
}

it('shows a 404 page, except under the platform API', async () => {
  const browser = new Browser();
  for (const path of ['/admin/nothing', '/developer/nothing/else']) {
    expectPage(await browser.get(path), 404, 'Page not found');
  }
  const slash = await browser.get('/developer/orders/');
  expect([slash.status, slash.headers.get('location')]).toEqual([301, '/developer/orders']);
  for (const path of ['/admin/v1/nothing', '/admin/v1', '/admin/v1/']) {
    const api = await browser.get(path);
    expect([api.status, api.headers.get('content-type')], path).toEqual([404, 'application/json']);
  }
});

it('leads from slashes at the end of any address to the one without them', async () => {
  const browser = new Browser();
  const located = async (path: string) => {
    const { status, headers } = await browser.get(path);
    return [status, headers.get('location')];
  };
  for (const path of ['/developer/%00', '/admin/%0D%0AX-Injected:1', '/developer/%C3%A7ay', '/admin/%ff']) {
    expect(await located(`${path}/`), path).toEqual([301, path]);
  }
  for (const path of ['/demo', '/demo/cart', '/demo/nothing/at/all']) {
    expect(await located(`${path}/`), path).toEqual([301, path]);
  }
  const filtered = '?status=paid&q=caf%C3%A9+1';
  expect(await located(`/developer/orders/${filtered}`)).toEqual([301, `/developer/orders${filtered}`]);
  // To follow each slash to the last of them would take longer than a test may run.
  const long = `/admin${'/'.repeat(300_000)}x`;
  expect(await located(`${long}/`)).toEqual([301, long]);
  expect((await browser.get(long)).status).toBe(404);
});

it('shows browsers a page for unknown addresses, and API clients JSON', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  for (const path of ['/nothing', '/v2/products']) {
    const got = await new Browser().send('GET', path, undefined, { accept });
    expect([got.status, got.headers.get('content-type')], path).toEqual([404, expect.stringMatching('html')]);
    expect(got.html, path).toContain('Page not found');
    expect(got.headers.get('cache-control'), path).toBe('no-store');
    const json = await new Browser().send('GET', path, undefined, { accept: '*/*' });
    expect([json.status, json.headers.get('content-type')], path).toEqual([404, 'application/json']);
  }
  const api = await new Browser().send('GET', '/v1/nothing', undefined, { accept });
  expect([api.status, api.headers.get('content-type')]).toEqual([404, 'application/json']);
});

it('answers for the icon that browsers ask for on pages without one', async () => {
  const { status, headers, html } = await new Browser().get('/favicon.ico');
  expect([status, html]).toEqual([204, '']);
  expect(headers.get('cache-control')).toContain('max-age=');
});

it('says at / what the service is, and leads to its parts', async () => {
  const { status, html, headers } = await new Browser().get('/');
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching('html')]);
  for (const path of ['/developer', '/admin', '/docs/', '/v1/openapi.json', '/demo']) {
    expect(html).toContain(`href="${path}"`);
  }
  // In quotes: zsh expands a "?" outside them, and finds no match.
  expect(html).toMatch(/curl &quot;https?:[^ ]+\/v1\/products\?limit=3&quot;/);
});

it.each(['panel.css', 'panel.js', 'icon.svg', 'nothing.css'])('shows the request id for %s', async (file) => {
  const { headers } = await new Browser().get(`/panel-assets/${file}`);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

it('links from an unknown invitation to the developer panel', async () => {
  const got = await new Browser().get('/developer/invitations/nothing');
  expectPage(got, 404, 'Page not found');
  expect(got.html).toContain('If you have set a password with it, sign in');
  expect(got.html).toMatch(/<main.*href="\/developer"/s);
});

it('says once that what a form is about is gone', async () => {
  const shop = await world();
  const effect = { kind: 'percent', value: 5 };
  const { body } = await shop.post('/promotions', { name: 'Spring', trigger: 'automatic', effect });
  const developer = await asDeveloper(shop.slug);
  const path = `/developer/promotions/${body.id}/delete`;
  await developer.get(path);
  await shop.delete(`/promotions/${body.id}`);
  const gone = await developer.post(path, {});
  expectPage(gone, 404, 'Page not found');
  expect(gone.html.match(/There is no such promotion/g)).toHaveLength(1);
});

it('shows the allowed methods of a page', async () => {
  const got = await new Browser().send('PUT', '/developer/settings');
  expectPage(got, 405, 'Method not allowed');
  expect(got.headers.get('allow')).toBe('GET, HEAD, POST');
  // Loading the address that a form was sent to: the page it is about is one click away.
  const ping = await new Browser().get('/developer/webhooks/7/ping');
  expectPage(ping, 405, 'Method not allowed');
  expect(ping.html).toContain('href="/developer/webhooks/7"');
});

it('redirects to sign-in when the session has ended, and back when a form is outdated', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await developer.get('/developer/settings');
  const referer = { referer: 'https://api.example.com/developer/settings?page=2' };
  const stale = await developer.post('/developer/settings', { _token: 'x'.repeat(32) }, referer);
  expectPage(stale, 403, 'This form is out of date');
  expect(stale.html).toContain('href="/developer/settings"');
  for (const referer of ['https://evil.example/phish', 'https://api.example.com//evil.example/phish']) {
    const got = await developer.post('/developer/settings', { _token: '' }, { referer });
    expect(got.html).not.toContain('evil');
  }
  developer.cookies.clear();
  const ended = await developer.post('/developer/settings', {});
  expectPage(ended, 401, 'Your session has ended');
  expect(ended.html).toContain('href="/developer/sign-in"');
});

it('shows that a tenant is suspended, for forms as well', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await developer.get('/developer/settings');
  await platform('PATCH', `/tenants/${shop.slug}`, { status: 'suspended' });
  expectPage(await developer.get('/developer/orders'), 403, 'This shop is suspended');
  expectPage(await developer.post('/developer/settings', {}), 403, 'This shop is suspended');
});

it('signs out of the panel of a suspended tenant', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await platform('PATCH', `/tenants/${shop.slug}`, { status: 'suspended' });
  await developer.get('/developer');
  const kept = new Map(developer.cookies);
  expect(fieldsOf(developer.last.html, '/developer/sign-out')).toHaveProperty('_token');
  const left = await developer.submit('/developer/sign-out', {});
  expect(left.html).toContain('You are signed out.');
  for (const [name, value] of kept) developer.cookies.set(name, value);
  expect((await developer.get('/developer')).headers.get('location')).toBe('/developer/sign-in');
});

it('rejects what is too large and what is no form', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await developer.get('/developer/settings');
  const large = await developer.post('/developer/settings', { 'tax.mode': 'x'.repeat(70_000) });
  expectPage(large, 413, 'The form is too large');
  expect(large.html).toContain('href="/developer/settings"');
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`rows.${n}.a`, '']));
  const nested = { [`rows${'.1.a'.repeat(10_000)}`]: '' };
  for (const fields of [many, nested]) {
    expectPage(await developer.post('/developer/settings', fields), 413, 'The form is too large');
  }
  expectPage(
    await developer.send('POST', '/developer/settings', '{}', { 'content-type': 'application/json' }),
    415,
    'The form could not be read',
  );
});

it("shows 404 to a developer with the panel's navigation", async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const unknown = ['orders/nothing', 'promotions/new', 'products/x/variants', 'webhooks/1/deliveries/x'];
  for (const path of [...unknown, 'applications/-1', 'categories/99999999999999999999/delete']) {
    expectPage(await developer.get(`/developer/${path}`), 404, 'Page not found');
  }
  expect(developer.last.html).toContain('aria-label="Main"');
  expectPage(await developer.get('/developer/imports?page=none'), 422, 'The request failed');
});

it('distinguishes unavailable storage from internal errors', async () => {
  const admin = await asAdmin();
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const restore = failStatements(/from "placements"/);
  const down = await admin.get('/admin');
  restore();
  expectPage(down, 503, 'Temporarily unavailable');
  expect(down.headers.get('retry-after')).toBe('5');
  vi.spyOn(Intl, 'NumberFormat').mockImplementation(function broken() {
    throw new Error('a secret of ours');
  });
  const shop = await world();
  await shop.post('/products', { name: 'Mug', type: 'simple', price: 12 });
  const developer = await asDeveloper(shop.slug);
  const fault = await developer.get('/developer/products');
  expectPage(fault, 500, 'Something went wrong');
  expect(fault.html).not.toContain('a secret of ours');
  expect(fault.html).toContain(fault.headers.get('x-request-id'));
  expect(log.mock.calls.join(' ')).not.toContain('a secret of ours');
});
