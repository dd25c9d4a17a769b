import { type CartPlace, cartObject, retryOnce } from './cart-id.ts';

/** A cart's id, and its stored content as JSON. */
interface DumpedCart {
  readonly cartId: string;
  readonly content: string;
}

/** Returns the content of those of a tenant's carts that still exist, for an export. */
export async function dumpCarts(place: CartPlace, cartIds: readonly string[]): Promise<DumpedCart[]> {
  const dumped = await Promise.all(
    cartIds.map(async (cartId) => {
      const content = await retryOnce(() => cartObject(place, cartId).dump());
      return content === null ? [] : [{ cartId, content }];
    }),
  );
  return dumped.flat();
}

/** Stores an exported cart unless it exists. Returns false if the content is not that of a cart. */
export const restoreCart = (place: CartPlace, { cartId, content }: DumpedCart): Promise<boolean> =>
  retryOnce(() => cartObject(place, cartId).restore(content));
