import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { moveClock } from '../../../../src/kernel/core/clock.ts';
import { batch, rows, run } from '../../../../src/kernel/data/database.ts';
import { stockOf } from '../../../support/fixtures/catalog/products.ts';
import { CANCEL_URL, cron, readReturn, submitCheckout } from '../../../support/fixtures/selling/checkout.ts';
import { orderOf } from '../../../support/fixtures/selling/refunds.ts';
import { paying, stripeShop, stubStripe } from '../../../support/fixtures/selling/stripe-shop.ts';
import { databaseOf } from '../../../support/runtime/runtime.ts';
import type { World } from '../../../support/world.ts';

const stripe = stubStripe();

it("keeps the order until Stripe's session has ended, and expires the session at the deadline", async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(stripe, shop);
  moveClock(31 * 60_000);
  await cron();
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 2 });
  moveClock(2 * 60_000);
  await cron();
  expect(session.status).toBe('expired');
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
});

it('reconciles a payment whose callback was lost', async () => {
  const shop = await stripeShop();
  const { session, id } = await paying(stripe, shop);
  stripe.finish(session);
  moveClock(33 * 60_000);
  await cron();
  expect((await orderOf({ shop, id })).status).toBe('paid');
});

it('waits ten more minutes while Stripe is unreachable', async () => {
  const shop = await stripeShop();
  const { id } = await paying(stripe, shop);
  stripe.down = true;
  moveClock(33 * 60_000);
  await cron();
  expect((await orderOf({ shop, id })).status).toBe('pending');
  moveClock(11 * 60_000);
  await cron();
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
});

/** The shop's secrets can't be decrypted until the returned function is called, as after a mistake with the keys. */
async function breakSecrets(shop: World): Promise<() => Promise<unknown>> {
  const db = databaseOf(shop);
  const sealed = await rows<{ name: string; sealed: string }>(
    db,
    sql`SELECT name, sealed FROM tenant_secrets WHERE tenant_id = ${shop.tenantId}`,
  );
  await run(db, sql`UPDATE tenant_secrets SET sealed = 'broken' WHERE tenant_id = ${shop.tenantId}`);
  return () =>
    batch(
      db,
      sealed.map((one) =>
        run(
          db,
          sql`UPDATE tenant_secrets SET sealed = ${one.sealed}
            WHERE tenant_id = ${shop.tenantId} AND name = ${one.name}`,
        ),
      ),
    );
}

it("waits ten more minutes while the shop's keys can't be read", async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  const shop = await stripeShop();
  const [paid, unpaid] = [await paying(stripe, shop), await paying(stripe, shop)];
  stripe.finish(paid.session);
  const repair = await breakSecrets(shop);
  moveClock(33 * 60_000);
  await cron();
  expect([(await orderOf(paid)).status, (await orderOf(unpaid)).status]).toEqual(['pending', 'pending']);
  await repair();
  moveClock(3 * 60_000);
  await cron();
  expect([(await orderOf(paid)).status, (await orderOf(unpaid)).status]).toEqual(['paid', 'cancelled']);

  const late = await paying(stripe, shop);
  await breakSecrets(shop);
  moveClock(44 * 60_000);
  await cron();
  expect(await orderOf(late)).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
});

it("expires Stripe's session when the shopper cancels; a payment at the last moment stays paid", async () => {
  const shop = await stripeShop();
  const first = await paying(stripe, shop);
  expect((await submitCheckout(first.path, 'cancel')).location).toBe(CANCEL_URL);
  expect(first.session.status).toBe('expired');
  expect(await orderOf(first)).toMatchObject({ status: 'cancelled', cancel_reason: 'shopper' });

  const second = await paying(stripe, shop);
  stripe.finish(second.session);
  const late = await submitCheckout(second.path, 'cancel');
  expect(readReturn(late).status).toBe('paid');
  expect(await orderOf(second)).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect(stripe.refunds).toHaveLength(0);
});
