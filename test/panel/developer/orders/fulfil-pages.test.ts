/** Fulfilling an order with more lines than one page of the form has, and one that somebody refunds meanwhile. */
import { expect, it } from 'vitest';
import { paidOrder } from '../../../orders/shipped-order.ts';
import { asDeveloper, fieldsOf } from '../../../support/fixtures/browser.ts';
import { createProduct, seeing } from '../../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../../../support/fixtures/selling/checkout.ts';
import { world } from '../../../support/world.ts';
import { paidCups } from './paid-cups.ts';

it('shows the same lines again when a parcel of the second page is refused', async () => {
  const shop = await sandboxShop();
  const variants = Array.from({ length: 22 }, (_, n) => ({
    sku: `TEE-${n}`,
    price: 10,
    stock: 5,
    attributes: { Size: `S${n}` },
  }));
  const tee = await createProduct(shop, { name: 'Tee', type: 'configurable', sku: 'TEE', variants });
  let cart: string | undefined;
  for (const { id } of tee.body.variants) {
    const line = { product_id: tee.body.id, quantity: 1, options: { variant_id: id } };
    const added = await shop.post('/cart/items', { ...line, ...(cart && { cart_token: cart }) }, seeing(tee));
    expect(added.status, JSON.stringify(added.body)).toBeLessThan(300);
    cart = added.body.cart_token;
  }
  const paid = await submitCheckout(await checkoutPath(shop, cart ?? ''), 'pay', ADDRESS);
  const id = new URL(paid.location ?? '').searchParams.get('order_id');
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/orders/${id}/fulfil`;
  const shown = () => fieldsOf(developer.last.html, here);
  const quantities = () => Object.keys(shown()).filter((name) => name.startsWith('quantity.'));
  await developer.get(`${here}?page=2`);
  const second = quantities();
  expect(second).toHaveLength(2);
  const sent = await developer.post(here, { ...shown(), url: 'ftp://x' });
  expect([sent.status, quantities()]).toEqual([422, second]);
  await developer.submit(here, { ...shown(), url: '' });
  const [parcel] = (await shop.get(`/orders/${id}`)).body.fulfilments;
  expect(parcel.items.map((item: { line_id: number }) => `quantity.${item.line_id}`)).toEqual(second);
});

it('ships no units that somebody has refunded while the form was open', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/fulfil`);
  const form = fieldsOf(developer.last.html, `${here}/fulfil`);
  await shop.post(`${path}/refunds`, { items: [{ line_id: 1, quantity: 1, restock: true }] });
  const refused = await developer.post(`${here}/fulfil`, { ...form, number: '0034' });
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('href="#f-quantity.1"')]);
  expect(refused.html).toContain('must be at most 1');
  expect((await shop.get(path)).body.fulfilments).toEqual([]);
  const again = fieldsOf(refused.html, `${here}/fulfil`);
  expect(again).toMatchObject({ 'quantity.1': '2', number: '0034' });
  await developer.submit(`${here}/fulfil`, { ...again, 'quantity.1': '1' });
  expect((await shop.get(path)).body.fulfilments).toMatchObject([{ items: [{ quantity: 1 }] }]);
});

it('ships one of two units once for a form that is sent twice', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/fulfil`);
  const form = { ...fieldsOf(developer.last.html, `${here}/fulfil`), 'quantity.1': '1' };
  for (const _ of [1, 2]) expect((await developer.post(`${here}/fulfil`, form)).status).toBe(303);
  expect((await shop.get(path)).body.fulfilments).toMatchObject([{ items: [{ quantity: 1 }] }]);
});

it('leads to the first parcels of an order that has very many', async () => {
  const shop = await world();
  const { id, path } = await paidOrder(shop, 9);
  for (let n = 0; n < 21; n++) {
    const parcel = await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] });
    // Only nine cups were bought: most of the parcels are cancelled again.
    if (n > 0) await shop.patch(`${path}/fulfilments/${parcel.body.id}`, { status: 'cancelled' });
  }
  const [first] = (await shop.get(path)).body.fulfilments;
  const developer = await asDeveloper(shop.slug);
  const cancel = `/developer/orders/${id}/fulfilments/${first.id}/cancel`;
  await developer.get(`/developer/orders/${id}`);
  expect(developer.last.html).not.toContain(cancel);
  for (let page = 2; !developer.last.html.includes(cancel); page++) {
    const older = new RegExp(`href="([^"]*[?]parcels=${page})#`).exec(developer.last.html)?.[1];
    await developer.get(older ?? 'none');
    expect(developer.last.status).toBe(200);
  }
  expect(developer.last.html).toContain('Cancel fulfilment 1');
});
