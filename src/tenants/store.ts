import { and, eq, isNotNull, lt, lte, not, or, sql } from 'drizzle-orm';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import {
  assertInBatch,
  type Bookmark,
  type Bookmarked,
  bookmarked,
  type Database,
  database,
  directory,
  guardFailed,
  jsonList,
  namedBatch,
  type Statement,
  shardDatabase,
} from '../kernel/data/database.ts';
import { settled } from '../kernel/data/fences.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import { askShard } from '../kernel/shards/ask-shard.ts';
import { type Placement, tenantIdOf } from '../kernel/shards/placements.ts';
import type { ShardName } from '../kernel/shards/shard-names.ts';
import {
  applyPatch,
  changesNothing,
  currencyFailure,
  hasProducts,
  type PatchedTenant,
} from './apply-patch.ts';
import { nextVersion } from './clock.ts';
import { claimHosts, type HostClaim, hostsOf, misplacedUrl, settleHosts } from './directory/hosts.ts';
import type { TenantPatch } from './schemas.ts';
import { secretNames, stripeErrors, writeSecrets } from './secrets.ts';
import { type TenantRow, tenantHosts, tenants } from './tables.ts';

/** The part of a tenant that leases depend on. */
export interface TenantState
  extends Pick<TenantRow, 'id' | 'slug' | 'status' | 'plan' | 'currency' | 'currencies' | 'catalogVersion'> {
  /** A position of the tenant's database that has `catalogVersion`; null if unknown. */
  readonly bookmark: Bookmark | null;
  /** Where the tenant's rows are. */
  readonly shard: ShardName;
}

/** Returns the query for a tenant's row, to use in a batch. */
export const tenantQuery = ({ db, tenantId }: TenantDatabase) =>
  db.select().from(tenants).where(eq(tenants.id, tenantId));

/** Returns the tenant with this id, or `null` if there is none. */
export const findTenant = async (ctx: TenantDatabase): Promise<TenantRow | null> =>
  (await tenantQuery(ctx))[0] ?? null;

/** Returns the tenant with this id from its shard, or `null` if there is none. */
export const tenantWithId = (env: Env, tenantId: number): Promise<TenantRow | null> =>
  findTenant({ db: database(env, tenantId), tenantId });

/** Returns the tenant with this id. Throws if there is none. */
export async function requireTenant(ctx: TenantDatabase): Promise<TenantRow> {
  const row = await findTenant(ctx);
  if (!row) throw new Error(`There is no tenant ${ctx.tenantId}`);
  return row;
}

/** The tenants of a page of placements, and those whose shard can't be reached. */
interface PlacedTenants {
  readonly found: readonly TenantRow[];
  readonly unavailable: Pick<Placement, 'slug' | 'shard'>[];
}

/** Returns the tenants of these placements in their order; one query a shard. */
export async function tenantsAt(env: Env, placements: readonly Placement[]): Promise<PlacedTenants> {
  const used = [...new Set(placements.map(({ shard }) => shard))];
  const read = await Promise.all(used.map((shard) => tenantsOn(env, shard, placements)));
  const rows = new Map(read.flatMap((some) => some ?? []).map((row) => [row.id, row]));
  const lost = used.filter((_, n) => read[n] === null);
  return {
    found: placements.flatMap(({ tenantId }) => rows.get(tenantId) ?? []),
    unavailable: placements
      .filter(({ shard }) => lost.includes(shard))
      .map(({ slug, shard }) => ({ slug, shard })),
  };
}

/** Returns the tenants that are placed on a shard; null if it can't be reached. */
function tenantsOn(
  env: Env,
  shard: ShardName,
  placements: readonly Placement[],
): Promise<TenantRow[] | null> {
  const ids = placements.filter((one) => one.shard === shard).map(({ tenantId }) => tenantId);
  return askShard(async () =>
    shardDatabase(env, shard)
      .select()
      .from(tenants)
      .where(sql`${tenants.id} IN (${jsonList(ids)})`),
  );
}

/** Returns the tenant with this slug, or `tenant_not_found`. */
export async function tenantBySlug(env: Env, slug: string): Promise<Result<TenantRow>> {
  const tenantId = await tenantIdOf(env, slug);
  const row = tenantId === null ? null : await tenantWithId(env, tenantId);
  return row ? ok(row) : fail('tenant_not_found');
}

/** Returns the tenant whose settings have a host; `tenant_not_found`. */
export async function tenantByHost(env: Env, host: string): Promise<Result<TenantRow>> {
  const [found] = await directory(env)
    .select({ tenantId: tenantHosts.tenantId })
    .from(tenantHosts)
    .where(eq(tenantHosts.host, host));
  const row = found && (await tenantWithId(env, found.tenantId));
  return row && hostsOf(row.settings).includes(host) ? ok(row) : fail('tenant_not_found');
}

/** The most attempts of an update that conflicts with concurrent updates of the same tenant. */
const MAX_ATTEMPTS = 5;

