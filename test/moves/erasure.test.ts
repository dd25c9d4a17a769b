/** People who are erased while their shop moves to another shard. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY, MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { fiveCups } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { registerCustomer } from '../support/fixtures/selling/customers.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { runMove, startMove } from '../support/shards/moving.ts';
import { dumpStores, storesWith } from '../support/storage/storage-dump.ts';
import { admin, world } from '../support/world.ts';

it.each([
  ['begins', /update "?outbox/i, /update "?outbox/i],
  ['ends', /update "customers" set .*"erased_at"/i, /update "orders" set .*"name"/i],
])(
  'leaves nothing of them on either shard if the tenant is switched before their erasure %s',
  async (_, ofCustomer, ofGuest) => {
    const shop = await sandboxShop();
    const [email, cup] = [`zenobia-${crypto.randomUUID()}@example.com`, await fiveCups(shop)];
    await submitCheckout(await checkoutPath(shop, await cartWith(shop, cup)), 'pay', { ...ADDRESS, email });
    const [order] = (await shop.get('/orders')).body.data;
    const ada = await registerCustomer(shop, { cart_token: await cartWith(shop, cup) });
    const erasures = [
      [`/customers/${ada.id}`, ofCustomer],
      [`/orders/${order.id}/personal-data`, ofGuest],
    ] as const;
    for (const [path, statement] of erasures) {
      const id = await startMove(shop);
      beforeBatch(statement, async () => {
        expect((await runMove(shop, id)).state).toBe('switched');
      });
      expect((await shop.delete(path)).status).toBe(204);
      // After a day the copy on the shard that the tenant has left is deleted.
      moveClock(DAY + MINUTE);
      expect((await runMove(shop, id)).state).toBe('ended');
    }
    expect(storesWith(await dumpStores(shop), [ada.email, email])).toEqual([]);
  },
);

it('keeps no word of a name with a move that is cancelled while it copies the words of customers', async () => {
  const shop = await world();
  const { id: customer } = await registerCustomer(shop);
  await storeOf(shop)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO customer_terms (tenant_id, term, customer_id) SELECT ?1, 'zanzibarova' || i, ?2 FROM n`,
    )
    .bind(shop.tenantId, customer)
    .run();
  const id = await startMove(shop);
  const isAtWord = async () => (await storedMove(id)).includes('zanzibarova');
  const { state } = await runMove(shop, id, {
    between: async () => {
      if (await isAtWord()) await admin('POST', `/tenants/${shop.slug}/moves/${id}/cancel`);
    },
  });
  expect([state, await isAtWord()]).toEqual(['cancelled', false]);
});

/** Returns what the directory has of a move. */
const storedMove = async (id: string): Promise<string> =>
  JSON.stringify(await env.DB.prepare('SELECT * FROM tenant_moves WHERE id = ?').bind(id).first());
