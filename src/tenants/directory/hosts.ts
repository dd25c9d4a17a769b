import { and, eq, lt, lte, sql } from 'drizzle-orm';
import { log } from '../../kernel/core/log.ts';
import { type Failed, fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import {
  assertInBatch,
  batch,
  directory,
  guardFailed,
  jsonList,
  run,
  type Statement,
} from '../../kernel/data/database.ts';
import { refuseLocalUrls } from '../../kernel/text/local-url.ts';
import { urlRules } from '../../kernel/text/public-url.ts';
import type { Settings, SettingsPatch } from '../schemas.ts';
import { urlFieldsOf } from '../settings/ucp.ts';
import { tenantHosts } from '../tables.ts';

/**
 * The hosts of a tenant's settings for shopping agents, which are unique over all tenants. They are claimed in the
 * directory before the settings are written on the tenant's shard, and settled after; a chore settles what a crash
 * left between.
 */
export interface HostClaim {
  readonly tenantId: number;
  readonly hosts: readonly string[];
  /** When the settings change (ms), later than every change before. */
  readonly at: number;
}

/** Returns the distinct hosts of a tenant's settings. */
export const hostsOf = ({ ucp }: Pick<Settings, 'ucp'>): string[] => [...new Set(ucp?.hosts ?? [])];

/** Returns the statements that claim hosts, and mark those that the tenant may lose. They abort for another's host. */
function claimStatements(env: Env, { tenantId, hosts, at }: HostClaim): Statement[] {
  const db = directory(env);
  const list = jsonList(hosts);
  return [
    assertInBatch(
      db,
      sql`NOT EXISTS (SELECT 1 FROM tenant_hosts WHERE host IN (${list}) AND tenant_id <> ${tenantId})`,
    ),
    db.update(tenantHosts).set({ pendingAt: at }).where(eq(tenantHosts.tenantId, tenantId)),
    run(
      db,
      sql`INSERT INTO tenant_hosts (host, tenant_id, pending_at) SELECT value, ${tenantId}, ${at} FROM (${list})
        WHERE true ON CONFLICT (host) DO NOTHING`,
    ),
  ];
}

/** Claims hosts for a tenant; `host_taken`. */
export async function claimHosts(env: Env, claim: HostClaim): Promise<Result<void>> {
  try {
    await batch(directory(env), claimStatements(env, claim));
    return ok(undefined);
  } catch (error) {
    if (guardFailed(error)) return fail('host_taken');
    throw error;
  }
}

/** Returns the statements that settle a claim: the tenant has these hosts and no others. */
export function settleStatements(env: Env, { tenantId, hosts, at }: HostClaim): Statement[] {
  const db = directory(env);
  const own = and(eq(tenantHosts.tenantId, tenantId), lte(tenantHosts.pendingAt, at));
  const kept = sql`${tenantHosts.host} IN (${jsonList(hosts)})`;
  return [
    db.delete(tenantHosts).where(and(own, sql`NOT ${kept}`)),
    db.update(tenantHosts).set({ pendingAt: null }).where(and(own, kept)),
  ];
}

/** Returns at most `limit` tenants after a tenant id that have claims from before `before` (ms), by id. */
export const unsettledClaims = (
  env: Env,
  before: number,
  { after, limit }: { readonly after: number; readonly limit: number },
) =>
  directory(env)
    .selectDistinct({ tenantId: tenantHosts.tenantId })
    .from(tenantHosts)
    // By when hosts were claimed, and not all hosts by their tenants.
    .where(and(lt(tenantHosts.pendingAt, before), sql`+${tenantHosts.tenantId} > ${after}`))
    .orderBy(sql`+${tenantHosts.tenantId}`)
    .limit(limit);

/** Settles a claim after its settings were committed. Never fails: the chore settles what is left. */
export async function settleHosts(env: Env, claim: HostClaim): Promise<void> {
  try {
    await batch(directory(env), settleStatements(env, claim));
  } catch {
    log('hosts_not_settled', { tenant: claim.tenantId });
  }
}

/**
 * Returns a validation error if settings for agents name a host of this service itself (`API_HOSTS`), or a page on a
 * developer's machine where those aren't allowed (`DEV_ALLOW_LOCAL_URLS`).
 */
export function misplacedUrl(
  env: Env,
  { ucp }: Pick<SettingsPatch, 'ucp'> = {},
  settingsAt: string,
): Failed | null {
  const local = refuseLocalUrls(env, urlFieldsOf(ucp ?? {}, settingsAt));
  if (!local.ok) return local;
  const { ownHosts } = urlRules(env);
  const own = ucp?.hosts?.find((host) => ownHosts.includes(host));
  return own === undefined
    ? null
    : invalid(`${settingsAt}ucp.hosts`, `must not name ${own}, which is this service`);
}
