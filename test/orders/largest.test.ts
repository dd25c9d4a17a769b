/** An order with the largest lines that the API takes. */

import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { rows } from '../../src/kernel/data/database.ts';
import { createProduct, seeing } from '../support/fixtures/catalog/products.ts';
import {
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { eventsOfType } from '../support/fixtures/selling/orders.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

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
  const add = (skipped: number) => ({
    op: 'add',
    product_id: album.body.id,
    quantity: 1,
    options: { links: ids.filter((id) => id !== skipped), dedication: 'x'.repeat(1500) },
  });
  for (let start = 0; start < 100; start += 25) {
    const operations = ids.slice(start, start + 25).map(add);
    const added = await shop.post(`/cart/${cart_token}/batch`, { operations });
    expect(added.status, JSON.stringify(added.body).slice(0, 300)).toBe(200);
  }
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
