import { eq } from 'drizzle-orm';
import { retry } from '../../kernel/async/retry.ts';
import { now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { type Chore, MAX_TENANTS_PER_STEP, tenantSteps } from '../../kernel/data/chore.ts';
import { shardDatabase } from '../../kernel/data/database.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { learnShard } from '../../kernel/shards/shard-map.ts';
import type { ShardName } from '../../kernel/shards/shard-names.ts';
import { advanceVersion } from '../clock.ts';
import { tenantsWithUnpublishedStock } from '../store.ts';
import { tenants } from '../tables.ts';
import type { CachedTenant, CatalogMove } from './tenant.ts';

const objectOf = (env: Env, tenantId: number) => tenantObject(env.TENANT, { tenantId });

/**
 * Makes a committed change of a tenant take effect everywhere within two seconds. `unavailable` if its object
 * can't be reached; the change then takes effect within half a minute.
 */
export async function notifyTenantChanged(env: Env, tenantId: number): Promise<Result<void>> {
  const notified = await retry(() => objectOf(env, tenantId).reload(tenantId));
  return notified ? ok(undefined) : fail('unavailable');
}

/**
 * Announces everywhere within two seconds that a tenant's rows are on another shard. Raises the catalogue version
 * there first, so that no earlier copy counts as current. Throws if the tenant's object can't be reached.
 */
export async function announceMove(env: Env, tenantId: number, shard: ShardName): Promise<void> {
  await advanceVersion({ db: shardDatabase(env, shard), tenantId });
  await rememberShard(env, tenantId, shard);
}

/** Tells the tenant's object on which shard the rows are. Throws if the object can't be reached. */
export async function rememberShard(env: Env, tenantId: number, shard: ShardName): Promise<void> {
  learnShard(tenantId, shard);
  await demand(() => objectOf(env, tenantId).moveTo(tenantId, shard));
}

/**
 * Makes the tenant's object ask the directory for each lease until {@link rememberShard}, because a move is about to
 * switch the tenant. Throws if the object can't be reached.
 */
export const expectSwitch = (env: Env, tenantId: number): Promise<void> =>
  demand(() => objectOf(env, tenantId).expectSwitch());

async function demand(call: () => Promise<unknown>): Promise<void> {
  if (!(await retry(call))) throw new Error("The tenant's object can't be reached");
}

/**
 * Returns a tenant with its settings, as its object knows it: every committed change is in it. Null if there is no such
 * tenant, or its object can't be reached.
 */
export async function cachedTenant(env: Env, tenantId: number): Promise<CachedTenant | null> {
  try {
    return await objectOf(env, tenantId).row(tenantId);
  } catch {
    return null;
  }
}

/** A tenant's catalogue after a write: its version, and when stock changed that no version covers (ms). */
export interface CatalogPosition {
  readonly version: number;
  readonly stockMovedAt: number | null;
}

/** Returns the query for {@link CatalogPosition}. It must come last in the write's batch. */
export const catalogPosition = ({ db, tenantId }: TenantDatabase) =>
  db
    .select({ version: tenants.catalogVersion, stockMovedAt: tenants.stockMovedAt })
    .from(tenants)
    .where(eq(tenants.id, tenantId));

/** Returns the version in the result of {@link catalogPosition}; 0 if there is no such tenant. */
export const versionOf = ([position]: readonly Pick<CatalogPosition, 'version'>[]): number =>
  position?.version ?? 0;

/** Makes a write visible everywhere within two seconds, or within ten if only stock changed. Never fails. */
export async function notifyCatalogMoved(env: Env, tenantId: number, move: CatalogMove): Promise<void> {
  const notified = await retry(() => objectOf(env, tenantId).catalogMoved(tenantId, move));
  if (!notified) log('tenant_not_notified', { tenant: tenantId });
}

/**
 * Stock changes older than this (ms) without a catalogue version were not announced to the tenant's object.
 */
const UNPUBLISHED_AFTER_MS = 15_000;

/** Chore that publishes stock changes which were not announced to the tenant's object. */
export const followStock: Chore = async ({ env, db }, { tenantId, after }) => {
  if (tenantId !== undefined) {
    await notifyCatalogMoved(env, tenantId, { version: 0, stockMoved: true, bookmark: null });
    return {};
  }
  const before = now() - UNPUBLISHED_AFTER_MS;
  const page = { after: Number(after ?? 0), limit: MAX_TENANTS_PER_STEP };
  const left = await tenantsWithUnpublishedStock(db, before, page);
  return tenantSteps(left.map(({ id }) => id));
};
