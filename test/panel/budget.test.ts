import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../src/app.ts';
import { pages } from '../../src/panel/routes.tsx';
import { watched } from '../support/bindings.ts';
import { admin as platform, type World, world } from '../support/world.ts';
import { asAdmin, asDeveloper, Browser } from './browser.ts';
import { pathOf, subjectOf } from './subjects.ts';

/** What a page may cost, for every page of both panels: made from the list, so a new one can't be forgotten. */

const shown = pages.filter(({ method, path }) => method === 'get' && !path.startsWith('/demo'));

let shop: World;
let admin: Browser;
let developer: Browser;

beforeAll(async () => {
  shop = await world();
  admin = await asAdmin();
  developer = await asDeveloper(shop.slug, admin);
}, 60_000);

const browserFor = (audience: string): Browser =>
  audience === 'admin' ? admin : audience === 'developer' ? developer : new Browser();

/** A browser whose requests go to a Worker that counts its round trips to the database. */
function counting(signedIn: Browser) {
  const { env, databaseTrips } = watched();
  const browser = signedIn.through(async (request) => {
    const ctx = createExecutionContext();
    const response = await serve(request, env, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  });
  return { browser, trips: databaseTrips };
}

describe.each(shown.map((page) => [page.path, page] as const))('%s', (_, page) => {
  it('takes one round trip to the database, its session included', async () => {
    const path = pathOf(page, await subjectOf(page, shop));
    const { browser, trips } = counting(browserFor(page.audience));
    expect((await browser.get(path)).status).toBe(200);
    if (page.audience === 'anyone') expect(trips()).toBeLessThanOrEqual(1);
    else expect(trips()).toBe(1);
  });
});

it('reads anew by what the tenant has become, and in one round trip from then on', async () => {
  const changing = await world({ plan: 'starter' });
  const signedIn = await asDeveloper(changing.slug, admin);
  await platform('PATCH', `/tenants/${changing.slug}`, { currency: 'JPY', plan: 'growth' });
  await changing.post('/products', { name: 'Mug', type: 'simple', price: 1200 });
  const { browser, trips } = counting(signedIn);
  const first = await browser.get('/developer/products');
  expect(first.html).toContain('¥1,200');
  expect(trips()).toBe(2);
  expect((await browser.get('/developer/webhooks')).status).toBe(200);
  expect(trips()).toBe(3);
});
