import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { world } from '../../support/world.ts';

interface Line {
  readonly id: number;
  readonly name: string;
  readonly quantity: number;
}

/** A customer's cart on one device, into whose place another device's takes it, and what both had seen. */
async function twoDevices() {
  const shop = await world();
  const [mug, bowl, cup] = await Promise.all(
    ['Mug', 'Bowl', 'Cup'].map((name) => stockedProduct(shop, { name })),
  );
  if (!mug || !bowl || !cup) throw new Error('three products were created');
  const read = async (token: string): Promise<Line[]> => (await shop.get(`/cart/${token}`)).body.items;
  const signIn = async (older: string, newer: string) => {
    const seen = [...(await read(older)), ...(await read(newer))];
    const { token } = await registerCustomer(shop, { cart_token: older });
    const assign = () => shop.put('/customers/me/cart', { cart_token: newer }, withSession(token));
    expect((await assign()).status).toBe(200);
    return { seen, assign };
  };
  return { shop, mug, bowl, cup, read, signIn };
}

it("never changes other goods for a line id of before a merge, by either cart's token", async () => {
  const { shop, mug, bowl, cup, read, signIn } = await twoDevices();
  const older = (await addToCart(shop, mug, {})).body.cart_token;
  await addToCart(shop, bowl, { cart_token: older });
  const newer = (await addToCart(shop, cup, {})).body.cart_token;
  const { seen, assign } = await signIn(older, newer);
  const merged = await read(newer);
  expect(merged.map(({ name }) => name)).toEqual(['Cup', 'Mug', 'Bowl']);
  for (const cart_token of [older, newer]) {
    for (const { id } of seen) {
      const patched = await shop.patch(`/cart/items/${id}`, { cart_token, quantity: 9 });
      expect([patched.status, patched.body.code]).toEqual([404, 'cart_item_not_found']);
    }
  }
  await assign();
  expect(await read(newer)).toEqual(merged);
  for (const { id } of merged) {
    expect((await shop.patch(`/cart/items/${id}`, { cart_token: older, quantity: 2 })).status).toBe(200);
  }
  expect((await read(older)).map(({ quantity }) => quantity)).toEqual([2, 2, 2]);
});

it('renames the lines of a cart that has the same goods in another order', async () => {
  const { shop, mug, bowl, read, signIn } = await twoDevices();
  const older = (await addToCart(shop, mug, {})).body.cart_token;
  const newer = (await addToCart(shop, bowl, {})).body.cart_token;
  await addToCart(shop, mug, { cart_token: newer });
  const { seen } = await signIn(older, newer);
  const merged = await read(newer);
  expect(merged.map(({ name }) => name)).toEqual(['Bowl', 'Mug']);
  expect(merged.filter(({ id }) => seen.some((line) => line.id === id))).toEqual([]);
});

it('keeps the line ids that name the same goods in both carts', async () => {
  const { shop, mug, bowl, read, signIn } = await twoDevices();
  const older = (await addToCart(shop, mug, { quantity: 3 })).body.cart_token;
  const newer = (await addToCart(shop, mug, {})).body.cart_token;
  await addToCart(shop, bowl, { cart_token: newer });
  const before = await read(newer);
  await signIn(older, newer);
  const merged = await read(newer);
  expect(merged.map(({ quantity }) => quantity)).toEqual([3, 1]);
  expect(merged.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

it('gives new goods no line id of goods that the merge could not take', async () => {
  const { shop, mug, bowl, cup, read, signIn } = await twoDevices();
  const older = (await addToCart(shop, mug, {})).body.cart_token;
  await addToCart(shop, bowl, { cart_token: older });
  const newer = (await addToCart(shop, mug, {})).body.cart_token;
  expect((await shop.delete(`/products/${bowl.body.id}`)).status).toBe(204);
  // The lease of the merge is of a catalogue without the deleted product.
  moveClock(2_000);
  const { seen } = await signIn(older, newer);
  expect(await read(newer)).toHaveLength(1);
  await addToCart(shop, cup, { cart_token: newer });
  const left = seen.find(({ name }) => name === 'Bowl')?.id;
  const removed = await shop.delete(`/cart/items/${left}?cart_token=${older}`);
  expect([removed.status, removed.body.code]).toEqual([404, 'cart_item_not_found']);
  expect((await read(newer)).map(({ name }) => name)).toEqual(['Mug', 'Cup']);
});
