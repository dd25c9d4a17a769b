import { expect } from 'vitest';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { OWN_CHECKOUT, sandboxShop } from '../../support/fixtures/selling/checkout.ts';
import { cartSeeing } from '../../support/fixtures/selling/promotions.ts';
import type { Answer, World } from '../../support/world.ts';

/** A shop with its own checkout. */
export const ownCheckout = () => sandboxShop({ settings: OWN_CHECKOUT });

/** A cart of three mugs at 10 that has seen the promotions. */
export async function cartOf(
  shop: World,
  mug: Answer,
  seen: Answer,
  codes: readonly string[] = [],
): Promise<string> {
  const { cart_token } = (await addToCart(shop, mug, { quantity: 3 })).body;
  await cartSeeing(shop, cart_token, seen);
  for (const code of codes) {
    expect((await shop.post(`/cart/${cart_token}/coupon`, { code })).status).toBe(200);
  }
  return cart_token;
}

export const place = (shop: World, session: string, email = 'ada@example.com') =>
  shop.post('/orders', { session, customer: { email } });

export const report = (shop: World, order: string, status: string) =>
  shop.post(`/orders/${order}/payments`, { status, reference: `${order}-1` });
