import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { fieldsOf } from '../../../support/fixtures/browser.ts';
import { databaseOf } from '../../../support/runtime/runtime.ts';
import { paidCups } from './paid-cups.ts';

const EVIL = '<script>alert(1)</script>';

it('chooses units on one page, then says the amount and what it is for, and refunds once', async () => {
  const { shop, developer, here, path } = await paidCups();
  expect(developer.last.html).toContain(`href="${here}/refund"`);
  await developer.get(`${here}/refund`);
  expect(developer.last.html).toContain('Everything that is left: €20.00');
  expect(developer.last.html).not.toContain('class="danger"');
  const choice = { what: 'part', 'units.1': '1', restock: 'yes', amount: '2,50' };
  await developer.submit(`${here}/refund`, choice);
  const { html } = developer.last;
  expect(html).toContain('Refund €12.50 of order 1001?');
  expect(html).toMatch(/€12.50<\/strong> will be paid back to the customer through sandbox/);
  expect(html).toMatch(/1 × Cup<\/td>.*€10.00.*Further amount<\/td>.*€2.50/s);
  expect(html).toContain('1 unit returns to stock.');
  expect(html).toContain(`href="${here}/refund?what=part&amp;units.1=1&amp;restock=yes&amp;amount=2%2C50"`);
  expect((await shop.get(path)).body.refunds).toEqual([]);
  const asked = { ...fieldsOf(html, `${here}/refund/confirm`), reason: EVIL };
  expect(asked).toMatchObject({ shown: '€12.50', 'units.1': '1', restock: 'yes' });
  await developer.submit(`${here}/refund/confirm`, asked);
  expect(developer.last.html).toContain('The refund is requested.');
  await developer.submit(`${here}/refund/confirm`, asked);
  const { refunds, payment_status } = (await shop.get(path)).body;
  expect([refunds, payment_status]).toMatchObject([
    [{ amount: 12.5, reason: EVIL, items: [{ line_id: 1, quantity: 1, restock: true, amount: 10 }] }],
    'partially_refunded',
  ]);
  expect(developer.last.html).toContain('&lt;script&gt;');
});

it('leaves the second unit to ship where the first was refunded after it was shipped', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/refund`);
  expect(developer.last.html).not.toContain('These units were shipped');
  await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] });
  await developer.get(`${here}/refund`);
  await developer.submit(`${here}/refund`, { what: 'part', 'units.1': '2', shipped: 'yes' });
  expect(developer.last.html).toContain('must be at most 1, which were shipped');
  await developer.submit(`${here}/refund`, { what: 'part', 'units.1': '1', shipped: 'yes' });
  await developer.submit(`${here}/refund/confirm`, fieldsOf(developer.last.html, `${here}/refund/confirm`));
  expect((await shop.get(path)).body.refunds).toMatchObject([{ items: [{ quantity: 1, restock: false }] }]);
  await developer.get(`${here}/fulfil`);
  expect(fieldsOf(developer.last.html, `${here}/fulfil`)).toMatchObject({ 'quantity.1': '1' });
});

it('shows a choice again to change it', async () => {
  const { developer, here } = await paidCups();
  await developer.get(`${here}/refund?what=part&units.1=2&shipping=yes&amount=3`);
  expect(fieldsOf(developer.last.html, `${here}/refund`)).toMatchObject({
    what: 'part',
    'units.1': '2',
    shipping: ['yes'],
    amount: '3',
  });
});

it('refunds only the amount that the page showed, and repeats a refund of everything once', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/refund/confirm?what=all`);
  expect(developer.last.html).toContain('Nothing returns to stock.');
  const asked = fieldsOf(developer.last.html, `${here}/refund/confirm`);
  await shop.post(`${path}/refunds`, { amount: 5 });
  expect((await developer.post(`${here}/refund/confirm`, asked)).status).toBe(409);
  expect(developer.last.html).toContain('The amount is now €15.00.');
  expect(developer.last.html).toContain('Refund €15.00 of order 1001?');
  const again = fieldsOf(developer.last.html, `${here}/refund/confirm`);
  for (const _ of [1, 2]) await developer.submit(`${here}/refund/confirm`, again);
  expect((await shop.get(path)).body).toMatchObject({
    status: 'paid',
    payment_status: 'refunded',
    refunds: [{ amount: 5 }, { amount: 15 }],
  });
  expect(developer.last.html).not.toContain(`href="${here}/refund"`);
  expect((await developer.get(`${here}/refund`)).html).toContain('Everything has been refunded.');
});

