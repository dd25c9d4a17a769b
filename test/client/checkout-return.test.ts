import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyCheckoutReturn } from '../../client/src/index.ts';

const secret = 'a checkout secret of the tenant';
const back = { order_id: 'ord_1', order_number: '1001', status: 'paid', ts: '1795753000' };
const signature = createHmac('sha256', secret).update(Object.values(back).join('.')).digest('hex');
const query = new URLSearchParams({ ...back, signature });

it('verifies the way back by the whole URL, by the path that Node has, and by the query alone', async () => {
  const order = { orderId: 'ord_1', orderNumber: 1001, status: 'paid', at: '2026-11-27T04:16:40.000Z' };
  for (const url of [`https://shop.example.com/thanks?${query}`, `/thanks?${query}`, `?${query}`])
    expect(await verifyCheckoutReturn(url, secret), url).toEqual(order);
  expect(await verifyCheckoutReturn(new URL(`https://shop.example.com/?${query}`), secret)).toEqual(order);
});

it('refuses what is unsigned, changed or signed by somebody else', async () => {
  for (const url of ['/thanks', '//', '//?', `//thanks#?${query}`])
    expect(await verifyCheckoutReturn(url, secret), url).toBeNull();
  expect(await verifyCheckoutReturn(`/thanks?${query}`.replace('1001', '1002'), secret)).toBeNull();
  expect(await verifyCheckoutReturn(`/thanks?${query}`, 'another secret of somebody')).toBeNull();
});
