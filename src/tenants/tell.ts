import { eq } from 'drizzle-orm';
import { now } from '../kernel/clock.ts';
import { type Database, database } from '../kernel/database.ts';
import { insist } from '../kernel/insist.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { leftBehind } from './store.ts';
import { tenants } from './tables.ts';

const objectOf = (env: Env, tenantId: number) => env.TENANT.getByName(String(tenantId));

/**
 * Makes a change of a tenant hold everywhere within two seconds. `unavailable` when its object can't be
 * told: the change is in D1 and will hold half a minute later, but the caller must not rely on it yet.
 */
export async function tenantChanged(env: Env, tenantId: number): Promise<Result<void>> {
  const told = await insist(() => objectOf(env, tenantId).reload(tenantId));
  return told ? ok(undefined) : fail('unavailable');
}

/** Where a tenant's catalogue is after a write: its version, and whether stock moved beside it. */
export interface Moved {
  readonly version: number;
  readonly stockMovedAt: number | null;
}

/** The query for {@link Moved}: the last statement of a write's batch. */
export const movedTo = (db: Database, tenantId: number) =>
  db
    .select({ version: tenants.catalogVersion, stockMovedAt: tenants.stockMovedAt })
    .from(tenants)
    .where(eq(tenants.id, tenantId));

/** Makes a write visible everywhere: within two seconds; within ten where only stock figures changed. */
export async function catalogMoved(
  env: Env,
  tenantId: number,
  version: number,
  stockMovedAt: number | null = null,
): Promise<void> {
  const told = await insist(() => objectOf(env, tenantId).moved(tenantId, version, stockMovedAt !== null));
  if (!told) console.warn(JSON.stringify({ event: 'tenant_not_told', tenant: tenantId }));
}

/** For the minute's cron: moves on tenants whose stock moved while their object could not be told. */
export async function sweepStock(env: Env): Promise<void> {
  for (const { id } of await leftBehind(database(env), now() - 15_000)) await catalogMoved(env, id, 0, 1);
}
