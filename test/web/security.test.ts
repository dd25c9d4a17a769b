import { beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../src/app.ts';
import type { Page } from '../../src/web/page.ts';
import { asAdmin, asDeveloper, Browser, fieldsOf, type Got } from '../support/fixtures/browser.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { type World, world } from '../support/world.ts';
import { keptSubjectOf, pathOf as pathAbout, subjectOf } from './page-subjects.ts';

/** What every page of the panels must do, made from the list of pages: a new one can't be forgotten. */

let shop: World;
let other: World;
let admin: Browser;
let developer: Browser;
let foreign: { admin: Browser; developer: Browser };
let ended: { admin: Browser; developer: Browser };
/** A page of each browser, for its token: a session has one, whatever the page. */
let shown: { admin: Got; developer: Got };
let foreignTokens: { admin: string; developer: string };

beforeAll(async () => {
  [shop, other] = await Promise.all([world(), world()]);
  admin = await asAdmin();
  developer = await asDeveloper(shop.slug, admin);
  foreign = { admin: await asAdmin(), developer: await asDeveloper(other.slug, admin) };
  ended = { admin: await asAdmin(), developer: await asDeveloper(shop.slug, admin, 'late@example.com') };
  for (const area of ['admin', 'developer'] as const) {
    const kept = new Map(ended[area].cookies);
    await ended[area].get(home[area]);
    await ended[area].submit(`/${area}/sign-out`, {});
    for (const [name, value] of kept) ended[area].cookies.set(name, value);
  }
  shown = { admin: await admin.get(home.admin), developer: await developer.get(home.developer) };
  const tokenOf = async (area: 'admin' | 'developer'): Promise<string> => {
    await foreign[area].get(home[area]);
    const token = foreign[area].token();
    if (!token) throw new Error(`${home[area]} has no token`);
    return token;
  };
  foreignTokens = { admin: await tokenOf('admin'), developer: await tokenOf('developer') };
});

/** The path of a page about something that is there. */
const pathOf = async (page: Page): Promise<string> => pathAbout(page, await keptSubjectOf(page, shop));

const named = (list: readonly Page[]) =>
  list.map((page) => [`${page.method.toUpperCase()} ${page.path}`, page] as const);
const closed = pages.filter(({ audience }) => audience !== 'anyone');
const forms = pages.filter(({ method }) => method === 'post');

const visit = async (browser: Browser, page: Page) => {
  const path = await pathOf(page);
  return page.method === 'get' ? browser.get(path) : browser.post(path, {});
};

const home = { admin: '/admin', developer: '/developer/applications' } as const;

/** Whether somebody was turned away at the door. */
function expectRefused(page: Page, got: { status: number; headers: Headers; html: string }): void {
  if (page.method === 'post') expect([401, 403]).toContain(got.status);
  else {
    expect(got.status).toBe(303);
    expect(got.headers.get('location')).toMatch(/^\/(admin|developer)\/sign-in(\?next=%2F[^&]*)?$/);
  }
  // Nothing of a page, and nothing to send but a sign-in.
  for (const [, action] of got.html.matchAll(/<form[^>]*action="([^"]*)"/g)) {
    expect(action).toMatch(/^\/(admin|developer)\/sign-in$/);
  }
}

it('has pages for both audiences', () => {
  expect(closed.length).toBeGreaterThan(10);
  expect(new Set(pages.map((page) => `${page.method} ${page.path}`)).size).toBe(pages.length);
});

it("opens a panel's pages to its own audience, and without a session only those that start one", () => {
  const panels = pages.filter(({ path }) => /^\/(admin|developer)\b/.test(path));
  const others = panels.filter(({ path, audience }) => path.split('/')[1] !== audience);
  expect(others.map(({ method, path, audience }) => `${audience}: ${method} ${path}`).sort()).toEqual([
    'anyone: get /admin/sign-in',
    'anyone: get /developer/forgotten-password',
    'anyone: get /developer/invitations/:token',
    'anyone: get /developer/sign-in',
    'anyone: post /admin/sign-in',
    'anyone: post /developer/invitations/:token',
    'anyone: post /developer/sign-in',
  ]);
});

it('deletes nothing but what its address names, whatever the id is made of', async () => {
  const { id } = (await createProduct(shop, { name: 'Not to be deleted' })).body;
  const deletions = forms.filter(({ path }) => /^\/developer\/[\w-]+\/:\w+\/delete$/.test(path));
  expect(deletions.length).toBeGreaterThan(5);
  for (const { path } of deletions) {
    developer.last = shown.developer;
    const got = await developer.post(path.replace(/:\w+/, `..%2Fproducts%2F${id}`), {});
    expect([path, got.status]).toEqual([path, 404]);
  }
  expect((await shop.get(`/products/${id}`)).status).toBe(200);
});

it('gives a session the same token on every page', async () => {
  for (const area of ['admin', 'developer'] as const) {
    const browser = area === 'admin' ? admin : developer;
    browser.last = shown[area];
    const known = browser.token();
    expect(known).toBeDefined();
    await browser.get(area === 'admin' ? '/admin/health' : '/developer/products');
    expect(browser.token()).toBe(known);
  }
});

