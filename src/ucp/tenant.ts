import { now } from '../kernel/core/clock.ts';
import { directory } from '../kernel/data/database.ts';
import { includesUcp, tenantBySlug } from '../tenants/index.ts';
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
export async function servedTenant(env: Env, slug: string): Promise<Checked<UcpTenant>> {
  const readAt = now();
  const recent = known.get(slug);
  if (recent && readAt - recent.readAt < MAX_AGE_MS) return recent.found;
  const found = await readTenant(env, slug);
  known.delete(slug);
  const oldest = known.size >= MAX_TENANTS ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  known.set(slug, { readAt, found });
  return found;
}

async function readTenant(env: Env, slug: string): Promise<Checked<UcpTenant>> {
  const read = await tenantBySlug(directory(env), slug);
  if (!read.ok) return fromFailure(read.failure);
  const { ucp } = read.value.settings;
  if (!ucp?.enabled || !includesUcp(read.value.plan)) {
    return refused(404, 'tenant_not_found', 'This shop does not sell to agents.');
  }
  if (read.value.status === 'suspended') return fromFailure({ code: 'tenant_suspended' });
  return done({ ...read.value, ucp });
}
