import { namedBatch } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { byId } from '../store.ts';
import { customers } from '../tables.ts';
import { listAddresses } from './store.ts';

/** Reads a customer's name and addresses in one round trip, for their checkout page. */
export async function readShopper(ctx: TenantDatabase, customerId: number) {
  const { found, addresses } = await namedBatch(ctx.db, {
    found: ctx.db.select({ name: customers.name }).from(customers).where(byId(ctx.tenantId, customerId)),
    addresses: listAddresses(ctx, customerId),
  });
  return { name: found[0]?.name ?? null, addresses };
}
