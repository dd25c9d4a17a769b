import { sql } from 'drizzle-orm';
import { cartOfPerson, type OwnedCart } from '../../cart/index.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { cartRecord, recordedCarts } from './cart-records.ts';

/** Yields the carts that a customer has, as they see them. Reads one Cart object at a time, at most 100. */
export async function* cartsOfPerson(ctx: TenantContext, id: number): AsyncGenerator<OwnedCart, void> {
  for (const { cartId } of await recordedCarts(ctx, id)) {
    const cart = await cartOfPerson(ctx, cartId, id);
    if (cart) yield cart;
  }
}

/** An open cart with items, as its owner sees it. */
interface OpenCart extends OwnedCart {
  readonly id: string;
}

/** Returns a customer's cart if it is open and has items, or null. */
export async function openCartOf(
  ctx: TenantContext,
  customerId: number,
  cartId: string,
): Promise<OpenCart | null> {
  const [record] = await cartRecord(ctx, customerId, cartId);
  return record ? readOpenCart(ctx, customerId, cartId) : null;
}

/** Returns the open carts with items among the last `most` of the customer, newest first. */
export async function lastCartsOf(ctx: TenantContext, id: number, most: number): Promise<OpenCart[]> {
  // Rows are only ever added, so that the last one is the newest.
  const last = await recordedCarts(ctx, id).orderBy(sql`rowid DESC`).limit(most);
  const carts = await Promise.all(last.map(({ cartId }) => readOpenCart(ctx, id, cartId)));
  return carts.filter((cart) => cart !== null);
}

async function readOpenCart(
  ctx: TenantContext,
  customerId: number,
  cartId: string,
): Promise<OpenCart | null> {
  const cart = await cartOfPerson(ctx, cartId, customerId);
  return cart?.status === 'open' && cart.items.length > 0 ? { ...cart, id: cartId } : null;
}
