import { env } from 'cloudflare:workers';
import { HOUR } from '../../src/kernel/core/clock.ts';
import { session } from '../checkout/samples.ts';
import { type Browser, fill, invitation } from '../support/fixtures/browser.ts';
import { importFile } from '../support/fixtures/catalog/imports.ts';
import { advanceAndRunAlarm } from '../support/fixtures/webhooks.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

/** The characters that cost the most in HTML: a page that doesn't escape them could be made to run scripts. */
export const MARKUP = '"&<>';
/** As long as a name may be, of these characters. */
const LONG = MARKUP.repeat(60);
const long = (length: number): string => `${crypto.randomUUID()}${LONG.repeat(2)}`.slice(0, length);
const times = <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));

/** What pages about one thing are about, where it is as large as it gets. */
export interface LargestTenant {
  readonly shop: World;
  /** The path of a page with parameters → their values. */
  readonly subjects: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
}

/** A tenant with more of everything than a page shows, all of it with long names. */
export async function createLargestTenant(admin: Browser): Promise<LargestTenant> {
  await deliveryFailures();
  const shop = await world({ plan: 'enterprise', currencies: ['EUR', 'USD', 'GBP', 'CHF'] });
  const amounts = (value: number) => ({ EUR: value, USD: value, GBP: value, CHF: value });
  const product = (more: object) =>
    shop.post('/products', {
      name: long(255),
      type: 'simple',
      price: 1234.5,
      stock: 10,
      description: LONG.repeat(99),
      ...more,
    });
  const products = await times(25, () => product({}));
  const variants = Array.from({ length: 60 }, (_, at) => ({
    sku: `${at}${long(60)}`,
    price: 12.5,
    stock: 3,
    attributes: { a: `${at}${long(60)}`, b: long(60) },
  }));
  const configurable = await product({ type: 'configurable', stock: undefined, variants });
  const orders = [];
  for (let at = 0; at < 22; at++) {
    const customer = { name: long(120), email: `${at}@example.com`, phone: '+49 40 123456' };
    orders.push((await shop.post('/orders', { session: await session(shop), customer })).body.id);
  }
  const promotions = await times(22, (at) =>
    shop.post('/promotions', {
      name: long(120),
      trigger: 'code',
      code: `${at}-${crypto.randomUUID()}`,
      effect: { kind: 'fixed', value: amounts(5) },
      conditions: {
        minimum_subtotal: amounts(50),
        product_ids: products.map(({ body }) => body.id),
      },
    }),
  );
  const people = await customers(shop);
  const filter = {
    product_id: products.map(({ body }) => body.id),
    variant_id: configurable.body.variants.map(({ id }: { id: number }) => id).slice(0, 22),
    customer_id: people,
  };
  const hooks = await times(22, (at) =>
    shop.post('/webhooks', {
      url: `https://shop.example.com/${at}${'x'.repeat(1_900)}`,
      events: ['order.created', 'order.paid', 'order.cancelled', 'product.updated', 'stock.changed'],
      status: at === 0 ? 'active' : 'paused',
      ...(at === 0 && { filter }),
    }),
  );
  const hook = hooks[0]?.body.id;
  for (let at = 0; at < 12; at++) await shop.post(`/webhooks/${hook}/ping`);
  // Each delivery fails more often than the page shows attempts.
  for (let at = 0; at < 4; at++) await advanceAndRunAlarm(shop, hook, HOUR);
  await times(22, () => shop.register());
  await fill(admin, ...twice(`/admin/tenants/${shop.slug}/applications/${shop.applicationId}`), {
    name: long(250),
    allowed_origins: Array.from({ length: 30 }, (_, at) => `https://${at}${'o'.repeat(50)}.example.com`).join(
      '\n',
    ),
  });
  for (let at = 0; at < 17; at++) await invitation(admin, shop.slug, `${at}${'e'.repeat(200)}@example.com`);
  const lines = Array.from({ length: 130 }, (_, at) => `h${at},${long(40).replaceAll('"', '')},none`);
  const broken = await importFile(shop, `Handle,Title,Variant Price\n${lines.join('\n')}\n`);
  for (let at = 0; at < 11; at++) await importFile(shop, `Handle,Title,Variant Price\nmug${at},Mug,none\n`);
  const countries = [
    'DE',
    'AT',
    'CH',
    'US',
    'NO',
    'SE',
    'FR',
    'IT',
    'ES',
    'PT',
    'NL',
    'BE',
    'PL',
    'CZ',
    'DK',
  ];
  const by = <T>(value: T) => Object.fromEntries(countries.map((country) => [country, value]));
  await shop.patch('/settings', {
    tax: { mode: 'exclusive', rate_percent: 19, rates_by_country: by(19.5) },
    shipping: { flat: amounts(5), by_country: by({ flat: amounts(12.5), free_over: amounts(100) }) },
  });
  const feeds = await times(10, () => shop.post('/feeds', { format: 'jsonl' }));
  await shop.patch('/theme/options', { homepage_sections: Array.from({ length: 12 }, () => long(60)) });
  return {
    shop,
    subjects: {
      '/developer/products/:id': { id: configurable.body.id },
      '/developer/orders/:id': { id: orders[0] },
      '/developer/customers/:id': { id: people[0] ?? 0 },
      '/developer/promotions/:id': { id: promotions[0]?.body.id },
      '/developer/webhooks/:id': { id: hook },
      '/developer/webhooks/:id/edit': { id: hook },
      '/developer/webhooks/:id/conditions/:key': { id: hook, key: 'variant_id' },
      ...Object.fromEntries(
        ['', '/new-address', '/delete'].map((page) => [
          `/developer/feeds/:id${page}`,
          { id: feeds[0]?.body.id },
        ]),
      ),
      '/developer/imports/:id': { id: broken.id },
      '/developer/applications/:id': { id: shop.applicationId },
      '/admin/tenants/:slug/applications/:id': { slug: shop.slug, id: shop.applicationId },
    },
  };
}

