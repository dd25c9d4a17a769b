import type { Context } from 'hono';
import { entityTag, etagMatches } from '../../kernel/cache/cached-body.ts';
import { BoundedMap } from '../../kernel/core/bounded-map.ts';
import { isRecent, now } from '../../kernel/core/clock.ts';
import { tenantContext } from '../../kernel/data/tenant-context.ts';
import type { App } from '../../kernel/http/context.ts';
import { respond } from '../../kernel/http/response.ts';
import type { UcpTenant } from '../context.ts';
import { signingKeys } from '../keys/signing-keys.ts';
import type { PublicKey } from '../signatures/jwk.ts';
import { businessProfile } from './business-profile.ts';

/** How long platforms use a profile without asking again (s). The protocol demands at least 60. */
const PROFILE_MAX_AGE_S = 300;

/** How long (ms) an isolate reuses keys that it has read: profiles are public, and requests may miss every cache. */
const KEYS_MAX_AGE_MS = 1_000;
/** The most tenants whose keys an isolate remembers; the oldest are evicted. */
const MAX_TENANTS = 1_000;

const known = new BoundedMap<number, { readonly readAt: number; readonly keys: readonly PublicKey[] }>(
  MAX_TENANTS,
);

async function keysOf(c: Context<App>, { id }: UcpTenant): Promise<readonly PublicKey[]> {
  const readAt = now();
  const last = known.get(id);
  if (last && isRecent(last.readAt, KEYS_MAX_AGE_MS, readAt)) return last.keys;
  const keys = await signingKeys(tenantContext({ env: c.env, ctx: c.executionCtx }, id));
  known.set(id, { readAt, keys });
  return keys;
}

/** Responds with a tenant's business profile, or with 304 if the platform has it. */
export async function respondProfile(c: Context<App>, tenant: UcpTenant): Promise<Response> {
  const keys = await keysOf(c, tenant);
  const body = JSON.stringify(businessProfile(tenant, new URL(c.req.url).origin, keys));
  const etag = entityTag(body);
  const headers = { ETag: etag, 'Cache-Control': `public, max-age=${PROFILE_MAX_AGE_S}` };
  return etagMatches(c.req.header('if-none-match'), etag)
    ? respond(c, null, { status: 304, headers })
    : respond(c, body, { status: 200, headers: { ...headers, 'Content-Type': 'application/json' } });
}
