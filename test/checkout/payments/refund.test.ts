/** Money that has to go back, while some shop's provider can't be asked. */

import { beforeEach, expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { cancelPending, markPaid } from '../../../src/orders/index.ts';
import { failStatements } from '../../support/faults/database.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { cron, sandboxShop } from '../../support/fixtures/selling/checkout.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';

beforeEach(silenceConsole);

/** Orders that were paid after their shopper had cancelled them. */
async function due(shop: World, provider: string, howMany: number): Promise<string[]> {
  const { id: item } = (await createProduct(shop, { name: 'Cup', stock: howMany })).body;
  const ids: string[] = [];
  for (let n = 0; n < howMany; n++) {
    const { row } = await placedOrder(shop, item, { provider });
    await cancelPending(contextOf(shop), row.id, { reason: 'shopper' });
    await markPaid(contextOf(shop), row.id, { provider, reference: `late-${row.id}` });
    ids.push(row.id);
  }
  return ids;
}

const moneyOf = async (shop: World, id = '') => (await shop.get(`/orders/${id}`)).body.payment_status;

it('retries a refund that failed on our side', async () => {
  const shop = await sandboxShop();
  const [order] = await due(shop, 'sandbox', 1);
  const restore = failStatements(/from "tenants"/i);
  await cron();
  restore();
  await cron();
  expect(await moneyOf(shop, order)).toBe('paid');
  moveClock(61_000);
  await cron();
  expect(await moneyOf(shop, order)).toBe('refunded');
});

it('refunds although fifty refunds of another shop fail', async () => {
  const [keyless, other] = [await sandboxShop(), await sandboxShop()];
  const [stuck] = await due(keyless, 'stripe', 50);
  const [order] = await due(other, 'sandbox', 1);
  await cron();
  moveClock(1000);
  await cron();
  expect([await moneyOf(keyless, stuck), await moneyOf(other, order)]).toEqual(['paid', 'refunded']);
});
