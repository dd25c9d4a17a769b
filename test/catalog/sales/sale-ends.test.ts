import { afterEach, expect, it, vi } from 'vitest';
import { DAY, now } from '../../../src/kernel/core/clock.ts';
import { createProduct, patchProduct } from '../../support/fixtures/catalog/products.ts';
import {
  indexAll,
  instant,
  ringSales,
  seeingNow,
  stopClockAt,
} from '../../support/fixtures/catalog/sales.ts';
import { eventsOfType } from '../../support/fixtures/selling/orders.ts';
import { type World, world } from '../../support/world.ts';

/** Until when a reduced price holds, for shoppers. */

afterEach(() => vi.restoreAllMocks());

/** Returns `sale_ends_at` of a product wherever a storefront reads it; all must agree. */
async function endOf(shop: World, id: number, query = ''): Promise<string | null> {
  const { token } = await shop.register({ kind: 'storefront' });
  const options = { token, ...(await seeingNow(shop)) };
  const { body } = await shop.get(`/products/${id}${query}`, options);
  const listed = await shop.get(`/products${query}`, options);
  const ends = [body, listed.body.data.find((one: { id: number }) => one.id === id)];
  if (!query) {
    await indexAll(shop);
    const found = await shop.get(`/search?q=${body.sku}`, options);
    ends.push(found.body.data.find((one: { id: number }) => one.id === id));
  }
  const [first, ...others] = ends.map(({ sale_ends_at }) => sale_ends_at);
  expect(others).toEqual(others.map(() => first));
  return first;
}

it('is shown while the sale runs, and neither before nor after', async () => {
  const shop = await world();
  const [start, end] = [now() + DAY, now() + 2 * DAY];
  const sale = { price: 7, starts_at: instant(start), ends_at: instant(end) };
  const { body } = await createProduct(shop, { price: 10, sale });
  expect([body.sale_ends_at, await endOf(shop, body.id)]).toEqual([null, null]);
  stopClockAt(start);
  await ringSales(shop);
  expect(await endOf(shop, body.id)).toBe(instant(end));
  stopClockAt(end);
  await ringSales(shop);
  expect(await endOf(shop, body.id)).toBeNull();
  const events = await eventsOfType(shop, 'product.updated');
  expect(events.map(({ sale_ends_at }) => sale_ends_at)).toEqual([null, instant(end), null]);
});

it('follows a changed end, and is null without one', async () => {
  const shop = await world();
  const [soon, later] = [now() + DAY, now() + 2 * DAY].map(instant);
  const cup = await createProduct(shop, { price: 10, sale: { price: 7, ends_at: soon } });
  expect(await endOf(shop, cup.body.id)).toBe(soon);
  await patchProduct(shop, cup, { sale: { price: 7, ends_at: later } });
  expect(await endOf(shop, cup.body.id)).toBe(later);
  await patchProduct(shop, cup, { sale: { price: 7 } });
  expect(await endOf(shop, cup.body.id)).toBeNull();
});

it('is that of the currency shown', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const end = instant(now() + DAY);
  const sale = { prices: { USD: 8 }, ends_at: end };
  const { body } = await createProduct(shop, { price: 10, prices: { USD: 11 }, regular_price: 12, sale });
  expect([body.on_sale, await endOf(shop, body.id)]).toEqual([true, null]);
  expect(await endOf(shop, body.id, '?currency=USD')).toBe(end);
});

it('is that of the price of a configurable product, and of each variant', async () => {
  const shop = await world();
  const [soon, later] = [now() + DAY, now() + 2 * DAY].map(instant);
  const size = (name: string, price: number, sale: object | null = null) => ({
    ...{ sku: name, price, attributes: { size: name }, sale },
  });
  const sales = { soon: { price: 5, ends_at: soon }, later: { price: 5, ends_at: later } };
  const shirt = await createProduct(shop, {
    type: 'configurable',
    variants: [size('s', 9, sales.soon), size('m', 9, sales.later), size('l', 9)],
  });
  const ends = (variants: { sale_ends_at: string | null }[]) => variants.map((one) => one.sale_ends_at);
  expect(ends(shirt.body.variants)).toEqual([soon, later, null]);
  expect(await endOf(shop, shirt.body.id)).toBe(later);
  const listed = await shop.get('/products?include=variants', await seeingNow(shop));
  expect(ends(listed.body.data[0].variants)).toEqual([soon, later, null]);
  const same = await patchProduct(shop, shirt, { variants: shirt.body.variants });
  expect(same.variants).toEqual(shirt.body.variants);
  // The third variant costs as much without a sale.
  await patchProduct(shop, shirt, {
    variants: [size('s', 9, sales.soon), size('m', 9, sales.later), size('l', 5)],
  });
  expect(await endOf(shop, shirt.body.id)).toBeNull();
});
