import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import { markPaid } from '../../../src/orders/index.ts';
import { comparison } from '../../../src/panel/insights/charts.tsx';
import { asDeveloper } from '../../support/fixtures/browser.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

/** The first page of a shop: what to set up, and then what was sold. */

async function sell(shop: World, item: number, quantity: number, more: object = {}) {
  const { row } = await placedOrder(shop, item, { quantity, ...more });
  await markPaid(contextOf(shop), row.id, { provider: 'sandbox', reference: row.id });
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ');

it('leads a new shop to its first order', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const first = textOf((await developer.get('/developer')).html);
  expect(first).toContain('Add a product to do');
  expect(first).toContain('Make a token done');
  expect(first).not.toContain('Average basket');
  expect(first).not.toContain('Best sellers');
  const cup = await createProduct(shop, { stock: 10 });
  await shop.patch('/settings', { payments: 'sandbox' });
  const second = textOf((await developer.get('/developer')).html);
  expect(second).toContain('Add a product done');
  expect(second).toContain('Set up payments done');
  expect(second).toContain('See the first order to do');
  await sell(shop, cup.body.id, 1);
  expect(textOf((await developer.get('/developer')).html)).not.toContain('Set up your shop');
});

it('shows sales, best sellers and low stock of the period, compared with the one before', async () => {
  const shop = await world({ currencies: ['EUR', 'CHF'] });
  const cup = await createProduct(shop, { stock: 10 });
  await sell(shop, cup.body.id, 2);
  moveClock(DAY);
  await sell(shop, cup.body.id, 1);
  await sell(shop, cup.body.id, 2);
  await sell(shop, cup.body.id, 1, { currency: 'CHF' });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer');
  const text = textOf(html);
  expect(text).toContain('Sales €30.00 50 % more than before');
  expect(text).toContain('Orders 2 100 % more than before');
  expect(text).toContain('Average basket €15.00 25 % less than before');
  expect(text).toContain('Abandoned carts 0 As before');
  expect(text).toContain('CHF CHF 10.00');
  expect(html).toMatch(/<a href="\/developer\/products\/\d+">Cup<\/a>/);
  // Ten cups, of which six were sold.
  expect(text).toMatch(/Low stock .* Cup cup 4/i);
  expect(html).toMatch(/<svg[^>]* role="img" aria-label="Sales up to €30\.00 \(\d\d:00\)"/);
  expect(text).toContain('Sales by hour (UTC), EUR');
  expect(text).toContain('API calls by hour (UTC), errors in red');
  const week = textOf((await developer.get('/developer?period=7d')).html);
  expect(week).toContain('Sales €50.00 None in the period before');
  expect(week).toMatch(/Sales up to €30\.00 \(\d+ \w+\)/);
  expect(week).toMatch(/€20\.00 by 1 order; 0 calls, 0 errors/);
  expect((await developer.get('/developer?period=99y')).status).toBe(200);
});

it('tells variants that run out apart, also by the end of long SKUs', async () => {
  const shop = await world();
  const sku = (size: string) => `${'LONG-'.repeat(10)}${size}`;
  const variants = ['S', 'M'].map((size) => ({ sku: sku(size), price: 20, stock: 1, attributes: { size } }));
  await createProduct(shop, { name: 'Tee', type: 'configurable', sku: 'TEE', variants });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer');
  for (const size of ['S', 'M']) expect(html).toContain(sku(size));
});

it.each([
  [0, 0, 'As before'],
  [5, 0, 'None in the period before'],
  [5, 5, 'As in the period before'],
  [150, 100, '50 % more than before'],
  [0, 100, '100 % less than before'],
  [null, 100, 'None in this period'],
  [100, null, 'None in the period before'],
  [null, null, 'As before'],
])('compares %s with %s', (now, before, words) => {
  expect(comparison(now, before)).toBe(words);
});
