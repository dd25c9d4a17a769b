/** Texts that earlier releases stored, and requests refuse by now: they show nothing, or turn what stands around them. */
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { TenantsRow } from '../../../src/transfer/schemas.ts';
import { asDeveloper } from '../../support/fixtures/browser.ts';
import { createProduct, NEWEST } from '../../support/fixtures/catalog/products.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { databaseOf, storeOf } from '../../support/runtime/runtime.ts';
import { admin, world } from '../../support/world.ts';

const END = '\u202c';
const find = (text: string) => encodeURIComponent(text);

it('are shown in addresses of orders and customers', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  await shop.post('/customers/me/addresses', { country: 'DE' }, withSession(ada.token));
  const { id: cup } = (await createProduct(shop, { stock: 9 })).body;
  const customer = { customerId: ada.id, name: 'Ada', email: ada.email, phone: null };
  const { row: order } = await placedOrder(shop, cup, { customer });
  const address = JSON.stringify({ country: 'DE', city: `Berlin${END}`, phone: `+49 30 1${END}` });
  const { tenantId } = shop;
  await databaseOf(shop).run(
    sql`UPDATE orders SET shipping_address = ${address}, billing_address = ${address} WHERE tenant_id = ${tenantId}`,
  );
  await databaseOf(shop).run(
    sql`UPDATE customer_addresses SET address = ${address} WHERE tenant_id = ${tenantId}`,
  );
  expect((await shop.get(`/orders/${order.id}`)).body.addresses.shipping.city).toBe(`Berlin${END}`);
  const developer = await asDeveloper(shop.slug);
  for (const path of ['orders', `orders/${order.id}`, `customers/${ada.id}`]) {
    const { status, html } = await developer.get(`/developer/${path}`);
    expect([path, status]).toEqual([path, 200]);
    if (path !== 'orders') expect(html).toContain('Berlin');
  }
});

it('are shown in settings, move with their tenant, and are replaced', async () => {
  const method = { id: 'post', name: 'Post', price: 5 };
  const tax = { mode: 'exclusive', rate_percent: 19, rates_by_class: { food: { rate_percent: 7 } } };
  const shop = await world({ settings: { shipping: { methods: [method] }, tax } });
  const store = storeOf(shop);
  await store
    .prepare(`UPDATE tenants SET settings = replace(replace(settings, 'Post', ?1), 'food', ?2) WHERE id = ?3`)
    .bind(`Post${END}`, `food${END}`, shop.tenantId)
    .run();
  const { settings } = (await admin('GET', `/tenants/${shop.slug}`)).body;
  expect(settings.shipping.methods).toMatchObject([{ name: `Post${END}` }]);
  expect(TenantsRow.shape.settings.safeParse(JSON.stringify(settings)).success).toBe(true);
  const developer = await asDeveloper(shop.slug);
  for (const path of ['/developer/settings/shipping', '/developer/settings/tax'])
    expect([path, (await developer.get(path)).status]).toEqual([path, 200]);
  for (const name of [`Mail${END}`, '\u200b']) {
    const refused = await shop.patch('/settings', { shipping: { methods: [{ ...method, name }] } });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['shipping.methods.0.name']]);
  }
  expect((await shop.patch('/settings', { shipping: { methods: [method] } })).status).toBe(200);
});

it('name what has them, and are looked for', async () => {
  const shop = await world();
  await createProduct(shop, { sku: 'A', stock: 1 });
  for (const table of ['products', 'inventory_items'])
    await storeOf(shop)
      .prepare(`UPDATE ${table} SET sku = ? WHERE tenant_id = ?`)
      .bind(`A${END}`, shop.tenantId)
      .run();
  const items = (more: object) => ({ items: [{ sku: `A${END}`, ...more }] });
  const adjusted = await shop.post('/inventory/adjustments', items({ delta: 2 }));
  expect([adjusted.status, adjusted.body.data]).toEqual([200, [expect.objectContaining({ stock: 3 })]]);
  expect((await shop.post('/products/prices', items({ price: 7 }))).status).toBe(200);
  const { id: cup } = (await createProduct(shop, { stock: 9 })).body;
  const { row: order } = await placedOrder(shop, cup);
  const untagged = { ids: [order.id], change: { remove_tags: [`new${END}`] } };
  expect((await shop.post('/orders/bulk', untagged)).body).toMatchObject({ updated: 1, errors: [] });
  for (const path of ['orders?tag=', 'customers?q=', 'media?q='])
    expect([path, (await shop.get(`/${path}${find(`a${END}`)}`)).status]).toEqual([path, 200]);
});

it('stay in the variants of a product that is edited', async () => {
  const shop = await world();
  const size = (sku: string) => ({ sku, price: 5, attributes: { Size: sku } });
  const made = await createProduct(shop, { type: 'configurable', variants: [size('S'), size('M')] });
  await storeOf(shop)
    .prepare(
      `UPDATE variants SET sku = sku || ?1, attributes = json_object(?2, sku || ?1) WHERE tenant_id = ?3`,
    )
    .bind(END, `Size${END}`, shop.tenantId)
    .run();
  const { id, variants } = (await shop.get(`/products/${made.body.id}`, NEWEST)).body;
  const priced = variants.map((variant: object) => ({ ...variant, price: 6 }));
  const sent = await shop.patch(`/products/${id}`, { variants: priced });
  expect([sent.status, sent.body.variants]).toMatchObject([200, priced]);
  expect(sent.body.variants[0]).toMatchObject({ sku: `S${END}`, attributes: { [`Size${END}`]: `S${END}` } });
  const others = [
    { sku: `L${END}` },
    { attributes: { Size: `L${END}` } },
    { attributes: { [`Fit${END}`]: 'M' } },
  ];
  for (const other of others) {
    const refused = await shop.patch(`/products/${id}`, {
      variants: [variants[0], { ...variants[1], ...other }],
    });
    expect([refused.status, Object.keys(refused.body.errors)[0]]).toEqual([
      422,
      expect.stringMatching(/^variants\.1\./),
    ]);
  }
  const bulk = await shop.post('/products/bulk', {
    ids: [id],
    change: { price: { kind: 'set', amount: 7 } },
  });
  expect(bulk.body).toMatchObject({ updated: 1, errors: [] });
});