it('names the field of a refund that is refused, and keeps what was typed', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/refund`);
  for (const units of ['3', '1.5', 'x', '-1']) {
    const choice = { what: 'part', 'units.1': units, amount: '2' };
    const { status, html } = await developer.post(`${here}/refund`, choice);
    expect([status, html], units).toEqual([422, expect.stringContaining('id="f-units.1-error"')]);
    expect(fieldsOf(html, `${here}/refund`), units).toMatchObject(choice);
  }
  for (const [choice, words] of [
    [{ 'units.1': '0' }, 'Nothing is chosen yet: enter units or an amount, or tick the shipping.'],
    [{ shipping: 'yes' }, 'The refund names nothing that is left.'],
    [{ amount: '20.01' }, 'The refund is more than what is left.'],
    [{ amount: 'x' }, 'must be a number'],
    [{ amount: '1,000' }, 'must be without a separator of thousands'],
    [{ amount: '１，０００' }, 'must be without a separator of thousands'],
    [{ amount: '1.000' }, 'must be without a separator of thousands'],
    [{ amount: '1e1' }, 'must be a number'],
  ] as const) {
    expect((await developer.post(`${here}/refund`, { what: 'part', ...choice })).html).toContain(words);
  }
  await developer.get(`${here}/refund/confirm?what=part&amount=20`);
  const asked = fieldsOf(developer.last.html, `${here}/refund/confirm`);
  await developer.post(`${here}/refund/confirm`, { ...asked, amount: '20.01' });
  expect(developer.last.html).toContain('The refund is more than what is left.');
  expect((await developer.get(`${here}/refund/confirm?what=part`)).status).toBe(409);
  expect((await shop.get(path)).body.refunds).toEqual([]);
});

it('cancels a paid order after a page that says the amount', async () => {
  const { shop, developer, here, path } = await paidCups();
  await shop.post(`${path}/refunds`, { amount: 5 });
  await developer.get(`${here}/cancel`);
  expect(developer.last.html).toContain('€15.00 will be paid back to the customer through sandbox.');
  expect((await shop.get(path)).body.status).toBe('paid');
  await developer.submit(`${here}/cancel`, fieldsOf(developer.last.html, `${here}/cancel`));
  expect((await shop.get(path)).body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect((await developer.get(`${here}/cancel`)).status).toBe(409);
});

it('asks again before it cancels an order of which another amount is paid back by now', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/cancel`);
  expect(developer.last.html).toContain('€20.00 will be paid back');
  const asked = fieldsOf(developer.last.html, `${here}/cancel`);
  await shop.post(`${path}/refunds`, { amount: 5 });
  const refused = await developer.post(`${here}/cancel`, asked);
  expect([refused.status, refused.html.includes('€15.00 will be paid back')]).toEqual([409, true]);
  expect((await shop.get(path)).body.status).toBe('paid');
  const again = fieldsOf(refused.html, `${here}/cancel`);
  for (const _ of [1, 2]) await developer.submit(`${here}/cancel`, again);
  expect(developer.last.html).toContain('The order is cancelled');
  expect((await shop.get(path)).body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
});

it('asks again before it cancels an order of which somebody has shipped something by now', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/cancel`);
  expect(developer.last.html).not.toContain('shipped');
  const asked = fieldsOf(developer.last.html, `${here}/cancel`);
  await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] });
  const refused = await developer.post(`${here}/cancel`, asked);
  expect([refused.status, refused.html.includes('1 unit was shipped already.')]).toEqual([409, true]);
  expect((await shop.get(path)).body.status).toBe('paid');
  await developer.submit(`${here}/cancel`, fieldsOf(refused.html, `${here}/cancel`));
  expect((await shop.get(path)).body.status).toBe('cancelled');
});

it('shows a pending refund before an order is cancelled', async () => {
  const { shop, developer, here, path } = await paidCups();
  await shop.post(`${path}/refunds`, {});
  await databaseOf(shop).run(sql`UPDATE refunds SET status = 'pending' WHERE tenant_id = ${shop.tenantId}`);
  const { html } = await developer.get(`${here}/cancel`);
  expect(html).toContain('€20.00 is being paid back already.');
  expect(html).not.toContain('Everything was paid back');
});

it('says why a refund failed, beside the reason that was given for it, and has its unit to ship', async () => {
  const { shop, developer, here, path } = await paidCups();
  const items = [{ line_id: 1, quantity: 1 }];
  await shop.post(`${path}/refunds`, { items, reason: 'One cup arrived broken' });
  const unitsToShip = async () => {
    await developer.get(`${here}/fulfil`);
    return fieldsOf(developer.last.html, `${here}/fulfil`)['quantity.1'];
  };
  expect(await unitsToShip()).toBe('1');
  await databaseOf(shop).run(
    sql`UPDATE refunds SET status = 'failed', failure_reason = 'expired_or_canceled_card' WHERE tenant_id = ${shop.tenantId}`,
  );
  const { html } = await developer.get(here);
  expect(html).toContain('One cup arrived broken (failed: expired or canceled card)</td>');
  expect(await unitsToShip()).toBe('2');
});
