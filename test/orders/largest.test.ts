/** An order with the largest lines that the API takes. */

import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { rows, run } from '../../src/kernel/data/database.ts';
import { createProduct, seeing } from '../support/fixtures/catalog/products.ts';
import { fillCart } from '../support/fixtures/selling/cart.ts';
import {
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { eventsOfType } from '../support/fixtures/selling/orders.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import type { Answer, World } from '../support/world.ts';

/** The most bytes of a row in D1. */
const MAX_ROW_BYTES = 2_000_000;

/** Returns the bytes of the tenant's largest event, plus 1,000 for the row's other columns. */
async function largestEvent(shop: World): Promise<number> {
  const [found] = await rows<{ bytes: number }>(
    databaseOf(shop),
    sql`SELECT max(length(CAST(data AS BLOB))) + 1000 AS bytes FROM outbox WHERE tenant_id = ${shop.tenantId}`,
  );
  return found?.bytes ?? 0;
}

/** Copies the only row of an order's refunds or fulfilments so many times. */
async function copyRows(shop: World, table: 'refunds' | 'order_fulfilments', times: number): Promise<void> {
  const db = databaseOf(shop);
  const columns = await rows<{ name: string }>(db, sql`SELECT name FROM pragma_table_info(${table})`);
  const names = columns.map(({ name }) => name);
  const values = names.map((name) =>
    name === 'id' ? `id || 'x' || value` : name === 'reference' ? `reference || 'x' || value` : name,
  );
  await run(
    db,
    sql.raw(`INSERT INTO ${table} (${names.join()}) SELECT ${values.join()}
      FROM ${table}, (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT ${times}) SELECT value FROM n)
      WHERE tenant_id = ${shop.tenantId}`),
  );
}

it('is paid, with every download', async () => {
  const shop = await sandboxShop();
  const links = [...Array(100).keys()].map((n) => ({ title: `${n}`, url: 'https://a.io/' }));
  const album = await createProduct(shop, { name: 'A', type: 'downloadable', price: 1, links });
  const ids: number[] = album.body.links.map(({ id }: { id: number }) => id);
  const metadata = Object.fromEntries(
    links.slice(0, 50).map(({ title }) => [title, '\u{1F3B5}'.repeat(500)]),
  );
  const made = await shop.post('/cart', { metadata }, seeing(album));
  const { cart_token } = made.body;
  await fillCart(shop, cart_token, (n) => ({
    product_id: album.body.id,
    quantity: 1,
    options: { links: ids.filter((id) => id !== ids[n]), dedication: 'x'.repeat(1500) },
  }));
  const paid = readReturn(await submitCheckout(await checkoutPath(shop, cart_token), 'pay'));
  expect(paid.status).toBe('paid');
  expect(await largestEvent(shop)).toBeLessThan(MAX_ROW_BYTES);
  const { body: order } = await shop.get(`/orders/${paid.order_id}`);
  const files = order.items.map(({ downloads }: { downloads: object[] }) => downloads.length);
  expect(files).toEqual(Array(100).fill(99));
  const [event] = await eventsOfType(shop, 'order.paid');
  const items = order.items.map(({ downloads: _, ...item }: { downloads: object[] }) => item);
  expect(event).toMatchObject({ id: order.id, status: 'paid', totals: order.totals, items });
});

/** Pays for a cart of 100 lines with long texts. Returns the order. */
async function largeOrder(shop: World): Promise<Answer['body']> {
  const name = '\u{1F3B5}'.repeat(255);
  const images = [`https://a.io/${'x'.repeat(2_000)}`];
  const product = await createProduct(shop, {
    name,
    slug: 's'.repeat(255),
    price: 12.34,
    stock: 9_999_999,
    images,
  });
  const metadata = Object.fromEntries([...Array(50).keys()].map((n) => [`${n}`, name]));
  const made = await shop.post('/cart', { metadata }, seeing(product));
  const { cart_token } = made.body;
  await fillCart(shop, cart_token, (n) => ({
    product_id: product.body.id,
    quantity: 200,
    options: { dedication: 'x'.repeat(4_000), n },
  }));
  const paid = readReturn(await submitCheckout(await checkoutPath(shop, cart_token), 'pay'));
  return (await shop.get(`/orders/${paid.order_id}`)).body;
}

it('takes as many parcels and refunds of all lines as an order may have', async () => {
  const shop = await sandboxShop();
  const order = await largeOrder(shop);
  const path = `/orders/${order.id}`;
  const items = order.items.map(({ id }: { id: number }) => ({ line_id: id, quantity: 1 }));
  const tracking = { carrier: 'c', number: '1', url: `https://a.io/${'x'.repeat(2_000)}` };
  const refund = { items, reason: '\u{1F3B5}'.repeat(500) };
  expect((await shop.post(`${path}/fulfilments`, { items, tracking })).status).toBe(201);
  expect((await shop.post(`${path}/refunds`, refund)).status).toBe(201);
  await copyRows(shop, 'order_fulfilments', 48);
  await copyRows(shop, 'refunds', 98);
  expect((await shop.post(`${path}/fulfilments`, { items, tracking })).status).toBe(201);
  const last = await shop.post(`${path}/refunds`, refund);
  expect(last.status, JSON.stringify(last.body).slice(0, 300)).toBe(201);
  expect(await largestEvent(shop)).toBeLessThan(MAX_ROW_BYTES);
  const { body: after } = await shop.get(path);
  expect([after.refunds.length, after.fulfilments.length]).toEqual([100, 50]);
  const event = (await eventsOfType(shop, 'order.refunded')).at(-1);
  expect(event).toMatchObject({ id: order.id, refund: { id: last.body.id, amount: last.body.amount } });
  expect(event?.refunds).toEqual(after.refunds.slice(-10));
  expect(event?.fulfilments).toEqual(after.fulfilments.slice(-10));
});
