import { now } from '../kernel/core/clock.ts';
import type { Result } from '../kernel/core/result.ts';
import { directory } from '../kernel/data/database.ts';
import { includesUcp, type TenantRow, tenantByHost, tenantBySlug } from '../tenants/index.ts';
import type { UcpTenant } from './context.ts';
import { type Checked, done, fromFailure, refused } from './protocol/outcome.ts';

/** How long (ms) an isolate uses a tenant that it has read: changes take effect everywhere within two seconds. */
const MAX_AGE_MS = 1_000;
/** The most tenants that an isolate remembers; the oldest are evicted. */
const MAX_TENANTS = 1_000;

const known = new Map<string, { readonly readAt: number; readonly found: Checked<UcpTenant> }>();

/**
 * Returns the tenant with this slug if agents may buy from it. One D1 read, which the isolate remembers for a second.
 * A tenant that has not enabled the protocol doesn't exist for agents (404); a suspended one is 403.
 */
export const servedTenant = (env: Env, slug: string): Promise<Checked<UcpTenant>> =>
  recent(`slug:${slug}`, () => tenantBySlug(directory(env), slug));

/** Returns the tenant that names this host (with the port unless it is 443) in its settings, as {@link servedTenant} does. */
export const tenantAtHost = (env: Env, host: string): Promise<Checked<UcpTenant>> =>
  recent(`host:${host}`, () => tenantByHost(env, host));

/** Returns what the isolate knows under a key, or reads it. */
async function recent(key: string, read: () => Promise<Result<TenantRow>>): Promise<Checked<UcpTenant>> {
  const readAt = now();
  const last = known.get(key);
  if (last && readAt - last.readAt < MAX_AGE_MS) return last.found;
  const found = served(await read());
  known.delete(key);
  const oldest = known.size >= MAX_TENANTS ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  known.set(key, { readAt, found });
  return found;
}

function served(read: Result<TenantRow>): Checked<UcpTenant> {
  if (!read.ok) return fromFailure(read.failure);
  const { ucp } = read.value.settings;
  if (!ucp?.enabled || !includesUcp(read.value.plan)) {
    return refused(404, 'tenant_not_found', 'This shop does not sell to agents.');
  }
  if (read.value.status === 'suspended') return fromFailure({ code: 'tenant_suspended' });
  return done({ ...read.value, ucp });
}
