import { expect } from 'vitest';
import type { CheckoutPort, OrderNotice } from '../../src/cart/index.ts';
import type { Result } from '../../src/kernel/core/result.ts';
import type { Answer, Options, World } from '../support/world.ts';

/** Tells a cart the status of an order of its current version. */
export async function tell(
  port: CheckoutPort,
  { id, status, revision }: Pick<OrderNotice, 'id' | 'status' | 'revision'>,
): Promise<Result<void>> {
  const standing = await port.standing();
  const cartVersion = standing.ok ? standing.value.version : 0;
  return port.orderStatus({ id, number: 1001, status, revision, cartVersion, payUrl: null });
}

/** A request that is sure to see the write before it. */
export const seeing = (answer: Answer, more: Options = {}): Options => ({
  ...more,
  headers: { 'x-catalog-version': answer.headers.get('x-catalog-version') ?? '', ...more.headers },
});

/** Makes a product; fails the test when it is refused. */
export async function product(shop: World, body: object): Promise<Answer> {
  const made = await shop.post('/products', { type: 'simple', price: 10, stock: 100, ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made;
}

/** Adds to a cart (or a new one), seeing the write before it; fails the test when it is refused. */
export async function add(shop: World, seen: Answer, body: object): Promise<Answer> {
  const added = await tryAdd(shop, seen, body);
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  return added;
}

/** Adds to a cart, whatever comes of it. */
export const tryAdd = (shop: World, seen: Answer, body: object): Promise<Answer> =>
  shop.post('/cart/items', { quantity: 1, product_id: seen.body.id, ...body }, seeing(seen));