/** Customers, without the cost of hashing their passwords; returns their ids. */
async function customers({ tenantId }: World): Promise<number[]> {
  const insert = storeOf({ tenantId }).prepare(
    `INSERT INTO customers (tenant_id, email, name, phone, password, created_at, updated_at)
     VALUES (?, ?, ?, '+49 40 123456', '', 0, 0) RETURNING id`,
  );
  const made = await storeOf({ tenantId }).batch<{ id: number }>(
    Array.from({ length: 22 }, (_, at) =>
      insert.bind(tenantId, `${at}${'e'.repeat(200)}@example.com`, long(120)),
    ),
  );
  return made.flatMap(({ results }) => results.map(({ id }) => id));
}

/** Webhooks that fail, webhooks that paused themselves, and dead letters: what only time and bad luck make. */
async function deliveryFailures(): Promise<void> {
  const { tenantId } = await world();
  const hook = storeOf({ tenantId }).prepare(
    `INSERT INTO webhooks (tenant_id, url, events, status, paused_reason, failing_since, failures, last_error,
       secret, secret_tail, ref, created_at, updated_at)
     VALUES (?, ?, '[]', ?, ?, ?, 1234, '500 status_not_2xx', '', '', ?, 0, 0)`,
  );
  const letter = env.DB.prepare(
    `INSERT INTO dead_letters (id, body, queue, attempts, error, sent_at, recorded_at)
     VALUES (?, ?, 'webhook-events', 101, 'TypeError: ${'x'.repeat(180)}', ?, ?)`,
  );
  await storeOf({ tenantId }).batch(
    Array.from({ length: 22 }, (_, at) => [
      hook.bind(
        tenantId,
        `https://${at}.example.com/${'x'.repeat(900)}`,
        'active',
        null,
        at,
        crypto.randomUUID(),
      ),
      hook.bind(
        tenantId,
        `https://${at}.example.com/${'x'.repeat(900)}`,
        'paused',
        'gone',
        at,
        crypto.randomUUID(),
      ),
      letter.bind(
        crypto.randomUUID(),
        JSON.stringify({ tenantId, eventId: `evt_${crypto.randomUUID()}` }),
        at,
        at,
      ),
    ]).flat(),
  );
}

const twice = (path: string): [string, string] => [path, path];
