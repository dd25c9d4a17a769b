import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../src/app.ts';
import { indexPages } from '../../src/web/dispatch/page-request.ts';
import { leastRole, type Page } from '../../src/web/page.ts';
import { isAtLeast, ROLES, type Role } from '../../src/web/sessions/roles.ts';
import { asAdmin, asDeveloper, type Browser, fieldsOf } from '../support/fixtures/browser.ts';
import { admin as platform, type World, world } from '../support/world.ts';
import { keptSubjectOf, pathOf } from './page-subjects.ts';

/** Every page of the developer panel × every role, made from the list of pages: a new one can't be forgotten. */

let shop: World;
let admin: Browser;
const people = new Map<Role, Browser>();

const REFUSED = 'Your role does not allow this';

const setRole = (slug: string, email: string, role: Role) =>
  env.DB.prepare(
    'UPDATE panel_users SET role = ? WHERE email = ? AND tenant_id = (SELECT tenant_id FROM placements WHERE slug = ?)',
  )
    .bind(role, email, slug)
    .run();

/** A browser in which somebody with this role is signed in. */
async function asRole(role: Role): Promise<Browser> {
  const email = `${role}@example.com`;
  const browser = await asDeveloper(shop.slug, admin, email);
  await setRole(shop.slug, email, role);
  return browser;
}

beforeAll(async () => {
  shop = await world();
  admin = await asAdmin();
  for (const role of ROLES) people.set(role, await asRole(role));
});

/** The path of a page about a subject that all roles share, unless it is the person's own. */
async function pathFor(page: Page, role: Role): Promise<string> {
  const email = page.path.startsWith('/developer/account/') ? `${role}@example.com` : undefined;
  return pathOf(page, await keptSubjectOf(page, shop, email));
}

const find = indexPages(pages);

/** The links and forms of a page that the role would be refused. */
function refusedOffers(html: string, role: Role): string[] {
  const offered = [
    ...html.matchAll(/<(?:a|button|form)[^>]*? (href|action|formaction)="(\/developer[^"]*)"[^>]*>/g),
  ];
  return offered.flatMap(([tag, attribute, path = '']) => {
    // A form without a method, such as a search, opens a page.
    const opens = attribute === 'href' || (attribute === 'action' && !tag.includes('method="post"'));
    const page = find(opens ? 'get' : 'post', path);
    return page && !isAtLeast(role, leastRole(page)) ? [path] : [];
  });
}

const cases = pages
  .filter(({ audience, path }) => audience === 'developer' && !path.endsWith('/sign-out'))
  .flatMap((page) => ROLES.map((role) => [page.method.toUpperCase(), page.path, role, page] as const));

describe.each(cases)('%s %s as %s', (_method, _path, role, page) => {
  it(isAtLeast(role, leastRole(page)) ? 'is allowed' : 'is refused, and says who can', async () => {
    const browser = people.get(role);
    if (!browser) throw new Error(`Nobody is ${role}`);
    const path = await pathFor(page, role);
    // A form without its token changes nothing, and is refused for its role before that.
    const got = page.method === 'get' ? await browser.get(path) : await browser.post(path, { _token: '' });
    if (isAtLeast(role, leastRole(page))) {
      expect(got.status).toBe(page.method === 'get' ? 200 : 403);
      expect(got.html).not.toContain(REFUSED);
      expect(refusedOffers(got.html, role)).toEqual([]);
    } else {
      expect(got.status).toBe(403);
      expect(got.html).toContain(REFUSED);
      expect(got.html).toContain(leastRole(page) === 'owner' ? 'Only an owner' : 'Only staff or an owner');
    }
  });
});

it('lets nobody change anything without being staff at least, except their own session', () => {
  const open = pages.filter(
    (page) => page.audience === 'developer' && page.method === 'post' && leastRole(page) === 'read_only',
  );
  expect(open.map(({ path }) => path)).toEqual([
    '/developer/sign-out',
    '/developer/account/password',
    '/developer/account/sessions/:session/end',
    '/developer/account/end-other-sessions',
  ]);
});

