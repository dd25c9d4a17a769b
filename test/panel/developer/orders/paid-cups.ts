import { asDeveloper } from '../../../support/fixtures/browser.ts';
import { stockedProduct } from '../../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../../../support/fixtures/selling/checkout.ts';

/** A paid order of two cups, and a developer who looks at it. */
export async function paidCups(more: Record<string, string> = {}) {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await stockedProduct(shop, { name: 'Cup', stock: 9 }), 2);
  const paid = await submitCheckout(await checkoutPath(shop, cart), 'pay', { ...ADDRESS, ...more });
  const id = new URL(paid.location ?? '').searchParams.get('order_id');
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/orders/${id}`;
  await developer.get(here);
  return { shop, developer, here, path: `/orders/${id}` };
}
