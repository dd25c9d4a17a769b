/** Which page is shown after signing in. */
import { expect, it } from 'vitest';
import { safePath } from '../../../src/web/sessions/resume.ts';
import { ended, signIn } from './session-steps.ts';

it('comes back to the page that was requested', async () => {
  const { shop, browser } = await ended();
  const asked = await browser.get('/developer/orders?page=1&q=a%20b');
  expect(asked.headers.get('location')).toBe(
    '/developer/sign-in?next=%2Fdeveloper%2Forders%3Fpage%3D1%26q%3Da%2520b',
  );
  await browser.get(asked.headers.get('location') ?? '');
  const back = await signIn(browser, shop);
  expect([back.status, back.headers.get('location')]).toEqual([303, '/developer/orders?page=1&q=a%20b']);
});

const HOSTILE = [
  'https://evil.example/',
  '//evil.example/developer',
  '/\\evil.example',
  '/developer/../../evil',
  '/developer\\@evil.example',
  '/%09/evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/developer/sign-out',
  '/developers',
  '/admin',
  '/demo',
  '/developer\r\nSet-Cookie: a=b',
  '/developer/%2e%2e/%2e%2e/admin',
  '',
];

it.each(HOSTILE)('goes nowhere else after signing in: %j', async (next) => {
  expect(safePath(next, 'developer')).toBe('/developer');
});

it('refuses a hostile address in the form as well', async () => {
  const { shop, browser } = await ended();
  for (const next of ['//evil.example', 'https://evil.example/developer']) {
    const page = await browser.get(`/developer/sign-in?next=${encodeURIComponent(next)}`);
    expect(page.html).not.toContain('evil');
    const got = await signIn(browser, shop, { next });
    expect(got.headers.get('location')).toBe('/developer');
  }
});
