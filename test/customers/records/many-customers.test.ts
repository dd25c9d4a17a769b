/** Lists of customers in shops that have many, also by words that many of them have. */

import { expect, it } from 'vitest';
import { registerCustomer } from '../../support/fixtures/selling/customers.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';

/** Adds customers of the same name to a shop. */
async function addCustomers(shop: World, name: string, count: number): Promise<void> {
  const { tenantId } = shop;
  const store = storeOf(shop);
  await store.batch([
    store
      .prepare(
        `INSERT INTO customers (tenant_id, email, name, password, created_at, updated_at)
          SELECT ?1, replace(lower(?2), ' ', '.') || value || '@example.com', ?2, '', 0, 0 FROM json_each(?3)`,
      )
      .bind(tenantId, name, JSON.stringify([...Array(count).keys()])),
    store
      .prepare(
        `INSERT INTO customer_terms (tenant_id, term, customer_id) SELECT tenant_id, word.value, customers.id
          FROM customers, json_each(?1) word WHERE tenant_id = ?2 AND name = ?3`,
      )
      .bind(JSON.stringify(name.toLowerCase().split(' ')), tenantId, name),
  ]);
}

/** A shop with customers of one name. */
async function shopWith(name: string, count: number): Promise<World> {
  const shop = await world();
  await addCustomers(shop, name, count);
  return shop;
}

/** The ids of a page of the list and its `meta`. */
async function listed(shop: World, query: string) {
  const { status, body } = await shop.get(`/customers?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return { ids: body.data.map(({ id }: { id: number }) => id) as number[], meta: body.meta };
}

it('reads a few rows for each customer whom two frequent words find', async () => {
  const shop = await shopWith('Anna Meier', 300);
  const { read } = await measureDatabase(async () => {
    expect((await listed(shop, 'q=anna%20meier')).meta.total).toBe(300);
  });
  expect(read).toBeLessThan(300 * 15);
});

it('counts customers without reading each of them', async () => {
  const shop = await shopWith('Anna Meier', 300);
  const list = () => listed(shop, 'limit=1');
  const { ids, meta } = await list();
  expect(meta.total).toBe(300);
  expect((await shop.delete(`/customers/${ids[0]}`)).status).toBe(204);
  expect((await list()).meta.total).toBe(299);
  expect((await measureDatabase(list)).read).toBeLessThan(50);
});

it('finds a customer by a rare word beside a longer one that more than 5,000 have', async () => {
  const shop = await shopWith('Jan Schmidt', 5_001);
  const anna = await registerCustomer(shop, { name: 'Anna Schmidt' });
  for (const q of ['anna schmidt', 'schmidt anna', 'schmi an']) {
    expect((await listed(shop, `q=${q}`)).ids, q).toEqual([anna.id]);
  }
});

it('finds the newest customers by words that more than 5,000 have', async () => {
  const shop = await shopWith('Anna Schmidt', 5_001);
  const anna = await registerCustomer(shop, { name: 'Anna Schmidt' });
  await registerCustomer(shop, { name: 'Jan Weber' });
  for (const q of ['schmidt', 'schm', 'anna schmidt', 'ann schmi']) {
    expect((await listed(shop, `q=${q}&limit=1`)).ids, q).toEqual([anna.id]);
  }
});

it('finds those who have a frequent word whole, though many other customers are newer', async () => {
  const shop = await shopWith('Anna Schmidt', 5_001);
  await addCustomers(shop, 'Jan Weber', 5_001);
  expect((await listed(shop, 'q=anna%20schmidt')).meta.total).toBe(5_000);
});

/** The ids on all pages of a list, by its cursors. */
async function onAllPages(shop: World, query: string): Promise<number[]> {
  const found: number[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const { ids, meta } = await listed(shop, `${query}&limit=100${next && `&cursor=${next}`}`);
    found.push(...ids);
    next = meta.next_cursor;
  }
  return found;
}

it('reads the pages of a search without the customers of other pages', async () => {
  const shop = await shopWith('Anna Meier', 1_000);
  let found: number[] = [];
  const { read } = await measureDatabase(async () => {
    found = await onAllPages(shop, 'q=meier');
  });
  expect(found).toEqual([...new Set(found)].sort((a, b) => b - a));
  expect(found).toHaveLength(1_000);
  // The first page counts; the others read what is on them.
  expect(read).toBeLessThan(10 * 1_000);
});

it('has each customer whom a search finds once on its pages, in each order', async () => {
  const shop = await shopWith('Anna Meier', 250);
  await addCustomers(shop, 'Anna Weber', 250);
  const { id } = await registerCustomer(shop, { name: 'Anna Meierhof' });
  for (const q of ['meier', 'anna meier']) {
    const oldest = await onAllPages(shop, `q=${q}&sort=oldest`);
    expect([new Set(oldest).size, oldest.at(-1)], q).toEqual([251, id]);
    expect(await onAllPages(shop, `q=${q}`), q).toEqual(oldest.toReversed());
    expect(await onAllPages(shop, `q=${q}&sort=updated`), q).toEqual(oldest);
  }
});
