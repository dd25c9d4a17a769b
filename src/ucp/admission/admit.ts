import { admitToken, bearer, originAllowed } from '../../access/index.ts';
import { networkOf } from '../../kernel/http/client-ip.ts';
import { ANONYMOUS_LOOKUPS, NetworkThrottle, networkKey } from '../../kernel/http/network-throttle.ts';
import { asUri } from '../../kernel/text/uri.ts';
import type { Agent, AgentRequest } from '../context.ts';
import { isRemembered, platformProfile } from '../platforms/platform-profile.ts';
import type { PlatformProfile } from '../platforms/profile-document.ts';
import { type Checked, done, fromFailure, refused, tooMany } from '../protocol/outcome.ts';
import { isSigned } from '../signatures/verify.ts';
import { checkSignature, signatureRefusal } from './check-signature.ts';
import { countRequest } from './count-request.ts';

/** An agent that may call, with its platform's profile. */
export interface Admitted {
  readonly agent: Agent;
  readonly platform: PlatformProfile;
}

/**
 * Admits an agent. With an application token the application must be of kind `agent` and bound to the profile; else
 * the platform proves by a signature that it calls. A signature is verified wherever there is one. An agent without
 * proof may only call operations that need no identity. Counted in the application's limit, or in those of the
 * platform.
 */
export const admit = (request: AgentRequest): Promise<Checked<Admitted>> => {
  const token = tokenOf(request.http.headers);
  return token === '' ? admitPlatform(request) : admitApplication(request, token);
};

/** Returns the application token of `Authorization: Bearer` or `X-API-Key`, or "". */
const tokenOf = (headers: Headers): string =>
  bearer(headers.get('authorization') ?? undefined) || (headers.get('x-api-key') ?? '').trim();

/** Refused requests of platforms unknown to the isolate, by tenant and network: each asks the tenant's object. */
const unknownPlatforms = new NetworkThrottle(ANONYMOUS_LOOKUPS);

async function admitPlatform(request: AgentRequest): Promise<Checked<Admitted>> {
  const { ctx, tenant, profile, http, identity } = request;
  const isClaimed = isSigned(http.headers);
  if (!isClaimed && identity === 'required') return signatureRefusal('signature_missing');
  if (isRemembered(ctx, profile)) return proveAndCount(request, isClaimed);
  const network = networkOf(http.headers.get('cf-connecting-ip') ?? '');
  const source = networkKey(network ?? '', String(tenant.id));
  const wait = unknownPlatforms.retryAfter(source);
  if (wait > 0) return tooMany(wait, 'Too many unknown platforms of this network.');
  const result = await proveAndCount(request, isClaimed);
  if (!result.ok) unknownPlatforms.record(source);
  return result;
}

/** Verifies a claimed signature, and counts the request. */
async function proveAndCount(request: AgentRequest, isClaimed: boolean): Promise<Checked<Admitted>> {
  const { ctx, profile } = request;
  const refusal = isClaimed ? null : await countRequest(request, false);
  if (refusal) return refusal;
  const platform = await platformProfile(ctx, profile);
  if (!platform.ok) return platform;
  if (!isClaimed) return done(admitted(request, platform.value, null));
  const signed = await checkSignature(request, platform.value);
  const limited = await countRequest(request, signed.ok);
  if (limited) return limited;
  if (!signed.ok) return signed;
  const { keyId } = signed.value;
  return done(admitted(request, signed.value.platform, { kind: 'signature', keyId }));
}

async function admitApplication(request: AgentRequest, token: string): Promise<Checked<Admitted>> {
  const { ctx, tenant, profile, http } = request;
  const admission = await admitToken(ctx, token, http.method === 'GET');
  if (!admission.ok) return fromFailure(admission.failure);
  const { tenantId, applicationId, agentProfile, origins } = admission.principal;
  if (tenantId !== tenant.id) return fromFailure({ code: 'unauthorized' });
  if (!originAllowed(origins, http.headers.get('origin') ?? undefined)) {
    return fromFailure({ code: 'origin_not_allowed' });
  }
  if (agentProfile !== asUri(profile)) {
    return refused(403, 'profile_not_trusted', 'The token is not bound to the profile that UCP-Agent names.');
  }
  const platform = await platformProfile(ctx, profile, { trusted: true });
  if (!platform.ok) return platform;
  const signed = isSigned(http.headers) ? await checkSignature(request, platform.value) : null;
  if (signed && !signed.ok) return signed;
  return done(
    admitted(request, signed?.value.platform ?? platform.value, { kind: 'application', applicationId }),
  );
}

const admitted = (
  { profile }: AgentRequest,
  platform: PlatformProfile,
  identity: Agent['identity'],
): Admitted => ({ agent: { profile, identity }, platform });
