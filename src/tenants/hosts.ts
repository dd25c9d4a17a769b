import { eq, sql } from 'drizzle-orm';
import { type Failed, fail, invalid, type Result } from '../kernel/core/result.ts';
import { type Database, directory, run, type Statement, violation } from '../kernel/data/database.ts';
import { refuseLocalUrls } from '../kernel/text/local-url.ts';
import { urlRules } from '../kernel/text/public-url.ts';
import type { SettingsPatch } from './schemas.ts';
import { urlFieldsOf } from './settings/ucp.ts';
import { type TenantRow, tenantHosts, tenants } from './tables.ts';

/**
 * Returns the statements that give a tenant the hosts of its settings for shopping agents, and take the others from it;
 * none unless the patch has those settings. A host of another tenant aborts their batch; see {@link hostTaken}.
 */
export function writeHosts(
  db: Database,
  slug: string,
  { ucp }: Pick<SettingsPatch, 'ucp'> = {},
): Statement[] {
  if (ucp === undefined) return [];
  const owner = sql`(SELECT id FROM tenants WHERE slug = ${slug})`;
  return [
    db.delete(tenantHosts).where(eq(tenantHosts.tenantId, owner)),
    run(
      db,
      sql`INSERT INTO tenant_hosts (host, tenant_id)
        SELECT DISTINCT value, ${owner} FROM json_each(${JSON.stringify(ucp.hosts ?? [])})`,
    ),
  ];
}

/** Returns `host_taken` if a batch was aborted because a host is another tenant's. */
export const hostTaken = (error: unknown): Result<never> | null =>
  violation(error)?.name.startsWith('tenant_hosts') ? fail('host_taken') : null;

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

/** Returns the tenant that has a host; `tenant_not_found`. */
export async function tenantByHost(env: Env, host: string): Promise<Result<TenantRow>> {
  const [found] = await directory(env)
    .select({ tenant: tenants })
    .from(tenantHosts)
    .innerJoin(tenants, eq(tenants.id, tenantHosts.tenantId))
    .where(eq(tenantHosts.host, host));
  return found ? { ok: true, value: found.tenant } : fail('tenant_not_found');
}
