import { expect, it } from 'vitest';
import { seeing, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart, tryAddToCart } from '../support/fixtures/selling/cart.ts';
import { world } from '../support/world.ts';

it('creates an empty cart and adds to it', async () => {
  const shop = await world();
  const made = await shop.post('/cart');
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    cart_token: expect.stringMatching(/^ct_[0-9A-Za-z]{35}$/),
    items: [],
    total_quantity: 0,
    totals: {
      subtotal: 0,
      subtotal_after_discount: 0,
      tax: 0,
      shipping: 0,
      discount: 0,
      grand_total: 0,
      tax_included: false,
    },
    currency: 'EUR',
    status: 'open',
    shipping_method: null,
    warnings: [],
    metadata: {},
    coupons: [],
    applied_promotions: [],
  });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 12.5, stock: 5 });
  const { cart_token } = made.body;
  const filled = await addToCart(shop, mug, { cart_token, quantity: 2 });
  expect(filled.body.items).toEqual([
    {
      id: 1,
      product_id: mug.body.id,
      variant_id: null,
      name: 'Mug',
      quantity: 2,
      unit_price: 12.5,
      total: 25,
      tax: 0,
      tax_rate_percent: 0,
      discounts: [],
      sku: 'mug',
      slug: 'mug',
      image: null,
      regular_price: null,
      type: 'simple',
      selected: [],
      options: {},
    },
  ]);
  expect(filled.body.totals).toMatchObject({ subtotal: 25, grand_total: 25 });
  const again = await shop.get(`/cart/${cart_token}`);
  expect(again.body).toEqual(filled.body);
  expect(again.headers.get('etag')).toBe(filled.headers.get('etag'));
});

it('creates a cart with the first product if there is no token', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const first = await addToCart(shop, mug, { cart_token: null });
  const more = await addToCart(shop, mug, { cart_token: first.body.cart_token, quantity: 3 });
  expect(more.body.cart_token).toBe(first.body.cart_token);
  expect(more.body.items).toMatchObject([{ quantity: 4, total: 40 }]);
});

it('changes and removes lines', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 5 });
  const bowl = await stockedProduct(shop, { name: 'Bowl', price: 3 });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const both = await addToCart(shop, bowl, { cart_token, quantity: 2 });
  const [first, second] = both.body.items;
  const changed = await shop.patch(`/cart/items/${first.id}`, { cart_token, quantity: 5 });
  expect(changed.body.totals.subtotal).toBe(56);
  const refused = await shop.patch(`/cart/items/${first.id}`, { cart_token, quantity: 6 });
  expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_stock']);
  expect(refused.body.details).toEqual({
    product_id: mug.body.id,
    variant_id: null,
    requested: 6,
    in_cart: 0,
    available: 5,
  });
  const removed = await shop.delete(`/cart/items/${second.id}?cart_token=${cart_token}`);
  expect(removed.status).toBe(200);
  expect(removed.body.items).toHaveLength(1);
  const gone = await shop.delete(`/cart/items/${second.id}?cart_token=${cart_token}`);
  expect([gone.status, gone.body.code]).toEqual([404, 'cart_item_not_found']);
});

it('rejects more than the stock, summed over the whole cart', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 5 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 3 })).body;
  await addToCart(shop, mug, { cart_token, quantity: 1, options: { engraving: 'Ada' } });
  const refused = await tryAddToCart(shop, mug, { cart_token, quantity: 2 });
  expect(refused.status).toBe(409);
  expect(refused.body.details).toMatchObject({ requested: 2, in_cart: 4, available: 5 });
  const after = await shop.get(`/cart/${cart_token}`, seeing(mug));
  expect(after.body.items.map((item: { quantity: number }) => item.quantity)).toEqual([3, 1]);
});
