import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { rows } from '../../src/kernel/data/database.ts';
import { fiveCups, stockOf } from '../support/fixtures/catalog/products.ts';
import {
  browse,
  cartWith,
  cron,
  orderEvents,
  RETURN_URL,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import { expectStatuses } from '../support/statuses.ts';
import type { World } from '../support/world.ts';

const SECRET = 'the-secret-of-the-checkout-outside';

/** A tenant with a checkout of its own. */
async function outside(settings: object = {}): Promise<World> {
  const checkout = { allowed_hosts: ['shop.example.com'], external_url: 'https://pay.example.com/go?shop=1' };
  const shop = await sandboxShop({ settings: { payments: 'none', checkout, ...settings } });
  await shop.patch('/settings', { secrets: { checkout_secret: SECRET } });
  return shop;
}

/** The claims of a redirect's JWS, once its signature is checked. */
function claims(redirect: string) {
  const url = new URL(redirect);
  expect([url.host, url.searchParams.get('shop')]).toEqual(['pay.example.com', '1']);
  const [header = '', payload = '', signature] = (url.searchParams.get('session_token') ?? '').split('.');
  const signed = createHmac('sha256', SECRET).update(`${header}.${payload}`).digest('base64url');
  expect(signature).toBe(signed);
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' });
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

/** A session of two cups out of five. */
async function started(shop: World) {
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup, 2);
  const answer = await startCheckout(shop, cart);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { cart, cup: cup.body.id as number, ...claims(answer.body.redirect_url) };
}

it("redirects to the tenant's own checkout, which reads the session, places the order and reports the payment", async () => {
  const shop = await outside({ shipping: { flat: 5, by_country: { AT: { flat: 7 } } } });
  const { session, iss, aud, iat, exp, cup } = await started(shop);
  expect([iss, aud, exp - iat]).toEqual(['https://api.example.com', shop.slug, 1800]);
  const read = await shop.get(`/checkout/sessions/${session}`);
  expect(read.body).toMatchObject({
    id: session,
    status: 'open',
    items: [{ product_id: cup, quantity: 2, total: 20 }],
    totals: { grand_total: 25 },
    return_url: RETURN_URL,
    order_id: null,
  });
  const body = {
    session,
    customer: { name: 'Ada Lovelace', email: 'Ada@example.com' },
    shipping_address: { country: 'AT', city: 'Wien' },
  };
  const placed = await shop.post('/orders', body);
  expect(placed.status).toBe(201);
  expect(placed.body).toMatchObject({
    status: 'pending',
    test: false,
    totals: { shipping: 7, grand_total: 27 },
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    addresses: { shipping: { country: 'AT', city: 'Wien' } },
  });
  expect((await shop.post('/orders', body)).body).toEqual(placed.body);
  const { id } = placed.body;
  const report = (status: string, reference: string) =>
    shop.post(`/orders/${id}/payments`, { status, reference });
  expect((await report('failed', 'p-1')).body.status).toBe('pending');
  expect((await report('paid', 'p-2')).body).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect((await report('paid', 'p-2')).body.status).toBe('paid');
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
  expect((await shop.get(`/checkout/sessions/${session}`)).body).toMatchObject({
    status: 'ordered',
    order_id: id,
  });

  const refused = await shop.post(`/orders/${id}/cancel`);
  expect([refused.status, refused.body.code]).toEqual([409, 'order_not_cancellable']);
  expect((await report('refunded', 'p-2')).body).toMatchObject({
    status: 'cancelled',
    payment_status: 'refunded',
  });
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 0 });
});

it('places one order for one key, and rejects the key for another session', async () => {
  const shop = await outside();
  const { session } = await started(shop);
  const key = { headers: { 'idempotency-key': 'once' } };
  const all = await Promise.all([1, 2, 3].map(() => shop.post('/orders', { session }, key)));
  const made = all.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  expectStatuses(all, 201, 409);
  expect((await shop.post('/orders', { session }, key)).body).toEqual(made[0]?.body);
  expect((await shop.get('/orders')).body.meta.total).toBe(1);
});

it("does not show the hosted page: it redirects to the tenant's checkout", async () => {
  const shop = await outside();
  const { session } = await started(shop);
  for (const page of [
    await browse(`/checkout/${session}`),
    await submitCheckout(`/checkout/${session}`, 'pay'),
  ]) {
    expect(page.status).toBe(303);
    expect(claims(page.location ?? '').session).toBe(session);
  }
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
});

