/**
 * `npm run test:browser`: what people do with the panels, the demo shop and the checkout, in a headless
 * Chromium against `npm run dev` on data of its own.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { readArguments } from '../command-line.ts';
import { client } from '../dev/client.ts';
import { StuckBrowser, waitForFrames } from './frames.ts';
import { followLink, type JourneyContext } from './journey-context.ts';
import { afterPayment } from './merchant/after-payment.ts';
import { catalogue, manyProducts } from './merchant/catalogue.ts';
import { cataloguePages } from './merchant/catalogue-pages.ts';
import {
  comeBack,
  editPrice,
  furnish,
  importCatalogue,
  join,
  type Listed,
  makeToken,
  registerWebhook,
  seeDeliveries,
  seeOrder,
} from './merchant/developer.ts';
import { apiReference, overview, quickStart, seeDelivery } from './merchant/insights-pages.ts';
import { ordersAndCustomers } from './merchant/orders-pages.ts';
import { threePeople } from './merchant/people-pages.ts';
import { newcomer } from './merchant/products.ts';
import { setTerms } from './merchant/selling-pages.ts';
import { SLUG, superAdmin } from './merchant/super-admin.ts';
import { openOutside } from './outside.ts';
import { Inspector, openChromium } from './screen.ts';
import { startService } from './service.ts';
import { agentShopper } from './shopper/agent.ts';
import { buyThrough, demoShopper } from './shopper/shopper.ts';
import { exampleShopper } from './shopper/storefront.ts';

const USAGE = `npm run test:browser [-- --pictures DIR] [--csv FILE]

  --pictures DIR  keep pictures of each page
  --csv FILE      import this Shopify export`;

const { values } = readArguments(USAGE, () =>
  parseArgs({
    options: {
      pictures: { type: 'string' },
      csv: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }),
);
if (values.pictures) mkdirSync(values.pictures, { recursive: true });

/** The developer of a new tenant sets it up, sells something, and sees the order. */
async function newShop(context: JourneyContext, link: string): Promise<void> {
  const file = catalogue(values.csv);
  const page = await join(context, link, 'developer');
  const token = await makeToken(page, context);
  await importCatalogue(page, context, file);
  const api = client(context.service.base, token);
  const { data } = await api<{ data: Listed[] }>('GET', '/v1/products?limit=100');
  const sold = data.find(({ type }) => type === 'simple');
  assert.ok(sold, `no simple product among ${data.length}`);
  await editPrice(page, context, sold);
  await registerWebhook(page, context);
  await furnish(page, context);
  await setTerms(page, context);
  const number = await buyThrough(context, token, sold.id);
  await seeOrder(page, context, number, sold.name, 'developer');

  await api('POST', '/v1/imports/products', new Blob([manyProducts(50)], { type: 'text/csv' }));
  await page.goto('/developer/webhooks');
  await followLink(page.getByRole('link', { name: context.outside.hooks }));
  await seeDeliveries(page, 50);
  await context.inspect(page, 'developer-webhook-full');
  for (const type of ['order.created', 'order.paid', 'stock.changed', 'product.updated']) {
    assert.ok(context.outside.events.includes(type), `${type} did not arrive`);
  }
  await quickStart(page, context, token);
  await apiReference(page, token);
  await overview(page, context);
  await seeDelivery(page, context);
  await page.goto('/developer/products');
  await context.inspect(page, 'developer-products-full');
  await afterPayment(page, context);
  await threePeople(page, context);
  await ordersAndCustomers(page, context);
  await comeBack(page, context, SLUG, 'ada@example.com');
  console.log(
    `Imported ${file.name}, ${file.products} products; ${context.outside.events.length} events came.`,
  );
}

/** Prints what every open page shows, and throws again: a stuck browser, if one of the pages draws no frames. */
async function explain(error: unknown, pages: readonly Page[]): Promise<never> {
  for (const page of pages)
    console.error(`\n${page.url()}\n${await page.locator('body').ariaSnapshot().catch(String)}`);
  for (const page of pages) await waitForFrames(page);
  throw error;
}

/** The whole story, with a service and a browser of its own. */
async function tellStory(): Promise<void> {
  const inspector = new Inspector(values.pictures);
  const outside = await openOutside();
  const service = await startService();
  const chromium = await openChromium();
  const context: JourneyContext = {
    service,
    outside,
    inspect: (page, name) => inspector.inspect(page, name),
    open: async () => {
      const context = await chromium.newContext({ baseURL: service.base });
      context.setDefaultTimeout(60_000);
      await inspector.watch(context);
      return context.newPage();
    },
  };
  try {
    const number = await everybody(context);
    console.log(`Order ${number} was placed, paid and seen.\n${inspector.summary}`);
  } catch (error) {
    await explain(
      error,
      chromium.contexts().flatMap((context) => context.pages()),
    );
  } finally {
    await chromium.close();
    await service.stop();
    outside.stop();
  }
  assert.deepEqual(inspector.wrong, [], inspector.wrong.join('\n'));
  const { compared, faults } = service.contract;
  console.log(`${compared} exchanges with the API were compared with its OpenAPI document.`);
  assert.deepEqual(faults, [], faults.join('\n'));
}

/** The super-admin, the developers and the shoppers, one after the other; returns the number of the demo's order. */
async function everybody(context: JourneyContext): Promise<string> {
  const links = await superAdmin(context);
  await newShop(context, links.own);
  await cataloguePages(await newcomer(context), context);
  const number = await demoShopper(context);
  const mary = await join(context, links.demo, 'demo-developer');
  await seeOrder(mary, context, number, 'Enamel Cup', 'demo-developer');
  await exampleShopper(context);
  await agentShopper(context);
  return number;
}

try {
  await tellStory();
} catch (error) {
  if (!(error instanceof StuckBrowser)) throw error;
  console.error(`${error.message}: the whole story once more, in another browser.`);
  await tellStory();
}
