/** Forms of an order that are sent again: while the first press is being worked on, and after its answer was lost. */
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { loseResponse } from '../../../support/faults/database.ts';
import { fieldsOf } from '../../../support/fixtures/browser.ts';
import { stockedProduct } from '../../../support/fixtures/catalog/products.ts';
import { cartWith, sandboxShop } from '../../../support/fixtures/selling/checkout.ts';
import { databaseOf } from '../../../support/runtime/runtime.ts';
import type { World } from '../../../support/world.ts';
import { paidCups, paidOrder } from './paid-cups.ts';

/** Makes the calls with a key look as if they were still running; returns what ends that. */
async function keepRunning(shop: World) {
  const [db, of] = [databaseOf(shop), sql`tenant_id = ${shop.tenantId} AND application_id = 0`];
  const rows = await db.all<{ key: string; answer: string }>(
    sql`SELECT key, answer FROM idempotency_keys WHERE ${of}`,
  );
  await db.run(
    sql`UPDATE idempotency_keys SET answer = NULL, locked_until = ${Date.now() + 60_000} WHERE ${of}`,
  );
  return async () => {
    for (const { key, answer } of rows)
      await db.run(sql`UPDATE idempotency_keys SET answer = ${answer} WHERE ${of} AND key = ${key}`);
  };
}

it('ships one of two units once when the form is sent again before its answer, and again after it', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/fulfil`);
  const form = { ...fieldsOf(developer.last.html, `${here}/fulfil`), 'quantity.1': '1' };
  expect((await developer.post(`${here}/fulfil`, form)).status).toBe(303);
  const end = await keepRunning(shop);
  const early = await developer.post(`${here}/fulfil`, form);
  expect(early.status).toBe(409);
  expect(early.html).toContain('This form was sent before and is still being worked on.');
  expect(early.html).not.toContain('Idempotency-Key');
  await end();
  const again = { ...fieldsOf(early.html, `${here}/fulfil`), 'quantity.1': '1' };
  expect((await developer.post(`${here}/fulfil`, again)).status).toBe(303);
  expect((await shop.get(path)).body.fulfilments).toHaveLength(1);
});

it('makes a refund of a unit and the shipping once when its form is sent again', async () => {
  const shop = await sandboxShop({ settings: { shipping: { flat: 5 } } });
  const cup = await stockedProduct(shop, { name: 'Cup', stock: 9 });
  const { developer, here, path } = await paidOrder(shop, await cartWith(shop, cup, 2));
  const confirm = `${here}/refund/confirm`;
  await developer.get(`${confirm}?what=part&units.1=1&shipping=yes`);
  const asked = fieldsOf(developer.last.html, confirm);
  expect(asked.shown).toBe('€15.00');
  for (const _ of [1, 2]) expect((await developer.post(confirm, asked)).status).toBe(303);
  expect((await shop.get(path)).body.refunds).toMatchObject([{ amount: 15 }]);
  const other = { ...asked, _once: 'another' };
  expect((await developer.post(confirm, other)).html).toContain('The amount is now €10.00.');
});

it('shows a form again with what was typed when the database breaks off, and sent again it ships once', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/fulfil`);
  const form = { ...fieldsOf(developer.last.html, `${here}/fulfil`), 'quantity.1': '1', number: '0034' };
  loseResponse(/insert into "order_fulfilments"/i);
  const lost = await developer.post(`${here}/fulfil`, form);
  expect(lost.status).toBe(503);
  expect(lost.html).toContain('It is not known whether this was saved.');
  const again = fieldsOf(lost.html, `${here}/fulfil`);
  expect(again).toMatchObject({ 'quantity.1': '1', number: '0034' });
  expect((await developer.post(`${here}/fulfil`, again)).status).toBe(303);
  expect((await shop.get(path)).body.fulfilments).toMatchObject([{ items: [{ quantity: 1 }] }]);
  const entries = (await shop.get('/audit?action=createFulfilment')).body.data;
  expect(entries).toHaveLength(1);
});
