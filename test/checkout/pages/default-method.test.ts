import { expect, it } from 'vitest';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  type Page,
  readReturn,
  sandboxShop,
} from '../../support/fixtures/selling/checkout.ts';
import type { World } from '../../support/world.ts';

/** The method that the page selects by itself, and the one that the shopper chooses. */

const methodOf = async (shop: World, id: string) => (await shop.get(`/orders/${id}`)).body.shipping_method.id;

/** Returns what a browser sends of the page's totals and methods. */
function methodForm(page: Page): Record<string, string> {
  const hidden = page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  const checked = page.text.matchAll(/name="(shipping_method)" value="([^"]*)" checked/g);
  return Object.fromEntries([...hidden, ...checked].map(([, name = '', value = '']) => [name, value]));
}

it('takes the cheapest method of the country where the shopper chose none, whatever was cheapest before', async () => {
  const everywhere = { id: 'parcel', name: 'Parcel', price: 9 };
  const nearby = { id: 'bike', name: 'Bike', price: 4, countries: ['DE'] };
  const shop = await sandboxShop({ settings: { shipping: { methods: [everywhere, nearby] } } });
  const path = await checkoutPath(shop, await cartWith(shop, await stockedProduct(shop)));
  const first = await browse(path);
  expect(first.text).toMatch(/value="parcel" checked/);
  await browse(path, { ...methodForm(first), ...ADDRESS, action: 'update' });
  const updated = await browse(path);
  expect(updated.text).toMatch(/value="bike" checked/);
  const paid = await browse(path, { ...methodForm(updated), ...ADDRESS, action: 'pay' });
  expect(await methodOf(shop, readReturn(paid).order_id)).toBe('bike');
});

it('keeps the method that the shopper chose, although another country has a cheaper one', async () => {
  const methods = ['slow', 'fast', 'bike'].map((id, n) => ({
    ...{ id, name: id, price: 7 + n },
    ...(id === 'bike' && { price: 1, countries: ['DE'] }),
  }));
  const shop = await sandboxShop({ settings: { shipping: { methods } } });
  const path = await checkoutPath(shop, await cartWith(shop, await stockedProduct(shop)));
  const chosen = { ...methodForm(await browse(path)), shipping_method: 'fast' };
  await browse(path, { ...chosen, ...ADDRESS, country: 'FR', action: 'update' });
  await browse(path, { ...methodForm(await browse(path)), ...ADDRESS, action: 'update' });
  expect((await browse(path)).text).toMatch(/value="fast" checked/);
});
