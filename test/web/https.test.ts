import { env, exports } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { demoShop } from '../support/fixtures/demo.ts';

/** What is typed into pages, and the cookies of their sessions, could be read on the way of a request over http. */

afterEach(() => {
  env.DEMO_TOKEN = 'none';
  env.DEV_ALLOW_LOCAL_URLS = 'false';
});

const request = (url: string) => exports.default.fetch(new Request(url, { redirect: 'manual' }));

describe.each([
  '/developer/sign-in?next=%2Fdeveloper%2Forders',
  '/admin/sign-in',
  '/developer/orders',
  '/demo/account/login',
  '/checkout/ck_unknown',
  '/checkout/ck_unknown/thanks',
  '/downloads/dl_unknown',
])('%s', (path) => {
  it('leads from http to https, before anything is shown or set', async () => {
    await demoShop();
    const got = await request(`http://api.example.com${path}`);
    expect([got.status, got.headers.get('location')]).toEqual([308, `https://api.example.com${path}`]);
    expect(got.headers.getSetCookie()).toEqual([]);
    expect(got.headers.get('cache-control')).toBe('no-store');
  });

  it('stays on a developer’s own machine', async () => {
    await demoShop();
    for (const host of ['127.0.0.1:8787', 'localhost:8787', '[::1]:8787']) {
      expect((await request(`http://${host}${path}`)).headers.get('location') ?? '').not.toMatch(/^https:/);
    }
    env.DEV_ALLOW_LOCAL_URLS = 'true';
    const within = await request(`http://192.168.1.2:8787${path}`);
    expect(within.headers.get('location') ?? '').not.toMatch(/^https:/);
  });
});

it.each(['/', '/developer/sign-in', '/developer/nothing', '/checkout/ck_unknown'])(
  'tells browsers at %s to come back over https alone',
  async (path) => {
    const got = await request(`https://api.example.com${path}`);
    expect(got.headers.get('strict-transport-security')).toBe('max-age=31536000');
    // RFC 6797, 7.2: never over http.
    const local = await request(`http://127.0.0.1${path}`);
    expect(local.headers.has('strict-transport-security')).toBe(false);
  },
);
