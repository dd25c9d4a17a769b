import { PLANS } from '../../tenants/index.ts';
import { directoryOf } from '../platforms/platform-profile.ts';
import type { Limit } from '../platforms/request-counter.ts';
import { type Refused, refused } from '../protocol/outcome.ts';
import type { AgentRequest } from './admit.ts';

/**
 * Returns the limits of a platform's requests in a minute. A tenant's agents together have as many as one
 * application of its plan, in a budget of their own; a platform has at most half of it. Whoever proves nothing is
 * counted apart, with half of that, so that nobody uses up the requests of a platform whose name he uses.
 */
function limitsOf({ tenant, profile }: AgentRequest, isVerified: boolean): readonly Limit[] {
  const share = isVerified ? 1 : 0.5;
  const most = PLANS[tenant.plan].requestsPerMinute * share;
  const pool = isVerified ? 'verified' : 'unverified';
  return [
    { key: pool, most: Math.floor(most) },
    { key: `${pool} ${new URL(profile).origin}`, most: Math.floor(most / 2) },
  ];
}

/** Counts a platform's request. Returns 429 if a limit is reached, 503 if it can't be counted, else null. */
export async function countRequest(request: AgentRequest, isVerified: boolean): Promise<Refused | null> {
  const counted = { limits: limitsOf(request, isVerified), verified: isVerified ? request.profile : null };
  try {
    const wait = await directoryOf(request.ctx).count(counted);
    if (wait === null) return null;
    const retryAfter = Math.max(1, Math.ceil(wait / 1_000));
    return refused(429, 'rate_limited', 'Too many requests this minute.', { retryAfter });
  } catch {
    return refused(503, 'unavailable', 'The service cannot answer right now; try again.', { retryAfter: 1 });
  }
}
