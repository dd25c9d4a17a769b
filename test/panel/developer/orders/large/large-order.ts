import { expect } from 'vitest';
import { asDeveloper, type Browser } from '../../../../support/fixtures/browser.ts';
import { createProduct } from '../../../../support/fixtures/catalog/products.ts';
import { fillCart } from '../../../../support/fixtures/selling/cart.ts';
import { cartWith, OWN_CHECKOUT, sessionOf } from '../../../../support/fixtures/selling/checkout.ts';
import { type World, world } from '../../../../support/world.ts';

/** Returns a text of `length` that begins with a number, of the characters that cost the most in HTML. */
export const longText = (n: number, length: number): string =>
  `${n}${'"&<>'.repeat(length / 4 + 1)}`.slice(0, length);

/** A paid order, its shop, and a developer who looks at it. */
export interface PaidOrder {
  readonly shop: World;
  readonly developer: Browser;
  /** The path of the order in the panel. */
  readonly here: string;
  /** The path of the order in the API. */
  readonly path: string;
}

/** A paid order of a hundred lines, each of two units at 5.00. By default, its texts are as long as they may be. */
export async function hundredLines({ name = longText(0, 255), textOf = longText } = {}): Promise<PaidOrder> {
  const shop = await world({ plan: 'enterprise', settings: OWN_CHECKOUT });
  const variants = Array.from({ length: 100 }, (_, n) => ({
    sku: textOf(n, 64),
    price: 5,
    stock: 1_000,
    attributes: { Size: textOf(n, 255) },
  }));
  const shirt = await createProduct(shop, { name, type: 'configurable', price: 5, variants });
  const lineOf = (n: number) => ({ quantity: 1, options: { variant_id: shirt.body.variants[n].id } });
  const cart = await cartWith(shop, shirt, 1, lineOf(0));
  await fillCart(shop, cart, (n) => ({
    product_id: shirt.body.id,
    ...lineOf(n),
    ...(n > 0 && { quantity: 2 }),
  }));
  const customer = { name: textOf(0, 120), email: 'ada@example.com' };
  const made = await shop.post('/orders', { session: await sessionOf(shop, cart), customer });
  expect([made.status, made.body.items?.length]).toEqual([201, 100]);
  const path = `/orders/${made.body.id}`;
  await shop.post(`${path}/payments`, { status: 'paid', reference: 'paid' });
  const developer = await asDeveloper(shop.slug);
  return { shop, developer, here: `/developer/orders/${made.body.id}`, path };
}
