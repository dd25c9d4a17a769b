import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Failed, fail } from '../kernel/core/result.ts';
import { database, run, type Statement, violation } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { tenantIdOf } from '../kernel/shards/placements.ts';
import { formatQuota, PLANS, QUOTA_NAMES, QUOTAS, type Quota } from './plans.ts';
import { quotaCounts, tenants } from './tables.ts';

/**
 * Returns the statement that aborts its batch if the tenant is over this quota; {@link isOverQuota}
 * recognizes the error. Put it after the inserts. Omit it from batches that insert nothing, so that a tenant
 * over its quota can still change existing resources.
 */
export const withinQuota = ({ db, tenantId }: TenantDatabase, quota: Quota): Statement => {
  const limits = sql.join(
    Object.entries(PLANS).map(([plan, { quotas }]) => sql`WHEN ${plan} THEN ${quotas[quota]}`),
    sql` `,
  );
  return run(
    db,
    sql`UPDATE ${quotaCounts} SET exceeded = total > (SELECT CASE plan ${limits} END FROM tenants WHERE id = ${tenantId})
      WHERE tenant_id = ${tenantId} AND quota = ${quota}`,
  );
};

/** Returns whether {@link withinQuota} aborted the batch. */
export const isOverQuota = (error: unknown): boolean => violation(error)?.name === 'within_quota';

/** The names of the counted resources in error messages. */
const COUNTED: Readonly<Record<Quota, string>> = { ...QUOTA_NAMES, products: 'products and variants' };

/** Returns `quota_exceeded` with the quota and the limit of the tenant's plan. */
export async function quotaExceeded({ db, tenantId }: TenantDatabase, quota: Quota): Promise<Failed> {
  const [tenant] = await db.select({ plan: tenants.plan }).from(tenants).where(eq(tenants.id, tenantId));
  const limit = tenant ? PLANS[tenant.plan].quotas[quota] : 0;
  const message = `The plan allows no more than ${formatQuota(quota, limit)} ${COUNTED[quota]}.`;
  return fail('quota_exceeded', { message, details: { quota, limit } });
}

/** Returns how much more of a counted resource a tenant's plan allows by now; below 0 if it has more than that. */
export async function quotaLeft({ db, tenantId }: TenantDatabase, quota: Quota): Promise<number> {
  const [row] = await db
    .select({ plan: tenants.plan, total: quotaCounts.total })
    .from(tenants)
    .leftJoin(quotaCounts, and(eq(quotaCounts.tenantId, tenants.id), eq(quotaCounts.quota, quota)))
    .where(eq(tenants.id, tenantId));
  return row ? PLANS[row.plan].quotas[quota] - (row.total ?? 0) : 0;
}

/** Returns the expression for how much of a counted resource a tenant has, which reads one row. */
export const quotaUsed = (tenantId: number, quota: Quota): SQL<number> =>
  sql<number>`coalesce((SELECT total FROM ${quotaCounts} WHERE tenant_id = ${tenantId} AND quota = ${quota}), 0)`;

const countsOf = ({ db, tenantId }: TenantDatabase) =>
  db
    .select({ quota: quotaCounts.quota, total: quotaCounts.total })
    .from(quotaCounts)
    .where(eq(quotaCounts.tenantId, tenantId));

/** Returns how much of each quota the tenant with a slug uses; nothing if there is none. */
export async function quotasUsed(env: Env, slug: string): Promise<Readonly<Record<Quota, number>>> {
  const tenantId = await tenantIdOf(env, slug);
  const rows = tenantId === null ? [] : await countsOf({ db: database(env, tenantId), tenantId });
  const used = (quota: Quota): number => rows.find((row) => row.quota === quota)?.total ?? 0;
  // QUOTAS has every key of the record.
  return Object.fromEntries(QUOTAS.map((quota) => [quota, used(quota)])) as Record<Quota, number>;
}