it('answers 404 for a session of another tenant, of a changed cart, or that has ended', async () => {
  const [shop, other] = await Promise.all([outside(), outside()]);
  const { session, cart, cup } = await started(shop);
  expect((await other.post('/orders', { session })).body.code).toBe('session_not_found');
  expect((await shop.post('/orders', { session: 'ck_made-up' })).body.code).toBe('session_not_found');
  await shop.post('/cart/items', { cart_token: cart, product_id: cup, quantity: 1 });
  expect((await shop.post('/orders', { session })).body.code).toBe('session_not_found');
  expect((await shop.get(`/checkout/sessions/${session}`)).body).toMatchObject({
    status: 'ended',
    items: [],
    totals: { subtotal: 0, discount: 0, shipping: 0, tax: 0, grand_total: 0 },
  });
  const named = await shop.post('/orders', { session, shipping_method: 'express' });
  expect(named.body.code).toBe('session_not_found');
  const later = await started(shop);
  moveClock(31 * 60_000);
  expect((await shop.post('/orders', { session: later.session })).body.code).toBe('session_not_found');
});

it('cancels an order that is never paid; a late payment takes the stock again or must be refunded', async () => {
  const shop = await outside();
  const [first, second] = [await started(shop), await started(shop)];
  const ids = await Promise.all(
    [first, second].map(async ({ session }) => (await shop.post('/orders', { session })).body.id),
  );
  moveClock(61 * 60_000);
  await cron();
  expect(await stockOf(first.cup)).toEqual({ on_hand: 5, reserved: 0 });
  const paid = { status: 'paid', reference: 'late' };
  expect((await shop.post(`/orders/${ids[0]}/payments`, paid)).body.status).toBe('paid');
  const { sku } = (await shop.get(`/products/${second.cup}`)).body;
  await shop.post('/inventory/adjustments', { items: [{ sku, stock: 0 }] });
  const gone = await shop.post(`/orders/${ids[1]}/payments`, { ...paid, reference: 'later' });
  expect(gone.body).toMatchObject({ status: 'cancelled', payment_status: 'paid' });
  await cron();
  const back = { status: 'refunded', reference: 'later' };
  expect((await shop.post(`/orders/${ids[1]}/payments`, back)).body.payment_status).toBe('refunded');
});

it('says how much of a second or late payment has to go back, until that is reported', async () => {
  const shop = await outside();
  const { session } = await started(shop);
  const { id, totals, refund_due } = (await shop.post('/orders', { session })).body;
  expect(refund_due).toBe(0);
  const report = async (status: string, reference: string) => {
    const { body } = await shop.post(`/orders/${id}/payments`, { status, reference });
    return [body.status, body.payment_status, body.refund_due];
  };
  expect(await report('paid', 'receipt-1')).toEqual(['paid', 'paid', 0]);
  expect(await report('paid', 'receipt-2')).toEqual(['paid', 'paid', totals.grand_total]);
  expect(await report('paid', 'receipt-2')).toEqual(['paid', 'paid', totals.grand_total]);
  expect((await shop.get(`/orders/${id}`)).body.refund_due).toBe(totals.grand_total);
  expect(await report('refunded', 'receipt-2')).toEqual(['paid', 'paid', 0]);
  await report('refunded', 'receipt-1');
  expect(await report('paid', 'receipt-3')).toEqual(['cancelled', 'partially_refunded', totals.grand_total]);
});

it('accepts a payment reference for one order only', async () => {
  const shop = await outside();
  const [first, second] = [await started(shop), await started(shop)];
  const ids = await Promise.all(
    [first, second].map(async ({ session }) => (await shop.post('/orders', { session })).body.id),
  );
  const paid = { status: 'paid', reference: 'receipt-7' };
  expect((await shop.post(`/orders/${ids[0]}/payments`, paid)).body.status).toBe('paid');
  const refused = await shop.post(`/orders/${ids[1]}/payments`, paid);
  expect([refused.status, refused.body.code]).toEqual([409, 'reference_taken']);
  expect((await shop.get(`/orders/${ids[1]}`)).body.status).toBe('pending');
});

it('keeps a bounded number of failed payments, of payments, and of refunds of a part', async () => {
  const shop = await outside();
  const { session } = await started(shop);
  const { id } = (await shop.post('/orders', { session })).body;
  const report = (body: object) => shop.post(`/orders/${id}/payments`, body);
  const kept = async () => {
    const table = sql`payments WHERE tenant_id = ${shop.tenantId} AND order_id = ${id}`;
    const [counted] = await rows<{ n: number }>(databaseOf(shop), sql`SELECT count(*) AS n FROM ${table}`);
    return counted?.n;
  };
  for (let n = 0; n < 55; n++) {
    expect((await report({ status: 'failed', reference: `f-${n}` })).status).toBe(200);
  }
  expect(await kept()).toBe(50);
  for (let n = 0; n < 50; n++) {
    expect((await report({ status: 'paid', reference: `p-${n}` })).body.status).toBe('paid');
  }
  expect((await report({ status: 'paid', reference: 'p-50' })).body.code).toBe('conflict');
  expect((await report({ status: 'paid', reference: 'p-49' })).status).toBe(200);
  expect(await kept()).toBe(100);
});

