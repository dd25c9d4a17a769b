import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { DAY, now } from '../../src/kernel/core/clock.ts';
import { FIRST_EU_TENANT_ID } from '../../src/kernel/data/jurisdiction.ts';
import { pageQuery } from '../../src/transfer/export-page.ts';
import { exportCursor } from '../../src/transfer/schemas.ts';
import { LEFT_OUT, TRANSFERRED_TABLES } from '../../src/transfer/transferred-tables.ts';
import { bytesOf, fetchImage, gif } from '../media/images.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { busyShop } from '../support/fixtures/busy-shop.ts';
import { seeing, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { fillCart } from '../support/fixtures/selling/cart.ts';
import { sandboxShop, startCheckout } from '../support/fixtures/selling/checkout.ts';
import { logIn } from '../support/fixtures/selling/customers.ts';
import { searchOf } from '../support/runtime/runtime.ts';
import { deleteEverything } from '../support/storage/delete-everything.ts';
import { admin, send, type World } from '../support/world.ts';
import {
  activate,
  type Exported,
  exportAll,
  headerNow,
  importAll,
  sha256Of,
  suspend,
} from './transferring.ts';

/** Reads what a customer, a storefront and the shop's staff see. */
const views = async (shop: World, { email }: { email: string }, cart: string, product: number) =>
  Promise.all([
    shop.get(`/products/${product}`),
    shop.get(`/cart/${cart}`),
    shop.get('/orders'),
    shop.get('/promotions'),
    shop.get('/customers'),
    shop.get('/media'),
    logIn(shop, email).then(({ body: { customer } }) => ({ body: customer })),
  ]).then((answers) => answers.map(({ body }) => body));

/** Rebuilds a tenant's search index, and waits for the end. */
async function rebuildSearch(shop: World): Promise<void> {
  expect((await admin('POST', `/tenants/${shop.slug}/search-rebuilds`)).status).toBe(202);
  const running = searchOf(shop).prepare('SELECT run FROM search_progress WHERE tenant_id = ?');
  const ended = async () => expect(await running.bind(shop.tenantId).first()).toEqual({ run: null });
  await vi.waitFor(ended, { timeout: 30_000, interval: 100 });
}

it('restores a tenant into an empty deployment, where a second export is the same byte for byte', async () => {
  const { shop, customer, cup, kept, picture } = await busyShop();
  const seen = await views(shop, customer, kept, cup.body.id);
  await suspend(shop);
  const first = await exportAll(shop.slug);
  const file = await bytesOf(await fetchImage(picture.url));
  await deleteEverything();

  // As the export of an active tenant has it: none is served before all is imported.
  const [own, ...others] = first.records;
  const active = { table: 'tenants', row: { ...own?.row, status: 'active' } };
  await importAll(shop.slug, { ...first, records: [active, ...others] });
  const bytes = gif(3, 2);
  const media = `/admin/v1/tenants/${shop.slug}/import/media/${await sha256Of(bytes)}`;
  const type = { 'content-type': 'image/gif' };
  const put = { token: env.SUPER_ADMIN_TOKEN, headers: type, raw: bytes };
  expect((await send('PUT', media, put)).status).toBe(204);
  // A call can be repeated.
  await importAll(shop.slug, first);
  expect((await send('PUT', media, put)).status).toBe(204);
  await rebuildSearch(shop);
  const second = await exportAll(shop.slug);
  expect(second.records).toEqual(first.records);
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));

  await activate(shop);
  expect(await views(shop, customer, kept, cup.body.id)).toEqual(seen);
  expect(await bytesOf(await fetchImage(picture.url))).toEqual(file);
  // The shop goes on: new ids are behind the imported ones, and the old slug leads to the product.
  const next = await stockedProduct(shop, { name: 'Plate' });
  expect(next.body.id).toBeGreaterThan(cup.body.id);
  expect((await shop.get('/products/slug/cup')).body.id).toBe(cup.body.id);
  const tables = first.records.map(({ table }) => table);
  const kinds = ['orders', 'payments', 'customers', 'carts', 'outbox', 'webhooks', 'media', 'promotions'];
  expect(tables).toEqual(expect.arrayContaining(kinds));
});

