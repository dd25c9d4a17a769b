import type { Context } from 'hono';
import { learnVersion } from '../kernel/cache/new-versions.ts';
import { BoundedMap } from '../kernel/core/bounded-map.ts';
import { isRecent, now } from '../kernel/core/clock.ts';
import { ok, type Result } from '../kernel/core/result.ts';
import { connectingNetwork } from '../kernel/http/client-ip.ts';
import type { App } from '../kernel/http/context.ts';
import { ANONYMOUS_LOOKUPS, NetworkThrottle } from '../kernel/http/network-throttle.ts';
import {
  type CachedTenant,
  cachedTenant,
  includesUcp,
  SlugParam,
  type TenantRow,
  tenantByHost,
  tenantBySlug,
} from '../tenants/index.ts';
import type { UcpTenant } from './context.ts';
import { type Checked, done, fromFailure, refused, tooMany } from './protocol/outcome.ts';

/** How long (ms) an isolate uses a tenant that it has read: changes take effect everywhere within two seconds. */
const MAX_AGE_MS = 1_000;
/** The most tenants that an isolate remembers; the oldest are evicted. */
const MAX_TENANTS = 1_000;

const known = new BoundedMap<string, { readonly readAt: number; readonly found: Checked<UcpTenant> }>(
  MAX_TENANTS,
);

/** The ids of tenants by their slugs, which never change. */
const ids = new BoundedMap<string, number>(MAX_TENANTS);

/** Hosts at which a tenant was found. */
const knownHosts = new BoundedMap<string, true>(MAX_TENANTS);

/** Slugs and hosts that no tenant has, by the network that asked for them: each is looked up in D1. */
const unknownShops = new NetworkThrottle(ANONYMOUS_LOOKUPS);

/** Whether the isolate knows a shop, and how it is found. */
interface ShopLookup {
  readonly isKnown: () => boolean;
  readonly find: () => Promise<Checked<UcpTenant>>;
}

/** Finds a shop; 429 for a network that asks for many that don't exist, unless the isolate knows this one. */
async function findShop(c: Context<App>, { isKnown, find }: ShopLookup): Promise<Checked<UcpTenant>> {
  const network = connectingNetwork(c);
  const wait = isKnown() ? 0 : unknownShops.retryAfter(network);
  if (wait > 0) return tooMany(wait, 'Too many unknown shops were asked for.');
  const found = await find();
  if (!isKnown()) unknownShops.record(network);
  return found;
}

/**
 * Returns the tenant with this slug if agents may buy from it. One call of its object, whose answer the isolate uses
 * for a second; the first one reads D1. A tenant that has not enabled the protocol doesn't exist for agents (404); a
 * suspended one is 403. A network that asks for many that don't exist is 429.
 */
export const servedTenant = (c: Context<App>, slug: string): Promise<Checked<UcpTenant>> =>
  findShop(c, {
    isKnown: () => ids.has(slug),
    // What can be no slug is as long as its sender likes, and would be kept as a key.
    find: async () =>
      SlugParam.safeParse({ slug }).success
        ? recent(`slug:${slug}`, () => readTenant(c.env, slug))
        : fromFailure({ code: 'tenant_not_found' }),
  });

async function readTenant(env: Env, slug: string): Promise<Result<TenantRow | CachedTenant>> {
  const id = ids.get(slug);
  const cached = id === undefined ? null : await cachedTenant(env, id);
  if (cached) return ok(cached);
  const read = await tenantBySlug(env, slug);
  if (read.ok) ids.set(slug, read.value.id);
  return read;
}

/** Like {@link servedTenant}, for the tenant that names this host in its settings (with the port unless it is 443). */
export const tenantAtHost = (c: Context<App>, host: string): Promise<Checked<UcpTenant>> =>
  findShop(c, {
    isKnown: () => knownHosts.has(host),
    find: () => recent(`host:${host}`, () => readTenantAt(c.env, host)),
  });

async function readTenantAt(env: Env, host: string): Promise<Result<TenantRow>> {
  const read = await tenantByHost(env, host);
  if (read.ok) knownHosts.set(host, true);
  return read;
}

/** Returns what the isolate knows under a key, or reads it. */
async function recent(
  key: string,
  read: () => Promise<Result<TenantRow | CachedTenant>>,
): Promise<Checked<UcpTenant>> {
  const readAt = now();
  const last = known.get(key);
  if (last && isRecent(last.readAt, MAX_AGE_MS, readAt)) return last.found;
  const found = served(await read());
  known.set(key, { readAt, found });
  return found;
}

function served(read: Result<TenantRow | CachedTenant>): Checked<UcpTenant> {
  if (!read.ok) return fromFailure(read.failure);
  const { ucp } = read.value.settings;
  if (!ucp?.enabled || !includesUcp(read.value.plan)) {
    return refused(404, 'tenant_not_found', 'This shop does not sell to agents.');
  }
  if (read.value.status === 'suspended') return fromFailure({ code: 'tenant_suspended' });
  learnVersion(read.value.id, read.value.catalogVersion);
  return done({ bookmark: null, ...read.value, ucp });
}
