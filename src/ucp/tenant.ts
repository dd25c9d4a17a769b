import { now } from '../kernel/core/clock.ts';
import { ok, type Result } from '../kernel/core/result.ts';
import {
  type CachedTenant,
  cachedTenant,
  includesUcp,
  type TenantRow,
  tenantByHost,
  tenantBySlug,
} from '../tenants/index.ts';
import type { UcpTenant } from './context.ts';
import { type Checked, done, fromFailure, refused } from './protocol/outcome.ts';

/** How long (ms) an isolate uses a tenant that it has read: changes take effect everywhere within two seconds. */
const MAX_AGE_MS = 1_000;
/** The most tenants that an isolate remembers; the oldest are evicted. */
const MAX_TENANTS = 1_000;

const known = new Map<string, { readonly readAt: number; readonly found: Checked<UcpTenant> }>();

/** The ids of tenants by their slugs, which never change. */
const ids = new Map<string, number>();

/**
 * Returns the tenant with this slug if agents may buy from it. One call of its object, whose answer the isolate uses for
 * a second; the first one reads D1. A tenant that has not enabled the protocol doesn't exist for agents (404); a
 * suspended one is 403.
 */
export const servedTenant = (env: Env, slug: string): Promise<Checked<UcpTenant>> =>
  recent(`slug:${slug}`, () => readTenant(env, slug));

async function readTenant(env: Env, slug: string): Promise<Result<TenantRow | CachedTenant>> {
  const id = ids.get(slug);
  const cached = id === undefined ? null : await cachedTenant(env, id);
  if (cached) return ok(cached);
  const read = await tenantBySlug(env, slug);
  if (read.ok) remember(ids, slug, read.value.id);
  return read;
}

/** Returns the tenant that names this host (with the port unless it is 443) in its settings, as {@link servedTenant} does. */
export const tenantAtHost = (env: Env, host: string): Promise<Checked<UcpTenant>> =>
  recent(`host:${host}`, () => tenantByHost(env, host));

/** Returns what the isolate knows under a key, or reads it. */
async function recent(
  key: string,
  read: () => Promise<Result<TenantRow | CachedTenant>>,
): Promise<Checked<UcpTenant>> {
  const readAt = now();
  const last = known.get(key);
  if (last && readAt - last.readAt < MAX_AGE_MS) return last.found;
  const found = served(await read());
  remember(known, key, { readAt, found });
  return found;
}

/** Sets the entry of a key. Evicts the oldest of {@link MAX_TENANTS}. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key);
  const oldest = entries.size >= MAX_TENANTS ? entries.keys().next().value : undefined;
  if (oldest !== undefined) entries.delete(oldest);
  entries.set(key, value);
}

function served(read: Result<TenantRow | CachedTenant>): Checked<UcpTenant> {
  if (!read.ok) return fromFailure(read.failure);
  const { ucp } = read.value.settings;
  if (!ucp?.enabled || !includesUcp(read.value.plan)) {
    return refused(404, 'tenant_not_found', 'This shop does not sell to agents.');
  }
  if (read.value.status === 'suspended') return fromFailure({ code: 'tenant_suspended' });
  return done({ bookmark: null, ...read.value, ucp });
}
