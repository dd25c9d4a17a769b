import { sql } from 'drizzle-orm';
import { rows } from '../../../src/kernel/data/database.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { waitingCalls } from '../../support/fixtures/catalog/stock-writer.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import type { Answer, World } from '../../support/world.ts';

export const MOVES = /INSERT INTO stock_movements/;

interface Item {
  readonly sku: string;
  readonly delta?: number;
  readonly stock?: number;
  readonly reason?: string;
}

export const adjust = (shop: World, items: readonly Item[], headers = {}): Promise<Answer> =>
  shop.post('/inventory/adjustments', { items }, { headers });

/** Makes the first call, and the others while its batch is being committed: they form one group. */
export async function together(
  shop: World,
  first: readonly Item[],
  others: readonly (readonly Item[])[],
  meanwhile: () => void | Promise<void> = () => {},
): Promise<Answer[]> {
  const gathered: Promise<Answer>[] = [];
  beforeBatch(MOVES, async () => {
    for (const items of others) {
      gathered.push(adjust(shop, items));
      // One after the other, so that they arrive in this order.
      while ((await waitingCalls(shop)) < gathered.length) await scheduler.wait(1);
    }
    await meanwhile();
  });
  const alone = await adjust(shop, first);
  return [alone, ...(await Promise.all(gathered))];
}

export const movements = ({ tenantId }: World) =>
  rows<{ old: number; new: number; reason: string }>(
    databaseOf({ tenantId }),
    sql`SELECT old_stock AS old, new_stock AS new, reason FROM stock_movements WHERE tenant_id = ${tenantId} ORDER BY id`,
  );

export const eventCount = async ({ tenantId }: World): Promise<number> => {
  const found = await rows(
    databaseOf({ tenantId }),
    sql`SELECT id FROM outbox WHERE tenant_id = ${tenantId} AND type = 'stock.changed'`,
  );
  return found.length;
};

/** Returns which of a shop's stock events, in commit order from 1 on, are not relayed. */
export async function unrelayed({ tenantId }: World): Promise<number[]> {
  const found = await rows<{ relayed: number }>(
    databaseOf({ tenantId }),
    sql`SELECT relayed_at IS NOT NULL AS relayed FROM outbox
      WHERE tenant_id = ${tenantId} AND type = 'stock.changed' ORDER BY position`,
  );
  return found.flatMap(({ relayed }, n) => (relayed ? [] : [n + 1]));
}
