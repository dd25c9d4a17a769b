/** The tax in refunds, as a shop books it. */
import { expect, it } from 'vitest';
import { eventsOfType } from '../../support/fixtures/selling/orders.ts';
import { orderOf, refund, soldCups, unit } from '../../support/fixtures/selling/refunds.ts';

const UNTAXED_SHIPPING = { tax: { mode: 'exclusive', rate_percent: 20 } };

it('splits the tax of a line over its units, and adds up to that of the order', async () => {
  const sold = await soldCups();
  const taxes: number[] = [];
  for (const body of [unit(), unit(), unit(), { shipping: true }])
    taxes.push((await refund(sold, body)).body.tax);
  expect(taxes).toEqual([1.6, 1.6, 1.59, 0.78]);
  const { totals, refunds } = await orderOf(sold);
  expect([totals.tax, refunds.map(({ tax }: { tax: number }) => tax)]).toEqual([5.57, taxes]);
  const events = await eventsOfType(sold.shop, 'order.refunded');
  expect(events.map((event) => event.refund.tax)).toEqual(taxes);
});

it('takes no tax of shipping that has none, and of other amounts that of all that is left', async () => {
  const sold = await soldCups(UNTAXED_SHIPPING);
  expect((await orderOf(sold)).totals).toMatchObject({ tax: 6, grand_total: 40.9 });
  const taxOf = async (body: object) => (await refund(sold, body)).body.tax;
  expect(await taxOf({ shipping: true })).toBe(0);
  expect(await taxOf({ amount: 6 })).toBe(1);
  expect(await taxOf(unit())).toBe(2);
  expect(await taxOf({})).toBe(3);
});

it('exports the tax of what was refunded', async () => {
  const sold = await soldCups();
  const taxInFile = async () => {
    const { body } = await sold.shop.get('/orders', { headers: { accept: 'text/csv' } });
    const [header = [], row = []] = body.split('\r\n').map((line: string) => line.split(','));
    return row[header.indexOf('refunded_tax')];
  };
  expect(await taxInFile()).toBe('0');
  for (let n = 0; n < 2; n++) await refund(sold, unit());
  expect(await taxInFile()).toBe('3.2');
  await sold.shop.post(`/orders/${sold.id}/cancel`);
  expect(await taxInFile()).toBe('5.57');
});
