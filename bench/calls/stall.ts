import { type Client, client } from '../../scripts/dev/client.ts';
import { get, post } from '../load.ts';
import type { Measured } from '../worker.ts';
import type { Shop } from '../world/world.ts';

/** Line items in each cart. */
export const LINES = 3;

/** The parts of a cart response that the benchmark reads. */
export interface Cart {
  readonly cart_token: string;
  readonly items: readonly { readonly quantity: number }[];
}

/** Shared by all measurements: a running service, a shop, and products that never sell out. */
export interface Stall {
  readonly worker: Measured;
  readonly shop: Shop;
  readonly api: Client;
  readonly products: readonly number[];
}

/** Creates the products of a stall. */
export async function stallOf(worker: Measured, shop: Shop): Promise<Stall> {
  const api = client(worker.url.origin, shop.token);
  const products: number[] = [];
  while (products.length < LINES) {
    const body = { name: 'Mug', type: 'simple', price: 12.5, stock: 1_000_000 };
    products.push((await api<{ id: number }>('POST', '/v1/products', body)).id);
  }
  return { worker, shop, api, products };
}

/** Creates carts with one line item of each product. */
export async function carts({ api, products }: Stall, count: number): Promise<string[]> {
  const one = async (): Promise<string> => {
    let token = '';
    for (const product_id of products) {
      const body = { product_id, quantity: 1, cart_token: token || null };
      token = (await api<Cart>('POST', '/v1/cart/items', body)).cart_token;
    }
    return token;
  };
  const made: string[] = [];
  while (made.length < count) made.push(...(await Promise.all(Array.from({ length: 8 }, one))));
  return made;
}

/** Returns the header that names a token. */
export const auth = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Returns entry `n` of a list, modulo its length. */
export function turn<T>(list: readonly T[], n: number): T {
  const entry = list[n % list.length];
  if (entry === undefined) throw new Error('Nothing to take turns with');
  return entry;
}

/** Returns requests that add to carts, and that read them, in rotation over carts, applications and products. */
export const adds = ({ products }: Stall, tokens: readonly string[], busy: readonly string[]): string[] =>
  Array.from({ length: Math.max(tokens.length, busy.length) * products.length }, (_, n) =>
    post('/v1/cart/items', auth(turn(busy, n)), {
      product_id: turn(products, n),
      quantity: 1,
      cart_token: turn(tokens, n),
    }),
  );
export const reads = (tokens: readonly string[], busy: readonly string[]): string[] =>
  Array.from({ length: Math.max(tokens.length, busy.length) }, (_, n) =>
    get(`/v1/cart/${turn(tokens, n)}`, auth(turn(busy, n))),
  );
