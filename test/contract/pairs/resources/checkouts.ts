import { createProduct } from '../../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  RETURN_URL,
  readReturn,
  sandboxShop,
  shownTotal,
  submitCheckout,
} from '../../../support/fixtures/selling/checkout.ts';
import type { Copy, MakeCopy, Write } from '../run-pair.ts';
import { adjust } from './shop.ts';

/**
 * A hosted checkout that waits for its payment, and an order that was paid in one. Paying and refunding take two steps each,
 * so nothing here shows an order between them.
 */
export const hostedCheckouts: MakeCopy = async () => {
  const shop = await sandboxShop({ name: 'Shop', settings: { shipping: { flat: 5 } } });
  const cup = await createProduct(shop, { stock: 6, sku: 'CUP' });
  const paid = await checkoutPath(shop, await cartWith(shop, cup, 3));
  const { order_id: id } = readReturn(await submitCheckout(paid, 'pay'));
  const cart = await cartWith(shop, cup, 1);
  const path = await checkoutPath(shop, cart);
  const total = shownTotal(await browse(path));
  const submit = (action: string, more: object = {}): Write => ({
    method: 'POST',
    path,
    form: { ...ADDRESS, ...more, shown_total: total, action },
    headers: { origin: 'https://api.example.com', 'sec-fetch-site': 'same-origin' },
  });
  const cart2 = await cartWith(shop, cup, 1);
  const reads = [
    `/orders/${id}`,
    `/orders/${id}/refunds`,
    '/orders',
    `/cart/${cart}`,
    `/products/${cup.body.id}`,
  ];
  const writes: Copy['writes'] = {
    pay: submit('pay'),
    decline: submit('decline'),
    leave: submit('cancel'),
    update: submit('update', { city: 'Wien' }),
    edit: { method: 'PATCH', path: '/cart/items/1', body: { cart_token: cart, quantity: 2 } },
    removeLine: { method: 'DELETE', path: `/cart/items/1?cart_token=${cart}` },
    start2: {
      method: 'POST',
      path: '/checkout/seamless',
      body: { cart_token: cart2, return_url: `${RETURN_URL}&other` },
    },
    refundUnits: {
      method: 'POST',
      path: `/orders/${id}/refunds`,
      body: { items: [{ line_id: 1, quantity: 2, restock: true }] },
    },
    refundRest: {
      method: 'POST',
      path: `/orders/${id}/refunds`,
      body: { items: [{ line_id: 1, quantity: 3, restock: true }], shipping: true },
    },
    reprice: { method: 'PATCH', path: `/products/${cup.body.id}`, body: { price: 15 } },
    take: { method: 'POST', path: '/inventory/adjustments', body: { items: [{ sku: 'CUP', stock: 0 }] } },
    back: adjust({ CUP: 1 }),
    shipping: { method: 'PATCH', path: '/settings', body: { shipping: { flat: 9 } } },
  };
  return { shop, reads, writes };
};
