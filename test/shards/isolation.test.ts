/** Tenants on different shards serve beside each other, and none sees what another has. */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it, vi } from 'vitest';
import { runCron } from '../support/cron.ts';
import { fiveCups } from '../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { placedOn, rowsByDatabase, shopOn } from '../support/shards/rows.ts';
import { admin, type World } from '../support/world.ts';

let shops: readonly World[] = [];
const orders: string[] = [];

/** Two shops on two shards, each with a product of the same ids and names, and an order. */
beforeAll(async () => {
  shops = [await shopOn('SHARD_01', sandboxShop), await shopOn('SHARD_02', sandboxShop)];
  for (const shop of shops) {
    const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop), 2));
    orders.push(readReturn(await submitCheckout(path, 'pay')).order_id);
  }
});

it('serves catalogue, stock, orders and search of each from its own shard', async () => {
  for (const [n, shop] of shops.entries()) {
    expect((await shop.get('/products')).body.meta.total).toBe(1);
    const { data } = (await shop.get('/orders')).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([orders[n]]);
    expect((await shop.get(`/orders/${orders[1 - n]}`)).status).toBe(404);
    await vi.waitFor(async () => expect((await shop.get('/search?q=cup')).body.meta.total).toBe(1), {
      timeout: 30_000,
      interval: 100,
    });
    const place = await placedOn(shop);
    for (const table of ['products', 'orders', 'outbox', 'audit_log']) {
      const counts = await rowsByDatabase(shop, table);
      for (const [name, count] of Object.entries(counts))
        if (name !== place) expect([table, name, count]).toEqual([table, name, 0]);
    }
    const search: D1Database = Reflect.get(env, place.replace('SHARD', 'SEARCH'));
    const found = search.prepare('SELECT count(*) AS n FROM search_documents WHERE tenant_id = ?');
    expect(await found.bind(shop.tenantId).first('n')).toBe(1);
  }
});

it('lists all tenants to the platform, and works off every shard by the cron', async () => {
  const slugs: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await admin('GET', `/tenants?limit=100${cursor && `&cursor=${cursor}`}`);
    slugs.push(...body.data.map(({ slug }: { slug: string }) => slug));
    expect(body.unavailable).toEqual([]);
    cursor = body.meta.next_cursor;
  }
  expect(slugs).toEqual(expect.arrayContaining(shops.map(({ slug }) => slug)));
  const messages = await runCron();
  const relays = messages.filter(({ chore }) => chore === 'events').map(({ shard }) => shard);
  expect(new Set(relays)).toEqual(new Set(['SHARD_01', 'SHARD_02']));
});
