/** An order that waits for its payment, and one that is paid. */
import { cartWith, RETURN_URL, sessionOf } from '../../../support/fixtures/selling/checkout.ts';
import type { Copy, MakeCopy, Write } from '../run-pair.ts';
import { bodyOf, cupsAndMugs } from './shop.ts';

const pay = (id: string, body: object): Write => ({ method: 'POST', path: `/orders/${id}/payments`, body });

/** An order that waits for its payment, and the open checkout of another cart for the rest of the stock. */
export const openOrders: MakeCopy = async () => {
  const { shop, cup, mug, item } = await cupsAndMugs();
  await shop.post('/promotions', {
    name: 'ONE',
    code: 'ONE',
    trigger: 'code',
    effect: { kind: 'fixed', value: 1 },
    max_uses: 1,
  });
  const cart = await cartWith(shop, cup, 2);
  bodyOf(await shop.post(`/cart/${cart}/coupon`, { code: 'ONE' }));
  const session = await sessionOf(shop, cart);
  const { id } = bodyOf(await shop.post('/orders', { session }));
  const cart2 = await cartWith(shop, cup, 2);
  const session2 = await sessionOf(shop, cart2);
  const cart3 = await cartWith(shop, mug, 1);
  const reads = [
    `/orders/${id}`,
    `/orders/${id}/timeline`,
    '/orders',
    `/products/${item}`,
    `/cart/${cart}`,
    `/cart/${cart2}`,
    `/cart/${cart3}`,
    '/promotions',
  ];
  const writes: Copy['writes'] = {
    paid: pay(id, { status: 'paid', reference: 'r1' }),
    paidOther: pay(id, { status: 'paid', reference: 'r2' }),
    failed: pay(id, { status: 'failed', reference: 'r3' }),
    refunded: pay(id, { status: 'refunded', reference: 'r1' }),
    cancel: { method: 'POST', path: `/orders/${id}/cancel` },
    placeAgain: { method: 'POST', path: '/orders', body: { session } },
    place2: { method: 'POST', path: '/orders', body: { session: session2 } },
    place2Keyed: {
      method: 'POST',
      path: '/orders',
      body: { session: session2 },
      headers: { 'idempotency-key': 'k' },
    },
    tags: { method: 'PATCH', path: `/orders/${id}`, body: { tags: ['a'] } },
    meta: { method: 'PATCH', path: `/orders/${id}`, body: { metadata: { b: '1' } } },
    archive: { method: 'PATCH', path: `/orders/${id}`, body: { archived: true } },
    erase: { method: 'DELETE', path: `/orders/${id}/personal-data` },
    take2: { method: 'POST', path: '/inventory/adjustments', body: { items: [{ sku: 'CUP', stock: 2 }] } },
    take0: { method: 'POST', path: '/inventory/adjustments', body: { items: [{ sku: 'CUP', stock: 0 }] } },
    deleteCup: { method: 'DELETE', path: `/products/${item}` },
    edit: { method: 'PATCH', path: '/cart/items/1', body: { cart_token: cart, quantity: 1 } },
    start: {
      method: 'POST',
      path: '/checkout/seamless',
      body: { cart_token: cart, return_url: `${RETURN_URL}&other` },
    },
    start2: {
      method: 'POST',
      path: '/checkout/seamless',
      body: { cart_token: cart2, return_url: `${RETURN_URL}&other` },
    },
    coupon3: { method: 'POST', path: `/cart/${cart3}/coupon`, body: { code: 'ONE' } },
    note: { method: 'POST', path: `/orders/${id}/notes`, body: { text: 'Called' } },
  };
  return { shop, reads, writes };
};

/** A paid order of three cups and a mug, of which one cup is shipped. */
export const paidOrders: MakeCopy = async () => {
  const { shop, cup, mug, item } = await cupsAndMugs();
  const cart = await cartWith(shop, cup, 3);
  bodyOf(await shop.post('/cart/items', { cart_token: cart, product_id: mug.body.id, quantity: 1 }));
  const session = await sessionOf(shop, cart);
  const { id } = bodyOf(
    await shop.post('/orders', { session, customer: { name: 'Ada', email: 'ada@example.com' } }),
  );
  bodyOf(await shop.post(`/orders/${id}/payments`, { status: 'paid', reference: 'r1' }));
  const f = bodyOf(
    await shop.post(`/orders/${id}/fulfilments`, {
      items: [{ line_id: 1, quantity: 1 }],
      tracking: { number: '7' },
    }),
  ).id;
  const reads = [
    `/orders/${id}`,
    `/orders/${id}/timeline`,
    `/orders/${id}/refunds`,
    '/orders',
    `/products/${item}`,
    '/orders?q=ada',
    '/insights?period=7d',
  ];
  const writes: Copy['writes'] = {
    fulfilAll: { method: 'POST', path: `/orders/${id}/fulfilments`, body: {} },
    fulfilTwo: {
      method: 'POST',
      path: `/orders/${id}/fulfilments`,
      body: { items: [{ line_id: 1, quantity: 2 }] },
    },
    fulfilMug: {
      method: 'POST',
      path: `/orders/${id}/fulfilments`,
      body: { items: [{ line_id: 2, quantity: 1 }], tracking: { number: '1' } },
    },
    bulkFulfil: { method: 'POST', path: '/orders/bulk', body: { ids: [id], change: { fulfil: true } } },
    bulkTags: { method: 'POST', path: '/orders/bulk', body: { ids: [id], change: { add_tags: ['y'] } } },
    delivered: { method: 'PATCH', path: `/orders/${id}/fulfilments/${f}`, body: { status: 'delivered' } },
    recall: { method: 'PATCH', path: `/orders/${id}/fulfilments/${f}`, body: { status: 'cancelled' } },
    tracking: {
      method: 'PATCH',
      path: `/orders/${id}/fulfilments/${f}`,
      body: { tracking: { carrier: 'DHL', number: '8' } },
    },
    cancel: { method: 'POST', path: `/orders/${id}/cancel` },
    refunded: pay(id, { status: 'refunded', reference: 'r1' }),
    refundedPart: pay(id, { status: 'refunded', reference: 'r1', amount: 20, refund_reference: 'p1' }),
    refundedPart2: pay(id, { status: 'refunded', reference: 'r1', amount: 30, refund_reference: 'p2' }),
    refundedPart1b: pay(id, { status: 'refunded', reference: 'r1', amount: 21, refund_reference: 'p1' }),
    paidTwice: pay(id, { status: 'paid', reference: 'r2' }),
    refundUnit: {
      method: 'POST',
      path: `/orders/${id}/refunds`,
      body: { items: [{ line_id: 1, quantity: 2, restock: true }] },
    },
    refundAmount: { method: 'POST', path: `/orders/${id}/refunds`, body: { amount: 26 } },
    refundShipping: { method: 'POST', path: `/orders/${id}/refunds`, body: { shipping: true } },
    tags: { method: 'PATCH', path: `/orders/${id}`, body: { tags: ['a'] } },
    metaA: { method: 'PATCH', path: `/orders/${id}`, body: { metadata: { a: '1' } } },
    metaB: { method: 'PATCH', path: `/orders/${id}`, body: { metadata: { b: '1' } } },
    archive: { method: 'PATCH', path: `/orders/${id}`, body: { archived: true } },
    unarchive: { method: 'PATCH', path: `/orders/${id}`, body: { archived: false } },
    erase: { method: 'DELETE', path: `/orders/${id}/personal-data` },
    note: { method: 'POST', path: `/orders/${id}/notes`, body: { text: 'Called' } },
  };
  return { shop, reads, writes };
};
