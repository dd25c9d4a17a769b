import { and, eq, isNotNull, lt, lte, sql } from 'drizzle-orm';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import {
  type Bookmark,
  type Bookmarked,
  bookmarked,
  type Database,
  database,
  directory,
  jsonList,
  namedBatch,
  type Statement,
  shardDatabase,
} from '../kernel/data/database.ts';
import { settled } from '../kernel/data/fences.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { askShard } from '../kernel/shards/ask-shard.ts';
import { type Placement, tenantIdOf } from '../kernel/shards/placements.ts';
import type { ShardName } from '../kernel/shards/shard-names.ts';
import { nextVersion } from './clock.ts';
import { hostsOf } from './directory/hosts.ts';
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
