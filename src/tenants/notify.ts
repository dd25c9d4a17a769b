import { eq } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { retry } from '../kernel/core/retry.ts';
import { type Chore, tenantSteps } from '../kernel/data/chore.ts';
import { type Database, database } from '../kernel/data/database.ts';
import { tenantsWithUnpublishedStock } from './store.ts';
import { tenants } from './tables.ts';

const objectOf = (env: Env, tenantId: number) => env.TENANT.getByName(String(tenantId));

/**
 * Makes a change of a tenant hold everywhere within two seconds. `unavailable` when its object can't be
 * told: the change is in D1 and will hold half a minute later, but the caller must not rely on it yet.
 */
export async function notifyTenantChanged(env: Env, tenantId: number): Promise<Result<void>> {
  const told = await retry(() => objectOf(env, tenantId).reload(tenantId));
  return told ? ok(undefined) : fail('unavailable');
}

/** Where a tenant's catalogue is after a write: its version, and whether stock moved beside it. */
export interface CatalogPosition {
  readonly version: number;
  readonly stockMovedAt: number | null;
}

/** The query for {@link CatalogPosition}: the last statement of a write's batch. */
export const catalogPosition = (db: Database, tenantId: number) =>
  db
    .select({ version: tenants.catalogVersion, stockMovedAt: tenants.stockMovedAt })
    .from(tenants)
    .where(eq(tenants.id, tenantId));

/** Makes a write visible everywhere: within two seconds; within ten where only stock figures changed. */
export async function notifyCatalogMoved(
  env: Env,
  tenantId: number,
  version: number,
  stockMovedAt: number | null = null,
): Promise<void> {
  const told = await retry(() => objectOf(env, tenantId).moved(tenantId, version, stockMovedAt !== null));
  if (!told) console.warn(JSON.stringify({ event: 'tenant_not_told', tenant: tenantId }));
}

/** Stock that moved this long (ms) ago has been followed by a catalogue version, unless that was lost. */
const FOLLOWED_WITHIN_MS = 15_000;
/** So many tenants are looked up in one step. */
const TENANTS_AT_ONCE = 100;

/** The chore that moves the catalogue version of tenants whose object could not be told that stock moved. */
export const followStock: Chore = async ({ env }, { tenantId, after }) => {
  if (tenantId !== undefined) {
    await notifyCatalogMoved(env, tenantId, 0, 1);
    return {};
  }
  const before = now() - FOLLOWED_WITHIN_MS;
  const left = await tenantsWithUnpublishedStock(database(env), before, Number(after ?? 0), TENANTS_AT_ONCE);
  return tenantSteps(
    left.map(({ id }) => id),
    TENANTS_AT_ONCE,
  );
};