it('leaves people, applications, webhooks, payments, signing keys and the audit log to owners', () => {
  const owners = pages.filter((page) => page.audience === 'developer' && leastRole(page) === 'owner');
  const paths = owners.map(({ path }) => path.slice('/developer/'.length));
  expect([...new Set(paths)].sort()).toEqual([
    'applications/:id',
    'applications/:id/disable',
    'applications/:id/enable',
    'applications/:id/rotate',
    'applications/new',
    'audit-log',
    'new-webhook',
    'people',
    'people/:id/link',
    'people/:id/remove',
    'people/:id/role',
    'settings/agents/rotate-key',
    'settings/checkout',
    'webhooks/:id/conditions/:key',
    'webhooks/:id/delete',
    'webhooks/:id/edit',
    'webhooks/:id/rotate-secret',
  ]);
});

it('leaves files of whole lists to staff', () => {
  const files = pages.filter(({ path }) => /^\/developer\/.*\bexports?\b/.test(path));
  expect(files.map(({ path }) => path)).toContain('/developer/orders/export');
  expect(files.filter((page) => leastRole(page) !== 'staff')).toEqual([]);
});

it('leaves payments and secrets to owners', async () => {
  const path = '/developer/settings/checkout';
  const owner = people.get('owner');
  const fields = fieldsOf((await owner?.get(path))?.html ?? '', path);
  const before = (await shop.get('/settings')).body;
  for (const role of ['read_only', 'staff'] as const) {
    const browser = people.get(role);
    expect((await browser?.get(path))?.status).toBe(403);
    const token = fieldsOf(
      (await browser?.get('/developer/account'))?.html ?? '',
      '/developer/account/password',
    );
    const sent = { ...fields, ...token, payments: 'none', 'secrets.checkout_secret': 'x'.repeat(32) };
    expect((await browser?.post(path, sent))?.status).toBe(403);
    expect((await browser?.get('/developer/settings'))?.html).not.toContain(path);
  }
  expect((await shop.get('/settings')).body).toEqual(before);
  expect((await owner?.get('/developer/settings'))?.html).toContain(path);
});

it('applies a changed role to the next request of an open session, in pages and in forms', async () => {
  const browser = await asDeveloper(shop.slug, admin, 'changing@example.com');
  const form = 'name="_once"';
  expect((await browser.get('/developer/theme')).html).toContain(form);
  const before = (await shop.get('/theme/options')).body;
  await setRole(shop.slug, 'changing@example.com', 'read_only');
  const fields = fieldsOf(browser.last.html, '/developer/theme');
  const refused = await browser.post('/developer/theme', { ...fields, 'colors.primary': '#112233' });
  expect([refused.status, refused.html.includes(REFUSED)]).toEqual([403, true]);
  expect((await shop.get('/theme/options')).body).toEqual(before);
  const closed = await browser.get('/developer/theme');
  expect(closed.html).not.toContain(form);
  expect(closed.html).toContain('Your role does not allow changing this.');
  await setRole(shop.slug, 'changing@example.com', 'staff');
  expect((await browser.get('/developer/theme')).html).toContain(form);
});

it.each(ROLES)('offers %s nothing in an empty shop that they would be refused', async (role) => {
  const slug = `empty-${crypto.randomUUID().slice(0, 8)}`;
  const created = await platform('POST', '/tenants', {
    slug,
    name: 'Empty',
    currency: 'EUR',
    plan: 'growth',
  });
  expect(created.status).toBe(201);
  const email = `${crypto.randomUUID()}@example.com`;
  const browser = await asDeveloper(slug, admin, email);
  await setRole(slug, email, role);
  const lists = cases.filter(([method, path, of, page]) => {
    return method === 'GET' && !path.includes(':') && of === role && isAtLeast(role, leastRole(page));
  });
  for (const [, path] of lists) {
    expect([path, refusedOffers((await browser.get(path)).html, role)]).toEqual([path, []]);
  }
});

it('leaves out the links to what a role may not do', async () => {
  const links = async (role: Role) => (await people.get(role)?.get('/developer/applications'))?.html ?? '';
  expect(await links('staff')).not.toContain('class="button" href="/developer/applications/new"');
  expect(await links('owner')).toContain('class="button" href="/developer/applications/new"');
});