describe.each(named(closed))('%s', (_, page) => {
  it('requires a session', async () => {
    expectRefused(page, await visit(new Browser(), page));
  });

  it('rejects a forged and a foreign cookie', async () => {
    const forged = new Browser();
    for (const [name, value] of [...admin.cookies, ...developer.cookies]) {
      forged.cookies.set(name, `${value.slice(0, -1)}${value.endsWith('a') ? 'b' : 'a'}`);
    }
    expectRefused(page, await visit(forged, page));
    // A session of the other panel, under this one's name.
    const mixed = new Browser();
    const stolen = (page.audience === 'admin' ? developer : admin).cookies;
    const value = [...stolen].find(([name]) => name.includes('sfe-') && !name.includes('visitor'))?.[1] ?? '';
    mixed.cookies.set(`__Host-sfe-${page.audience}`, value);
    expectRefused(page, await visit(mixed, page));
  });

  it('rejects an ended session, although the browser keeps its cookie', async () => {
    if (page.audience !== 'anyone') expectRefused(page, await visit(ended[page.audience], page));
  });

  it('sends the security headers', async () => {
    const browser = page.audience === 'admin' ? admin : developer;
    // Without a token: what comes is as safe as any page, and nothing is signed out.
    const got =
      page.method === 'get'
        ? await visit(browser, page)
        : await browser.post(await pathOf(page), { _token: '' });
    const policy = got.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(got.headers.get('cache-control')).toBe('no-store');
    expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    expect(got.html).not.toMatch(/<script(?! src=)|<style|\sstyle=|\son\w+=|javascript:/);
    expect(new TextEncoder().encode(got.html).byteLength).toBeLessThan(30 * 1024);
  });
});

/** A forged form of each check: of its token, and of its origin. */
const FORGED: readonly [name: string, fields: Record<string, string[]>, headers: object][] = [
  ['no token', { _token: [] }, {}],
  ['another origin', {}, { origin: 'https://evil.example' }],
];
/** Others that the same two checks refuse, tried on the first form of each audience: all forms take one path. */
const FORGED_ALIKE: typeof FORGED = [
  ['another token', { _token: ['x'.repeat(32)] }, {}],
  ['an opaque origin', {}, { origin: 'null' }],
  ['another site', {}, { 'sec-fetch-site': 'cross-site' }],
  ['a sibling site', {}, { 'sec-fetch-site': 'same-site' }],
];
const isFirst = (page: Page) => forms.find(({ audience }) => audience === page.audience) === page;

describe.each(named(forms))('%s', (_, page) => {
  /** A browser that shows a page with a token. */
  async function browserWithToken(): Promise<Browser> {
    if (page.audience === 'anyone') {
      const browser = new Browser();
      await browser.get(await pathOf(page));
      return browser;
    }
    const browser = page.audience === 'admin' ? admin : developer;
    browser.last = shown[page.audience];
    return browser;
  }

  it.each(isFirst(page) ? [...FORGED, ...FORGED_ALIKE] : FORGED)(
    'rejects a form with %s',
    async (_case, fields, headers) => {
      const browser = await browserWithToken();
      const got = await browser.post(await pathOf(page), fields, headers);
      expect(got.status).toBe(403);
    },
  );

  it("rejects another session's token", async () => {
    const area = page.audience === 'anyone' ? 'admin' : page.audience;
    const browser = await browserWithToken();
    const got = await browser.post(await pathOf(page), { _token: foreignTokens[area] });
    expect(got.status).toBe(403);
  });
});

const inside = closed.filter(({ audience, path }) => audience === 'developer' && path.includes(':'));

/** What somebody types into a field that is empty at first and required. */
const TYPED: Readonly<Record<string, string>> = { text: 'Called back' };

/** Returns what a form would send. The form is on the nearest page above its path that contains it. */
async function filled(browser: Browser, page: Page, path: string, typed: Readonly<Record<string, unknown>>) {
  const above = pages
    .filter(({ method, path: start }) => method === 'get' && `${page.path}/`.startsWith(`${start}/`))
    .sort((a, b) => b.path.length - a.path.length);
  for (const at of above) {
    await browser.get(path.split('/').slice(0, at.path.split('/').length).join('/'));
    const { _token, ...fields } = fieldsOf(browser.last.html, path);
    if (_token === undefined) continue;
    const known = { ...TYPED, ...typed };
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, value || String(known[name] ?? '')]),
    );
  }
  throw new Error(`No page shows the form of ${page.path}`);
}

describe.each(named(inside))('%s', (_, page) => {
  it("answers 404 for another tenant's", async () => {
    // A form is sent by its owner in the end, and may delete it.
    const subject = await (page.method === 'get' ? keptSubjectOf : subjectOf)(page, other);
    const path = pathAbout(page, subject);
    const owner = foreign.developer;
    const fields = page.method === 'get' ? {} : await filled(owner, page, path, subject);
    const call = (browser: Browser) =>
      page.method === 'get' ? browser.get(path) : browser.post(path, fields);
    developer.last = shown.developer;
    expect((await call(developer)).status).toBe(404);
    // Its own developer gets somewhere by the very same call.
    expect((await call(owner)).status).toBeLessThan(400);
  });
});

it('sets cookies HttpOnly, SameSite and Secure', async () => {
  const browser = new Browser();
  await browser.get('/admin/sign-in');
  const got = await browser.send('GET', '/admin/sign-in');
  expect(got.status).toBe(200);
  const fresh = await new Browser().get('/developer/sign-in');
  const [line = ''] = fresh.headers.getSetCookie();
  expect(line).toMatch(/^__Host-sfe-visitor=/);
  for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(line).toContain(part);
});

it('throttles guesses at the super-admin token', async () => {
  stopClock();
  const browser = new Browser();
  const statuses: number[] = [];
  for (let guess = 0; guess < 12; guess++) {
    await browser.get('/admin/sign-in');
    const headers = { 'cf-connecting-ip': '203.0.113.78' };
    statuses.push((await browser.post('/admin/sign-in', { secret: `guess-${guess}` }, headers)).status);
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
  expect(statuses.slice(10)).toEqual([429, 429]);
  expect(browser.last.headers.get('retry-after')).toBe('30');
});