it('exports or names every table with rows of a tenant, with a key that is unique in the tenant', async () => {
  const { results } = await env.DB.prepare(
    `SELECT t.name, (SELECT sql FROM sqlite_master WHERE name = t.name) AS sql FROM sqlite_master t
      WHERE t.type = 'table' AND t.name NOT LIKE '\\_cf%' ESCAPE '\\'`,
  ).all<{ name: string; sql: string }>();
  const ofTenants = results.filter(({ sql }) => sql.includes('`tenant_id`')).map(({ name }) => name);
  const named = [...TRANSFERRED_TABLES.map(({ name }) => name), ...Object.keys(LEFT_OUT)];
  expect(named.sort()).toEqual(ofTenants.sort());
});

it.each(TRANSFERRED_TABLES.map((table) => [table.name, table] as const))(
  'reads a page of %s through an index that begins with the tenant',
  async (_, table) => {
    const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${pageQuery(table, table.key.length > 0)}`)
      .bind(1, ...table.key.map(() => 1))
      .all<{ detail: string }>();
    const steps = plan.results.map(({ detail }) => detail).join('; ');
    // Where rows may be large, their sizes are read before them.
    const reads = steps.split('; ').filter((step) => /^(?:SEARCH|SCAN \w)/.test(step));
    expect(reads).toHaveLength(table.sized ? 2 : 1);
    for (const step of reads)
      expect(step).toMatch(
        /^SEARCH \w+ USING ([\w ]*INDEX \w+ \(tenant_id=\?|INTEGER PRIMARY KEY \(rowid=\?)/,
      );
    // A tenant has at most ten hosts, which may be sorted.
    if (table.name !== 'tenant_hosts') expect(steps).not.toMatch(/USE TEMP B-TREE FOR ORDER BY/);
  },
);

const imported = (slug: string, body: object) => admin('PUT', `/tenants/${slug}/import`, body);
const former = { kind: 'product', slug: 'old', owner_id: 1, position: 1 };

it('imports only to a suspended tenant, of the same release, rows that fit, with free ids', async () => {
  const [shop, other] = [await sandboxShop(), await sandboxShop()];
  const header = await headerNow(shop.slug);
  const body = { header, records: [{ table: 'former_slugs', row: former }] };
  expect((await imported(shop.slug, body)).body.code).toBe('conflict');
  await suspend(shop);
  expect((await imported(shop.slug, body)).body).toEqual({ written: 1, unreadable_keys: [] });
  const older = { ...body, header: { ...header, schema: '0001_old.sql' } };
  expect((await imported(shop.slug, older)).body.code).toBe('conflict');
  const otherKeys = { ...body, header: { ...header, keys: { '1': 'another', '2': 'x' } } };
  expect((await imported(shop.slug, otherKeys)).body.unreadable_keys).toEqual(['1', '2']);
  const { body: product } = await stockedProduct(other, {});
  const { records } = await exportAll(other.slug);
  const taken = records.filter(({ table }) => table === 'products');
  expect(taken[0]?.row.id).toBe(product.id);
  expect((await imported(shop.slug, { header, records: taken })).body.code).toBe('conflict');
  expect((await shop.get('/products')).status).toBe(403);
  for (const row of [
    {},
    { ...former, extra: 1 },
    { ...former, tenant_id: 1 },
    { ...former, owner_id: null },
  ]) {
    const answer = await imported(shop.slug, { header, records: [{ table: 'former_slugs', row }] });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['records']]);
  }
  const cart = { table: 'carts', row: { id: 'x', content: '{}' } };
  expect((await imported(shop.slug, { header, records: [cart] })).status).toBe(422);
});

it('imports nothing to a tenant that is activated meanwhile', async () => {
  const shop = await sandboxShop();
  await suspend(shop);
  const header = await headerNow(shop.slug);
  beforeBatch(/INSERT INTO former_slugs/, () => activate(shop));
  const refused = await imported(shop.slug, { header, records: [{ table: 'former_slugs', row: former }] });
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
  const { records } = await exportAll(shop.slug);
  expect(records.filter(({ table }) => table === 'former_slugs')).toEqual([]);
});

it('refuses what no cart holds, and takes the cart itself afterwards', async () => {
  const { shop } = await busyShop();
  const { header, records } = await exportAll(shop.slug);
  await suspend(shop);
  const cart = records.find(({ table }) => table === 'carts')?.row;
  const { parts, lines, history } = JSON.parse(String(cart?.content));
  const withPart = (name: string, json: string) => ({
    parts: [...parts.filter((part: { name: string }) => part.name !== name), { name, json }],
    lines,
    history,
  });
  const head = JSON.parse(parts.find(({ name }: { name: string }) => name === 'head').json);
  const importCart = async (content: object) =>
    (
      await imported(shop.slug, {
        header,
        records: [{ table: 'carts', row: { id: 'another', content: JSON.stringify(content) } }],
      })
    ).status;
  for (const content of [
    withPart('pricing', 'x'),
    withPart('promotions', 'x'),
    withPart('head', '{}'),
    withPart('head', JSON.stringify({ ...head, changedAt: 2 ** 53 - 1 })),
    { parts: [...parts, parts[0]], lines, history },
    { parts, lines: [...lines, lines[0]], history },
    { parts, lines: [...lines, { id: 99, json: '{"id":99}' }], history },
    { parts, lines, history: [...history, { version: 1, json: 'x' }] },
  ]) {
    expect([content, await importCart(content)]).toEqual([content, 422]);
  }
  expect(await importCart({ parts, lines, history })).toBe(200);
});

it('takes the cart with the longest options and the longest history', async () => {
  const shop = await sandboxShop();
  const product = await stockedProduct(shop, { name: '"'.repeat(255) });
  const made = await shop.post('/cart', {}, seeing(product));
  const { cart_token } = made.body;
  await fillCart(shop, cart_token, (n) => ({
    product_id: product.body.id,
    quantity: 1,
    options: { dedication: '"'.repeat(2_030), n },
  }));
  expect((await startCheckout(shop, cart_token)).status).toBe(200);
  const { header, records } = await exportAll(shop.slug);
  await suspend(shop);
  const { parts, lines } = JSON.parse(String(records.find(({ table }) => table === 'carts')?.row.content));
  const addition = { op: 'add', product_id: product.body.id, variant_id: null, quantity: 1 };
  const entry = { at: now(), application: 1, operations: Array(100).fill(addition), totals: {} };
  const history = Array.from({ length: 250 }, (_, n) => ({ version: n + 1, json: JSON.stringify(entry) }));
  const content = JSON.stringify({ parts, lines, history });
  const cart = { table: 'carts', row: { id: 'another', content } };
  const answer = await imported(shop.slug, { header, records: [cart] });
  expect([answer.status, answer.body.written]).toEqual([200, 1]);
});

it('refuses ids so large that no other tenant could get a higher one', async () => {
  const [shop, other] = [await sandboxShop(), await sandboxShop()];
  await stockedProduct(shop, {});
  const { header, records } = await exportAll(shop.slug);
  await suspend(shop);
  for (const value of ['9007199254740991', ' 4e15', 2 ** 50, 2 ** 62, 1.5]) {
    for (const [table, changed] of [
      ['products', { id: value, sku: 'far', slug: 'far' }],
      ['outbox', { id: 'evt_far', position: value }],
      ['stock_movements', { id: value }],
    ] as const) {
      const row = { ...records.find((one) => one.table === table)?.row, ...changed };
      const { status } = await imported(shop.slug, { header, records: [{ table, row }] });
      expect([table, value, status]).toEqual([table, value, 422]);
    }
  }
  await stockedProduct(other, {});
  const { meta } = (await other.get('/events')).body;
  expect((await other.get(`/events?after=${meta.next_cursor}`)).body).toMatchObject({ data: [] });
  const own = records[0]?.row;
  for (const id of [FIRST_EU_TENANT_ID - 1, 2 * FIRST_EU_TENANT_ID, 2 ** 53 - 1]) {
    const begin = [{ table: 'tenants', row: { ...own, slug: 'far-away', id } }];
    expect([id, (await imported('far-away', { header, records: begin })).status]).toEqual([id, 422]);
  }
});

it('refuses ids with which search would take a product for one of another tenant', async () => {
  const shop = await sandboxShop();
  const { body: cup } = await stockedProduct(shop, { name: 'Cup' });
  const { header, records } = await exportAll(shop.slug);
  await suspend(shop);
  const row = records.find(({ table }) => table === 'products')?.row;
  // Search orders hits by the number of words in the name before the id, in one number.
  for (const id of [cup.id + 2 ** 44, cup.id - 2 ** 44]) {
    const far = { ...row, id, sku: `far-${id}`, slug: `far-${id}` };
    const { status } = await imported(shop.slug, { header, records: [{ table: 'products', row: far }] });
    expect([id, status]).toEqual([id, 422]);
  }
});

it('makes a tenant from its own row only', async () => {
  const shop = await sandboxShop();
  const { header, records }: Exported = await exportAll(shop.slug);
  const [own] = records;
  const begin = (row: object) =>
    imported('no-such-shop', { header, records: [{ table: 'tenants', row: { ...own?.row, ...row } }] });
  expect((await begin({})).status).toBe(422);
  expect((await begin({ slug: 'no-such-shop' })).body.code).toBe('conflict');
  expect((await begin({ slug: 'no-such-shop', settings: '{"tax":1}' })).status).toBe(422);
  // Rows of such a version would never be old enough to be deleted, and keep those of others from it.
  for (const far of [{ catalog_version: now() + 2 * DAY }, { clock: 2 ** 53 - 1 }]) {
    expect((await begin({ slug: 'no-such-shop', ...far })).status).toBe(422);
  }
  expect((await imported('no-such-shop', { header, records: [] })).body.code).toBe('tenant_not_found');
  // No other tenant's row comes with a tenant's records.
  await suspend(shop);
  const slug = `free-${crypto.randomUUID().slice(0, 8)}`;
  const other = { table: 'tenants', row: { ...own?.row, id: 777_777, slug, settings: 'none' } };
  expect((await imported(shop.slug, { header, records: [own, other] })).status).toBe(422);
  const made = await admin('POST', '/tenants', { slug, name: 'Free', currency: 'EUR', plan: 'growth' });
  expect(made.status).toBe(201);
  // A slug belongs to the id under which its import began, though nothing of it was written.
  const begun = (id: number) => {
    const row = { ...own?.row, id, slug: 'begun' };
    const misfit = { table: 'former_slugs', row: {} };
    return imported('begun', { header, records: [{ table: 'tenants', row }, misfit] });
  };
  expect((await begun(777_778)).status).toBe(422);
  expect((await begun(777_779)).body.code).toBe('conflict');
});

it('takes an image of a suspended tenant, by its hash only', async () => {
  const shop = await sandboxShop();
  const put = (hash: string) =>
    send('PUT', `/admin/v1/tenants/${shop.slug}/import/media/${hash}`, {
      token: env.SUPER_ADMIN_TOKEN,
      headers: { 'content-type': 'image/gif' },
      raw: gif(2, 2),
    });
  expect((await put(await sha256Of(gif(2, 2)))).body.code).toBe('conflict');
  await suspend(shop);
  expect((await put('0'.repeat(64))).body.code).toBe('invalid_image');
  expect((await put('zz')).status).toBe(422);
});

it('refuses a cursor whose key belongs to no table', async () => {
  const shop = await sandboxShop();
  const forged = exportCursor.encode([0, ['a', 'b', 'c', 'd']]);
  expect((await admin('GET', `/tenants/${shop.slug}/export?cursor=${forged}`)).status).toBe(422);
});

it('goes on behind a row whose key is very long', async () => {
  const shop = await sandboxShop();
  // The longest values: folded, each of these characters becomes 18.
  const long = '\ufdfa'.repeat(254);
  const values = Array.from({ length: 20 }, (_, n) => long + String.fromCharCode(97 + n));
  const names = Array.from({ length: 11 }, (_, n) => '\ufdfa'.repeat(63) + String.fromCharCode(97 + n));
  await stockedProduct(shop, { attributes: Object.fromEntries(names.map((name) => [name, values])) });
  const { records } = await exportAll(shop.slug);
  expect(records.filter(({ table }) => table === 'item_facets').length).toBeGreaterThan(220);
});