/** An update of a tenant. */
interface TenantUpdate {
  readonly patch: TenantPatch;
  /** The prefix of error paths in settings: where the request has them. */
  readonly settingsAt: 'settings.' | '';
  /** Whether the stored tenant is the one that the caller has seen; absent for an unconditional update. */
  readonly expected?: (before: TenantRow) => boolean;
}

/**
 * Updates a tenant and its secrets in one batch, and increments the catalogue version; writes nothing if nothing
 * changes. The main currency is fixed once there is a product. Retries on concurrent updates. `precondition_failed` if
 * the stored tenant is not the `expected` one.
 */
export async function patchTenant(
  ctx: TenantContext,
  { patch, settingsAt, expected }: TenantUpdate,
): Promise<Result<TenantRow>> {
  const { env, db, tenantId } = ctx;
  const misplaced = misplacedUrl(env, patch.settings, settingsAt);
  if (misplaced) return misplaced;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const row = await requireTenant(ctx);
    if (expected && !expected(row)) return fail('precondition_failed');
    const fixed = await currencyFailure(ctx, patch, row);
    if (fixed) return fixed;
    const next = applyPatch(row, patch, settingsAt);
    if (!next.ok) return next;
    if (changesNothing(row, next.value, patch)) return ok(row);
    const unpayable = await paymentsFailure(ctx, patch, { slug: row.slug, ...next.value });
    if (unpayable) return unpayable;
    const secrets = await writeSecrets(ctx, row.slug, patch.secrets ?? {});
    const unchanged = and(eq(tenants.id, tenantId), eq(tenants.updatedAt, row.updatedAt));
    const fits = and(unchanged, or(eq(tenants.currency, next.value.currency), not(hasProducts(tenantId))));
    const update = db
      .update(tenants)
      .set({ ...next.value, catalogVersion: nextVersion() })
      .where(unchanged)
      .returning();
    const hosts = patch.settings?.ucp === undefined ? null : claimOf(tenantId, next.value);
    const claimed = hosts && (await claimHosts(env, hosts));
    if (claimed && !claimed.ok) return claimed;
    try {
      const holds = assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${tenants} WHERE ${fits})`);
      const { updated } = await namedBatch(db, { updated: update }, [holds, ...secrets]);
      const [after] = updated;
      if (after) {
        if (hosts) await settleHosts(env, hosts);
        return ok(after);
      }
    } catch (error) {
      if (!guardFailed(error)) throw error;
    }
  }
  return fail('conflict');
}

/** Returns `validation_error` if a patch leaves a provider of payments without the secrets that it needs. */
async function paymentsFailure(
  ctx: TenantContext,
  patch: TenantPatch,
  { slug, settings: { payments } }: PatchedTenant & { readonly slug: string },
): Promise<Result<never> | null> {
  if (patch.settings?.payments === undefined && patch.secrets === undefined) return null;
  const stored = payments === 'stripe' ? await secretNames(ctx) : [];
  const errors = stripeErrors(ctx.env, { slug, payments, stored, patch: patch.secrets });
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : null;
}

const claimOf = (tenantId: number, { settings, updatedAt }: PatchedTenant): HostClaim => ({
  tenantId,
  hosts: hostsOf(settings),
  at: updatedAt,
});

/** Increments the catalogue version if stock changes are unpublished. Returns the current version. */
export const publishStockChanges = (ctx: TenantDatabase): Promise<Bookmarked<number>> =>
  versionAfter(
    ctx,
    ctx.db
      .update(tenants)
      .set({ catalogVersion: nextVersion(), stockMovedAt: null })
      .where(and(eq(tenants.id, ctx.tenantId), isNotNull(tenants.stockMovedAt))),
  );

/** Raises the catalogue version above `known` if it isn't already. Returns the current version. */
export const movePast = (ctx: TenantDatabase, known: number): Promise<Bookmarked<number>> =>
  versionAfter(
    ctx,
    ctx.db
      .update(tenants)
      .set({ catalogVersion: sql`max(${known + 1}, ${nextVersion()})` })
      .where(and(eq(tenants.id, ctx.tenantId), lte(tenants.catalogVersion, known))),
  );

/** Runs an update of the tenant's row. Returns the catalogue version after it. */
async function versionAfter(
  { db, tenantId }: TenantDatabase,
  update: Statement,
): Promise<Bookmarked<number>> {
  const version = db
    .select({ version: tenants.catalogVersion })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  const { value, bookmark } = await bookmarked(db, (session) =>
    namedBatch(session, { rows: version }, [update]),
  );
  return { value: value.rows[0]?.version ?? 0, bookmark };
}

/**
 * Returns the query for tenants whose stock changes before `before` (ms) are still unpublished after a crash.
 */
export const tenantsWithUnpublishedStock = (
  db: Database,
  before: number,
  { after, limit }: { readonly after: number; readonly limit: number },
) =>
  db
    .select({ id: tenants.id })
    .from(tenants)
    // By when stock was moved, and not all tenants by their ids.
    .where(and(lt(tenants.stockMovedAt, before), sql`+${tenants.id} > ${after}`, settled(tenants.id)))
    .orderBy(sql`+${tenants.id}`)
    .limit(limit);