it('takes a hundred reports of refunds of a part, then the rest at once', async () => {
  const shop = await outside();
  const { session } = await started(shop);
  const { id } = (await shop.post('/orders', { session })).body;
  const report = (body: object) => shop.post(`/orders/${id}/payments`, { reference: 'p', ...body });
  await report({ status: 'paid' });
  const part = (n: number) => report({ status: 'refunded', amount: 0.01, refund_reference: `r-${n}` });
  for (let n = 0; n < 100; n++) expect((await part(n)).status).toBe(200);
  expect((await part(100)).body.code).toBe('order_not_refundable');
  expect((await part(99)).status).toBe(200);
  expect((await report({ status: 'refunded' })).body).toMatchObject({ payment_status: 'refunded' });
});

it('rejects reports of payments that a built-in provider takes', async () => {
  const shop = await sandboxShop();
  const path = `${new URL((await startCheckout(shop, await cartWith(shop, await fiveCups(shop)))).body.redirect_url).pathname}`;
  await submitCheckout(path, 'decline');
  const { id } = (await shop.get('/orders')).body.data[0];
  const report = await shop.post(`/orders/${id}/payments`, { status: 'paid', reference: 'x' });
  expect([report.status, report.body.code]).toEqual([409, 'conflict']);
  const session = path.split('/').at(-1);
  expect((await shop.post('/orders', { session })).body.code).toBe('conflict');
});

it.each([
  [{ status: 'paid' }, 'reference'],
  [{ status: 'done', reference: 'x' }, 'status'],
  [{ status: 'paid', reference: ' ' }, 'reference'],
  [{ status: 'paid', reference: 'x', amount: 1 }, 'amount'],
])('rejects the report %j', async (body, field) => {
  const shop = await outside();
  const answer = await shop.post('/orders/ord_x/payments', body);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
});

it('refuses names and addresses with line breaks, because shops put them into mails', async () => {
  const shop = await outside();
  const { session } = await started(shop);
  const odd = 'Ada\nBcc: eve@example.com';
  for (const [more, field] of [
    [{ shipping_address: { country: 'DE', first_name: odd } }, 'shipping_address.first_name'],
    [{ billing_address: { country: 'DE', line1: 'Main St\u2028Flat 2' } }, 'billing_address.line1'],
    [{ customer: { name: odd } }, 'customer.name'],
    [{ customer: { phone: '+49 30\t1' } }, 'customer.phone'],
  ] as const) {
    const refused = await shop.post('/orders', { session, ...more });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { [field]: ['must not contain control characters'] },
    ]);
  }
  const shipping_address = { country: 'DE', first_name: 'Ada', last_name: 'Lovelace' };
  const placed = await shop.post('/orders', { session, shipping_address });
  expect([placed.status, placed.body.customer.name]).toEqual([201, 'Ada Lovelace']);
});

it('keeps the billing address and the note that the own checkout reports', async () => {
  const shop = await outside();
  const { session } = await started(shop);
  const billing_address = { country: 'AT', company: 'Engines Ltd', city: 'Wien' };
  const placed = await shop.post('/orders', { session, billing_address, note: ' Ring twice. ' });
  expect(placed.status).toBe(201);
  expect(placed.body).toMatchObject({ billing_address, note: 'Ring twice.' });
  const [entry] = (await shop.get(`/orders/${placed.body.id}/timeline`)).body.data;
  expect(entry).toMatchObject({ type: 'placed', by: { kind: 'application' } });
});

it.each([
  [{ billing_address: { city: 'Wien' } }, 'billing_address.country'],
  [{ billing_address: { country: 'AT', street: 'x' } }, 'billing_address.street'],
  [{ note: 'x'.repeat(501) }, 'note'],
])('refuses %j by name', async (more, field) => {
  const shop = await outside();
  const { session } = await started(shop);
  const refused = await shop.post('/orders', { session, ...more });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
});

it('says that a session has ended, and how its order ends, once the tenant has another checkout', async () => {
  const shop = await outside();
  const [open, placed] = [await started(shop), await started(shop)];
  expect((await shop.post('/orders', { session: placed.session })).status).toBe(201);
  await shop.patch('/settings', { payments: 'sandbox', checkout: { external_url: null } });
  const pages = [await browse(`/checkout/${open.session}`), await browse(`/checkout/${placed.session}`)];
  expect(pages.map(({ status }) => status)).toEqual([410, 410]);
  expect(pages[0]?.text).toContain('start again from your cart');
  expect(pages[1]?.text).toContain('ends by itself within an hour');
  // No page of ours cancels it.
  expect(pages[1]?.text).not.toContain('cancel the order');
  moveClock(61 * 60_000);
  await cron();
  await expect.poll(async () => (await startCheckout(shop, placed.cart)).status).toBe(200);
});
