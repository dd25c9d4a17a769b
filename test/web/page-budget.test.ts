import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { pages, serve } from '../../src/app.ts';
import { mainDatabases } from '../../src/kernel/shards/shard-names.ts';
import { png, uploaded } from '../media/images.ts';
import { recordedBindings } from '../support/faults/bindings.ts';
import { watchStatements } from '../support/faults/database.ts';
import { asAdmin, asDeveloper, Browser } from '../support/fixtures/browser.ts';
import { pageWeight } from '../support/fixtures/page-weight.ts';
import { admin as platform, type World, world } from '../support/world.ts';
import { createLargestTenant, type LargestTenant, MARKUP } from './largest-tenant.ts';
import { keptSubjectOf, pathOf } from './page-subjects.ts';

/** What a page may cost, for every page of both panels: made from the list, so a new one can't be forgotten. */

const shown = pages.filter(({ method, path }) => method === 'get' && !path.startsWith('/demo'));

let shop: World;
let admin: Browser;
let developer: Browser;

beforeAll(async () => {
  shop = await world();
  admin = await asAdmin();
  developer = await asDeveloper(shop.slug, admin);
  const { url } = await uploaded(shop, png(7, 7));
  const pictured = { name: 'Pictured', type: 'simple', price: 1, images: [{ url }] };
  expect((await shop.post('/products', pictured)).status).toBe(201);
});

function browserFor(audience: string): Browser {
  if (audience === 'admin') return admin;
  return audience === 'developer' ? developer : new Browser();
}

/**
 * A browser whose requests go to a Worker that counts its round trips to the database, but for the one in some minutes
 * that notes beside the response when the session was used.
 */
function counting(signedIn: Browser) {
  const { env, databaseTrips } = recordedBindings();
  let notes = 0;
  const unwatch = watchStatements((text) => {
    if (/^update "panel_sessions" set "used_at"/.test(text)) notes += 1;
  });
  onTestFinished(unwatch);
  const browser = signedIn.through(async (request) => {
    const ctx = createExecutionContext();
    const response = await serve(request, env, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  });
  return { browser, trips: () => databaseTrips() - notes };
}

/** The pages that take a second round trip, and what they must read before they can start it. */
const TWO_TRIPS: Readonly<Record<string, string>> = {
  '/developer/invitations/:token': 'the person, whose tenant may be on any shard',
  '/admin': 'the placements of a page of tenants, whose rows are on their shards',
  '/developer/promotions/:id':
    'whether few orders have redeemed the promotion, which decides where they are searched from',
  '/developer/media': 'the pictures, before the names of the products that show them',
  '/admin/audit-log':
    'the entries of all databases, which name tenants by id: the directory knows their slugs',
};

/** Databases apart from the directory: a page reads its session there, and its content on one shard or on all. */
const APART = mainDatabases(env).length - 1;
/** The round trips that a tenant's page takes at once. */
const AT_ONCE = 1 + Math.min(APART, 1);

const tripsOf = (path: string): number => (path in TWO_TRIPS ? 2 : 1);

describe.each(shown.map((page) => [page.path, page] as const))('%s', (_, page) => {
  it('takes one round trip to the databases, or two if it has to, including the session', async () => {
    const path = pathOf(page, await keptSubjectOf(page, shop));
    // The first read of the audit log forwards the entries of changes to people: this one.
    await shop.get('/audit');
    const { browser, trips } = counting(browserFor(page.audience));
    const { status, headers } = await browser.get(path);
    expect(status).toBe(200);
    // A file is read in steps as it is sent.
    if (headers.has('content-disposition')) return;
    const trip = tripsOf(page.path);
    const most = trip * (page.audience === 'admin' ? 1 + APART : AT_ONCE);
    if (page.audience === 'anyone' || APART > 0) expect(trips()).toBeLessThanOrEqual(most);
    else expect(trips()).toBe(most);
  });
});

describe('what a page is asked for', () => {
  it.each([
    ['/developer/orders?sort=total_desc&archived=all', 1],
    // Whether few orders are in the states decides where they are searched from.
    ['/developer/orders?status=paid&sort=total_desc', 2],
    ['/developer/products?q=mug&type=simple&sort=name_asc', 1],
    ['/developer/audit-log?actor=platform&kind=settings', 1],
    // Orders and customers are searched from the rarest word on, which is found first: counted in each query, it would
    // cost more.
    ['/developer/search?q=mug', 2],
    ['/developer/orders?q=ada+lovelace', 2],
    ['/developer/customers?q=ada', 2],
  ])('%s takes %i round trips', async (path, expected) => {
    const { browser, trips } = counting(developer);
    expect((await browser.get(path)).status).toBe(200);
    expect(trips()).toBe(expected - 1 + AT_ONCE);
  });
});

it('names the products of pictures in a second round trip', async () => {
  const { url } = await uploaded(shop, png(2, 2));
  await shop.post('/products', { name: 'Postcard', type: 'simple', price: 2, images: [{ url }] });
  const { browser, trips } = counting(developer);
  expect((await browser.get('/developer/media')).html).toContain('>Postcard</a>');
  expect(trips()).toBe(1 + AT_ONCE);
});

it('leaves pages 16 KiB beside the common stylesheet and script', async () => {
  const html =
    '<link rel="stylesheet" href="/panel-assets/panel.css" /><script src="/panel-assets/panel.js">';
  expect(await pageWeight(html)).toBeLessThanOrEqual(14 * 1024);
});

it('reads again if the tenant has changed, then in one round trip', async () => {
  const changing = await world({ plan: 'starter' });
  const signedIn = await asDeveloper(changing.slug, admin);
  await platform('PATCH', `/tenants/${changing.slug}`, { currency: 'JPY', plan: 'growth' });
  await changing.post('/products', { name: 'Mug', type: 'simple', price: 1200 });
  const { browser, trips } = counting(signedIn);
  const first = await browser.get('/developer/products');
  expect(first.html).toContain('¥1,200');
  expect(trips()).toBe(2 * AT_ONCE);
  expect((await browser.get('/developer/webhooks')).status).toBe(200);
  expect(trips()).toBe(3 * AT_ONCE);
});

describe('with more of everything than a page shows, and long names', () => {
  let full: LargestTenant;
  let busy: Browser;

  beforeAll(async () => {
    full = await createLargestTenant(admin);
    await Promise.all(Array.from({ length: 22 }, () => world()));
    busy = await asDeveloper(full.shop.slug, admin, 'busy@example.com');
  });

  it.each(shown.map((page) => [page.path, page] as const))(
    '%s has at most 30 KiB with stylesheet and script, uncompressed, and shows all names as text',
    async (_, page) => {
      const subject = full.subjects[page.path] ?? (await keptSubjectOf(page, full.shop, 'busy@example.com'));
      const browser = page.audience === 'developer' ? busy : browserFor(page.audience);
      const { status, html, headers } = await browser.get(pathOf(page, subject));
      expect(status).toBe(200);
      // A download is as large as what it holds.
      if (headers.has('content-disposition')) return;
      expect(await pageWeight(html)).toBeLessThanOrEqual(30 * 1024);
      expect(html).not.toContain(MARKUP);
    },
  );
});
