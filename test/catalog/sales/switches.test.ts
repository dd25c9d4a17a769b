import { afterEach, expect, it, vi } from 'vitest';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  indexAll,
  instant,
  ringSales,
  seeingNow,
  stopClockAt,
} from '../../support/fixtures/catalog/sales.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { type World, world } from '../../support/world.ts';

afterEach(() => vi.restoreAllMocks());

/** What each channel shows of the two products. */
async function everywhere(shop: World, id: number, cart: string) {
  const seeing = await seeingNow(shop);
  await indexAll(shop);
  const [list, onSale, cheap, details, search, feed, shown] = [
    await shop.get('/products?sort=price_asc', seeing),
    await shop.get('/products?on_sale=true', seeing),
    await shop.get('/products?price_max=7', seeing),
    await shop.get(`/products/${id}`, seeing),
    await shop.get('/search?q=cup', seeing),
    await shop.get('/marketplace/products', seeing),
    await shop.get(`/cart/${cart}`, seeing),
  ];
  const ofCup = (one: { id: number }) => one.id === id;
  return {
    order: list.body.data.map(({ name }: { name: string }) => name),
    filtered: [onSale.body.meta.total, cheap.body.meta.total],
    list: list.body.data.find(ofCup).price,
    details: details.body.price,
    search: search.body.data.find(ofCup).price,
    feed: feed.body.data.find(ofCup).price,
    cart: shown.body.items[0].unit_price,
  };
}

const all = (price: number, ...order: string[]) => ({
  filtered: price < 10 ? [1, 1] : [0, 0],
  order,
  list: price,
  details: price,
  search: price,
  feed: price,
  cart: price,
});

it('switches list, details, search, feed and cart at once, to the millisecond', async () => {
  const shop = await world();
  const start = now() + HOUR;
  const end = start + HOUR;
  const sale = { price: 6, starts_at: instant(start), ends_at: instant(end) };
  const cup = await stockedProduct(shop, { name: 'Cup', price: 10, sale });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 8 });
  const { cart_token } = (await addToCart(shop, mug, { product_id: cup.body.id })).body;
  const shown = () => everywhere(shop, cup.body.id, cart_token);

  expect(await shown()).toEqual(all(10, 'Mug', 'Cup'));
  stopClockAt(start - 1);
  expect(await ringSales(shop)).toBe(true);
  expect(await shown()).toEqual(all(10, 'Mug', 'Cup'));
  stopClockAt(start);
  expect(await ringSales(shop)).toBe(true);
  expect(await shown()).toEqual(all(6, 'Cup', 'Mug'));
  stopClockAt(end - 1);
  await ringSales(shop);
  expect(await shown()).toEqual(all(6, 'Cup', 'Mug'));
  stopClockAt(end);
  expect(await ringSales(shop)).toBe(true);
  expect(await shown()).toEqual(all(10, 'Mug', 'Cup'));
  expect(await ringSales(shop)).toBe(false);
});
