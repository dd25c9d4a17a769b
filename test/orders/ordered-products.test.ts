import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { run } from '../../src/kernel/data/database.ts';
import { createProduct, seeing } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import {
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { eventsOfType } from '../support/fixtures/selling/orders.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

/** An order's items show the products as they were when they were ordered. */

const image = (name: string) => `https://shop.example.com/${name}.jpg`;

/** Puts a red shirt into a new cart, and returns its token. */
async function cartWithShirt(shop: World) {
  const shirt = await createProduct(shop, {
    name: 'Shirt',
    type: 'configurable',
    images: [image('shirt')],
    variants: [{ sku: 'SHIRT-RED', attributes: { Color: 'Red' }, price: 20, stock: 5, image: image('red') }],
  });
  const [{ id: variant_id }] = shirt.body.variants;
  const { body } = await addToCart(shop, shirt, { options: { variant_id } });
  return { shirt, cart_token: body.cart_token as string };
}

it('keeps slug, type and image of a product that is renamed and deleted later', async () => {
  const shop = await sandboxShop();
  const { shirt, cart_token } = await cartWithShirt(shop);
  const paid = readReturn(await submitCheckout(await checkoutPath(shop, cart_token), 'pay'));
  await shop.patch(`/products/${shirt.body.id}`, { slug: 'tee', images: [image('tee')] });
  const deleted = await shop.delete(`/products/${shirt.body.id}`);
  const { body: order } = await shop.get(`/orders/${paid.order_id}`, seeing(deleted));
  expect(order.items).toMatchObject([{ slug: 'shirt', type: 'configurable', image: image('red') }]);
  for (const type of ['order.created', 'order.paid']) {
    expect(await eventsOfType(shop, type)).toMatchObject([{ items: order.items }]);
  }
  expect((await shop.get('/orders')).body.data).toMatchObject([{ items: order.items }]);
});

it('shows null in orders that were placed, and of checkouts that were begun, before they were kept', async () => {
  const shop = await sandboxShop();
  const db = databaseOf(shop);
  const before = await cartWithShirt(shop);
  const page = await checkoutPath(shop, before.cart_token);
  const fields = sql`'$.lines[0].slug', '$.lines[0].type', '$.lines[0].image'`;
  await run(
    db,
    sql`UPDATE checkout_sessions SET snapshot = json_remove(snapshot, ${fields}) WHERE tenant_id = ${shop.tenantId}`,
  );
  const paid = readReturn(await submitCheckout(page, 'pay'));
  const { body: order } = await shop.get(`/orders/${paid.order_id}`);
  expect(order).toMatchObject({
    status: 'paid',
    items: [{ slug: null, type: null, image: null, total: 20 }],
  });
});
