import { afterEach, expect, it, vi } from 'vitest';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import {
  indexAll,
  instant,
  ringSales,
  seeingNow,
  stopClockAt,
} from '../../support/fixtures/catalog/sales.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import {
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import type { World } from '../../support/world.ts';

afterEach(() => vi.restoreAllMocks());

/** What is on sale, by the ids under which lists and the feed have it, and how a cart takes it. */
interface OnSale {
  readonly product: number;
  readonly feedId: number;
  readonly line: object;
}

/** What each channel shows of two products, the cheaper one first, and what an order of one of them costs. */
async function everywhere(shop: World, { product, feedId, line }: OnSale, cart: string) {
  const seeing = await seeingNow(shop);
  await indexAll(shop);
  const read = async (path: string) => (await shop.get(path, seeing)).body;
  const lists = await Promise.all(
    ['/products?', '/search?q=cup&'].map((path) => read(`${path}sort=price_asc`)),
  );
  const filters = [
    '/products?on_sale=true',
    '/products?price_max=7',
    '/search?q=cup&on_sale=true&price_max=7',
  ];
  const filtered = await Promise.all(filters.map(read));
  const details = await read(`/products/${product}`);
  const feed = await read('/marketplace/products');
  const { items } = await read(`/cart/${cart}`);
  const bought = (await shop.post('/cart/items', { ...line, quantity: 1 }, seeing)).body.cart_token;
  const { order_id } = readReturn(await submitCheckout(await checkoutPath(shop, bought), 'pay'));
  const order = await read(`/orders/${order_id}`);
  return {
    orders: lists.map(({ data }) => data.map(({ name }: { name: string }) => name)),
    filtered: filtered.map(({ meta }) => meta.total),
    prices: [
      ...lists.map(({ data }) => data.find((one: { id: number }) => one.id === product).price),
      details.price,
      feed.data.find((one: { id: number }) => one.id === feedId).price,
      items[0].unit_price,
      order.items[0].unit_price,
    ],
  };
}

const all = (price: number, ...order: string[]) => ({
  filtered: price < 10 ? [1, 1, 1] : [0, 0, 0],
  orders: [order, order],
  prices: Array(6).fill(price),
});

it.each(['simple', 'configurable'])(
  'switches lists, search, details, feed, carts and orders of a %s product at once, to the millisecond',
  async (type) => {
    const shop = await sandboxShop();
    const start = now() + HOUR;
    const end = start + HOUR;
    const item = {
      price: 10,
      sale: { price: 6, starts_at: instant(start), ends_at: instant(end) },
      stock: 99,
    };
    const variants = [
      { sku: 'S', attributes: { size: 'S' }, ...item },
      { sku: 'M', attributes: { size: 'M' }, price: 12 },
    ];
    const isSimple = type === 'simple';
    const cup = await createProduct(shop, { name: 'Cup', type, ...(isSimple ? item : { variants }) });
    const mug = await createProduct(shop, { name: 'Mug for a cup', price: 8, stock: 99 });
    const { id, variants: made } = cup.body;
    const sold = isSimple
      ? { product: id, feedId: id, line: { product_id: id } }
      : { product: id, feedId: made[0].id, line: { variant_id: made[0].id } };
    const { cart_token } = (await addToCart(shop, mug, { product_id: id, ...sold.line })).body;
    const shown = () => everywhere(shop, sold, cart_token);
    const [ordinary, reduced] = [all(10, 'Mug for a cup', 'Cup'), all(6, 'Cup', 'Mug for a cup')];

    expect(await shown()).toEqual(ordinary);
    stopClockAt(start - 1);
    expect(await ringSales(shop)).toBe(true);
    expect(await shown()).toEqual(ordinary);
    stopClockAt(start);
    expect(await ringSales(shop)).toBe(true);
    expect(await shown()).toEqual(reduced);
    stopClockAt(end - 1);
    await ringSales(shop);
    expect(await shown()).toEqual(reduced);
    stopClockAt(end);
    expect(await ringSales(shop)).toBe(true);
    expect(await shown()).toEqual(ordinary);
    expect(await ringSales(shop)).toBe(false);
  },
);
