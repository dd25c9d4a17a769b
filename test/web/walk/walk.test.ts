/** People who follow links and send forms at random. `SEED` repeats a walk, `STEPS` makes it longer. */

import { env } from 'cloudflare:workers';
import { afterEach, expect, inject, it } from 'vitest';
import { pages } from '../../../src/app.ts';
import type { Audience, Role } from '../../../src/web/sessions/roles.ts';
import { expectConsistent } from '../../support/auditor/index.ts';
import { asAdmin, asDeveloper, Browser } from '../../support/fixtures/browser.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { demoShop } from '../../support/fixtures/demo.ts';
import { cartWith, checkoutPath, sandboxShop } from '../../support/fixtures/selling/checkout.ts';
import { settle } from '../../support/fixtures/selling/outcomes.ts';
import { pickFrom, random } from '../../support/seeded-random.ts';
import type { World } from '../../support/world.ts';
import { keptSubjectOf, pathOf } from '../page-subjects.ts';
import { Walker } from './walker.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

/**
 * Returns any page of an audience, about something of the shop; the audience's first page once the walk has disabled the
 * token that makes it. The import of an import's page would never end.
 */
const anyPageOf = (audience: Audience, shop: World) => (luck: () => number) => {
  const shown = pages.filter(
    (page) => page.method === 'get' && page.audience === audience && !page.path.includes('/imports/:id'),
  );
  const page = pickFrom(shown, luck);
  return keptSubjectOf(page, shop).then(
    (subject) => pathOf(page, subject),
    () => `/${audience}`,
  );
};

/** A browser in which somebody with this role is signed in. */
async function asRole({ slug, tenantId }: World, role: Role): Promise<Browser> {
  const browser = await asDeveloper(slug);
  await env.DB.prepare('UPDATE panel_users SET role = ? WHERE tenant_id = ?').bind(role, tenantId).run();
  return browser;
}

type Start = ConstructorParameters<typeof Walker>[1];

async function expectNoFaults(shop: World, browser: Browser, start: Start): Promise<void> {
  const walker = new Walker(browser, start, random(inject('seed')));
  await walker.walk(inject('steps'));
  expect(walker.faults).toEqual([]);
  await settle();
  await expectConsistent(shop);
}

it.each(['owner', 'staff', 'read_only'] as const)(
  'lets a person walk through the panel: %s',
  async (role) => {
    const shop = await sandboxShop({ currencies: ['EUR', 'USD'] });
    await expectNoFaults(shop, await asRole(shop, role), anyPageOf('developer', shop));
  },
);

it('lets the super-admin walk through the panel', async () => {
  const shop = await sandboxShop();
  await expectNoFaults(shop, await asAdmin(), anyPageOf('admin', shop));
});

it('lets a shopper walk through the demo shop, and a buyer through checkout', async () => {
  const shop = await demoShop();
  const cup = await stockedProduct(shop, { name: 'Cup', stock: 100_000 });
  const shopper = new Browser();
  await shopper.get('/demo/account/register');
  await shopper.submit('/demo/account/register', {
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse',
  });
  const starts = ['/demo', '/demo/cart', '/demo/account', `/demo/products/${cup.body.id}`];
  await expectNoFaults(shop, shopper, async (luck) => pickFrom(starts, luck));
  await expectNoFaults(shop, new Browser(), async () => checkoutPath(shop, await cartWith(shop, cup)));
});
