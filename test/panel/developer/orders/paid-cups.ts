import { asDeveloper } from '../../../support/fixtures/browser.ts';
import { stockedProduct } from '../../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../../../support/fixtures/selling/checkout.ts';
import type { World } from '../../../support/world.ts';

/** Pays a cart, and returns its order with a developer who looks at it. */
export async function paidOrder(shop: World, cart: string, more: Record<string, string> = {}) {
  const paid = await submitCheckout(await checkoutPath(shop, cart), 'pay', { ...ADDRESS, ...more });
  const id = new URL(paid.location ?? '').searchParams.get('order_id');
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/orders/${id}`;
  await developer.get(here);
  return { shop, developer, here, path: `/orders/${id}` };
}

/** A paid order of two cups, and a developer who looks at it. */
export async function paidCups(more: Record<string, string> = {}) {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { name: 'Cup', stock: 9 });
  return paidOrder(shop, await cartWith(shop, cup, 2), more);
}
