import { expect, it } from 'vitest';
import { stockedProduct } from '../../../support/fixtures/catalog/products.ts';
import { cartWith, sandboxShop } from '../../../support/fixtures/selling/checkout.ts';
import { paidOrder } from './paid-cups.ts';

it('says that nothing is paid back when a free order is cancelled or refunded', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await stockedProduct(shop, { name: 'Cup', stock: 9 }), 2);
  await shop.post('/coupons', { code: 'GIFT', kind: 'percent', value: 100 });
  await shop.post(`/cart/${cart}/coupon`, { code: 'GIFT' });
  const { developer, here } = await paidOrder(shop, cart);
  await developer.get(`${here}/cancel`);
  expect(developer.last.html).toContain('Nothing was paid. Items that have not returned go back to stock.');
  await developer.get(`${here}/refund`);
  await developer.submit(`${here}/refund`, { what: 'part', 'units.1': '1' });
  expect(developer.last.html).not.toContain('will be paid back');
  expect(developer.last.html).toContain('These units cost nothing: no money is paid back.');
});
