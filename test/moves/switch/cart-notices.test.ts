import { afterEach, expect, it, vi } from 'vitest';
import { retryNotices } from '../../../src/checkout/index.ts';
import { Cart } from '../../../src/index.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { choreContext, storeOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

afterEach(() => void vi.restoreAllMocks());

it('notifies no carts from the copy of a tenant that has moved away', async () => {
  const shop = await world();
  const { row } = await placedOrder(shop, (await createProduct(shop, { stock: 5 })).body.id);
  const database = storeOf(shop);
  await database
    .prepare('UPDATE orders SET cart_notice = status WHERE tenant_id = ?')
    .bind(shop.tenantId)
    .run();
  await database
    .prepare("INSERT OR REPLACE INTO tenant_fences (tenant_id, state, epoch) VALUES (?, 'moved', 1)")
    .bind(shop.tenantId)
    .run();
  moveClock(60_000);
  const notified = vi.spyOn(Cart.prototype, 'orderStatus');
  await retryNotices(await choreContext(shop), {});
  await database.prepare('DELETE FROM tenant_fences WHERE tenant_id = ?').bind(shop.tenantId).run();
  // The chore retries the notices of other tests' orders too.
  const own = () => notified.mock.calls.filter(([{ id }]) => id === row.id).length;
  expect(own()).toBe(0);
  await retryNotices(await choreContext(shop), {});
  expect(own()).toBe(1);
});
