import { expect, it } from 'vitest';
import { evict } from '../../support/faults/injector.ts';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { cartObject } from '../../support/fixtures/selling/cart.ts';
import { type Answer, type World, world } from '../../support/world.ts';

const CLIENTS = 50;

interface Item {
  readonly id: number;
  readonly quantity: number;
  readonly options: { readonly client: number };
}

const all = <T>(work: (client: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));

const evictCart = (shop: World, token: string) => evict(cartObject(shop, token));

const statuses = (answers: readonly Answer[]) => new Set(answers.map(({ status }) => status));
const mine = ({ body }: Answer, client: number): Item =>
  body.items.find((item: Item) => item.options.client === client);

it('loses nothing when 50 clients edit one cart at once and it is evicted meanwhile', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 100_000 });
  const { cart_token } = (await shop.post('/cart')).body;
  const add = (client: number, quantity: number) =>
    shop.post(
      '/cart/items',
      { product_id: mug.body.id, quantity, cart_token, options: { client } },
      seeing(mug),
    );

  const added = await all((client) => add(client, client + 1));
  expect(statuses(added)).toEqual(new Set([200]));
  await evictCart(shop, cart_token);

  // All at once: some change their line, some take it out, some add to it.
  const changed = await all((client) => {
    const { id } = mine(added[client] as Answer, client);
    if (client % 3 === 0) return shop.patch(`/cart/items/${id}`, { cart_token, quantity: 1_000 + client });
    if (client % 3 === 1) return shop.delete(`/cart/items/${id}?cart_token=${cart_token}`);
    return add(client, 100);
  });
  expect(statuses(changed)).toEqual(new Set([200]));
  // Each answer shows what its own call did.
  changed.forEach((answer, client) => {
    expect(mine(answer, client)?.quantity).toBe([1_000 + client, undefined, client + 101][client % 3]);
  });
  await evictCart(shop, cart_token);

  const { items, totals } = (await shop.get(`/cart/${cart_token}`)).body;
  const left = Object.fromEntries(items.map((item: Item) => [item.options.client, item.quantity]));
  const expected = Array.from({ length: CLIENTS }, (_, n) => n).filter((n) => n % 3 !== 1);
  expect(left).toEqual(Object.fromEntries(expected.map((n) => [n, n % 3 === 0 ? 1_000 + n : n + 101])));
  const units = items.reduce((sum: number, { quantity }: Item) => sum + quantity, 0);
  expect(totals.subtotal).toBe(units * 10);
});

it('sums exactly what 50 clients add with keys while the cart is evicted', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 100_000 });
  const { cart_token } = (await shop.post('/cart')).body;
  const once = (client: number) =>
    shop.post(
      '/cart/items',
      { product_id: mug.body.id, quantity: 2, cart_token },
      seeing(mug, { headers: { 'idempotency-key': `client ${client}` } }),
    );
  for (let round = 0; round < 3; round++) {
    const [answers] = await Promise.all([all(once), evictCart(shop, cart_token)]);
    // A caller that is asked to retry does so with the same key.
    const again = answers.flatMap(({ status }, client) => (status === 503 ? [once(client)] : []));
    expect(new Set([200, ...statuses(await Promise.all(again))])).toEqual(new Set([200]));
    expect([...statuses(answers)].filter((status) => status !== 503)).toEqual([200]);
  }
  const { items } = (await shop.get(`/cart/${cart_token}`)).body;
  expect(items).toMatchObject([{ quantity: 2 * CLIENTS }]);
});
