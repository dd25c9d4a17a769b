/** A cart whose products have grown since it was filled. */

import { expect, it } from 'vitest';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { createProduct, seeing } from '../support/fixtures/catalog/products.ts';
import { sandboxShop, startCheckout } from '../support/fixtures/selling/checkout.ts';

it('sells as many lines as an order can hold', async () => {
  const shop = await sandboxShop();
  const short = [...Array(100).keys()].map((n) => ({ title: `${n}`, url: `https://a.example/${n}` }));
  const album = await createProduct(shop, { name: 'A', type: 'downloadable', price: 1, links: short });
  const ids: number[] = album.body.links.map(({ id }: { id: number }) => id);
  const operations = ids.slice(0, 50).map((skipped) => ({
    op: 'add',
    product_id: album.body.id,
    quantity: 1,
    options: { links: ids.filter((id) => id !== skipped) },
  }));
  const { cart_token } = (await shop.post('/cart', {}, seeing(album))).body;
  const filled = await shop.post(`/cart/${cart_token}/batch`, { operations });
  expect([filled.status, filled.body.items.length]).toEqual([200, 50]);
  const long = short.map(({ url }, n) => ({ id: ids[n], title: 'é'.repeat(250), url }));
  const grown = await shop.patch(`/products/${album.body.id}`, { links: long });
  const { body } = await shop.get(`/cart/${cart_token}`, seeing(grown));
  const unsold: { item_id: number; code: string }[] = body.warnings;
  expect(new Set(unsold.map(({ code }) => code))).toEqual(new Set(['out_of_stock']));
  expect(unsold.length).toBeLessThan(50);
  expectProblem(await startCheckout(shop, cart_token), 409, 'insufficient_stock');
  const removals = unsold.map(({ item_id }) => ({ op: 'remove', item_id }));
  const rest = await shop.post(`/cart/${cart_token}/batch`, { operations: removals });
  expect([rest.status, rest.body.items.length]).toEqual([200, 50 - unsold.length]);
  expect((await startCheckout(shop, cart_token)).status).toBe(200);
});
