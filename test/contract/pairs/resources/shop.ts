/** What the copies of several resources are made of. */
import { createProduct } from '../../../support/fixtures/catalog/products.ts';
import { OWN_CHECKOUT } from '../../../support/fixtures/selling/checkout.ts';
import { type Answer, world } from '../../../support/world.ts';

/** Creates a shop with a checkout of its own that has four cups and nine mugs. */
export async function cupsAndMugs() {
  const settings = { ...OWN_CHECKOUT, shipping: { flat: 5 } };
  const shop = await world({ name: 'Shop', plan: 'enterprise', settings });
  const cup = await createProduct(shop, { stock: 4, sku: 'CUP' });
  const mug = await createProduct(shop, { stock: 9, sku: 'MUG', name: 'Mug' });
  return { shop, cup, mug, item: cup.body.id as number };
}

/** Returns the body of a response that succeeded. */
export function bodyOf({ status, body }: Answer): Answer['body'] {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Returns the body of a simple product. */
export const productBody = (more: object = {}) => ({
  name: 'Cup',
  type: 'simple',
  price: 10,
  stock: 5,
  ...more,
});
