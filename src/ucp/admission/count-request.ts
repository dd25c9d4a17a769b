import { BoundedMap } from '../../kernel/core/bounded-map.ts';
import { PLANS } from '../../tenants/index.ts';
import type { AgentRequest } from '../context.ts';
import type { Limit } from '../platforms/permit-ledger.ts';
import { directoryOf } from '../platforms/platform-profile.ts';
import { siteOf } from '../platforms/site.ts';
import { fromFailure, type Refused, tooMany } from '../protocol/outcome.ts';
import { PlatformPermits } from './platform-permits.ts';

/** The two budgets of a tenant's agents: of platforms that prove who they are, and of all others. */
type Pool = 'verified' | 'unverified';

/** The most platforms of a pool whose permits an isolate holds; the oldest are evicted, and count as used. */
const MAX_PLATFORMS = 1_000;

/** The permits by tenant and platform, for each pool: unverified platforms evict no permits of verified ones. */
const permitsByPool: Readonly<Record<Pool, BoundedMap<string, PlatformPermits>>> = {
  verified: new BoundedMap(MAX_PLATFORMS),
  unverified: new BoundedMap(MAX_PLATFORMS),
};

function permitsOf(pool: Pool, platform: string): PlatformPermits {
  const known = permitsByPool[pool].get(platform);
  if (known) return known;
  const fresh = new PlatformPermits();
  permitsByPool[pool].set(platform, fresh);
  return fresh;
}

/**
 * Returns the limits of a platform's requests in a minute. A tenant's agents share a budget as large as that of one
 * application of its plan; a platform, which is all hosts of a domain, may use half of it. Unverified requests have a
 * budget of their own, half as large, so that an impostor can't use up the requests of the platform it names.
 */
function limitsOf({ tenant }: AgentRequest, pool: Pool, site: string): readonly Limit[] {
  const share = pool === 'verified' ? 1 : 0.5;
  const most = PLANS[tenant.plan].requestsPerMinute * share;
  return [
    { key: pool, most: Math.floor(most) },
    { key: `${pool} ${site}`, most: Math.floor(most / 2) },
  ];
}

/**
 * Counts a platform's request, from a lease of permits. Returns 429 if a limit is reached, 503 if no permit could be
 * had, else null.
 */
export async function countRequest(request: AgentRequest, isVerified: boolean): Promise<Refused | null> {
  const { ctx, tenant, profile } = request;
  const pool = isVerified ? 'verified' : 'unverified';
  const site = siteOf(profile);
  const permits = permitsOf(pool, `${tenant.id} ${site}`);
  if (isVerified) permits.markVerified(profile);
  try {
    const wait = await permits.take({
      limits: limitsOf(request, pool, site),
      lease: async (permitRequest) => await directoryOf(ctx).lease(permitRequest),
      waitUntil: (call) => ctx.ctx.waitUntil(call),
    });
    if (wait === null) return null;
    return tooMany(Math.max(1, Math.ceil(wait / 1_000)), 'Too many requests this minute.');
  } catch {
    return fromFailure({ code: 'unavailable' });
  }
}
