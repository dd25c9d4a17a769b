import type { Context } from 'hono';
import { entityTag, etagMatches } from '../../kernel/cache/cached-body.ts';
import { tenantContext } from '../../kernel/data/tenant-context.ts';
import type { App } from '../../kernel/http/context.ts';
import { respond } from '../../kernel/http/response.ts';
import type { UcpTenant } from '../context.ts';
import { signingKeys } from '../keys/signing-keys.ts';
import { businessProfile } from './business-profile.ts';

/** How long platforms use a profile without asking again (s). The protocol demands at least 60. */
export const PROFILE_MAX_AGE_S = 300;

/** Responds with a tenant's business profile, or with 304 if the platform has it. */
export async function respondProfile(c: Context<App>, tenant: UcpTenant): Promise<Response> {
  const runtime = { env: c.env, ctx: c.executionCtx };
  const keys = await signingKeys(tenantContext(runtime, tenant.id));
  const body = JSON.stringify(businessProfile(tenant, new URL(c.req.url).origin, keys));
  const etag = entityTag(body);
  const headers = { ETag: etag, 'Cache-Control': `public, max-age=${PROFILE_MAX_AGE_S}` };
  return etagMatches(c.req.header('if-none-match'), etag)
    ? respond(c, null, { status: 304, headers })
    : respond(c, body, { status: 200, headers: { ...headers, 'Content-Type': 'application/json' } });
}
