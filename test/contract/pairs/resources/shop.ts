/** What the copies of several resources are made of. */
import { createProduct } from '../../../support/fixtures/catalog/products.ts';
import { OWN_CHECKOUT } from '../../../support/fixtures/selling/checkout.ts';
import { type Answer, world } from '../../../support/world.ts';
import type { Write } from '../run-pair.ts';

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

/** Returns the request for a sale of a tenth on what meets the conditions. */
export const promoteTenth = (conditions: object): Write => ({
  method: 'POST',
  path: '/promotions',
  body: { name: 'Sale', trigger: 'automatic', effect: { kind: 'percent', value: 10 }, conditions },
});

/** Returns the request for prices of some SKUs. */
export const pricesOf = (prices: Readonly<Record<string, number>>): Write => ({
  method: 'POST',
  path: '/products/prices',
  body: { items: Object.entries(prices).map(([sku, price]) => ({ sku, price })) },
});

/** Returns the request for changes of the stock of some SKUs. */
export const adjust = (deltas: Readonly<Record<string, number>>): Write => ({
  method: 'POST',
  path: '/inventory/adjustments',
  body: { items: Object.entries(deltas).map(([sku, delta]) => ({ sku, delta })) },
});
