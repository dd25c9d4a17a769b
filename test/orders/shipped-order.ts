import { markPaid } from '../../src/orders/index.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

/** A paid order of three cups; returns its path and id. */
export async function paidOrder(shop: World, quantity = 3) {
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const { row } = await placedOrder(shop, cup, { quantity });
  await markPaid(contextOf(shop), row.id, { provider: 'sandbox', reference: row.id });
  return { id: row.id, path: `/orders/${row.id}` };
}

export const shop3 = async () => {
  const shop = await world();
  return { shop, ...(await paidOrder(shop)) };
};
