import { inTurn } from '../kernel/async/memory-turns.ts';
import { isRecent, now } from '../kernel/core/clock.ts';
import { hmac, namingKeyVersion } from '../kernel/crypto/crypto.ts';
import { locationHint } from '../kernel/data/location-hint.ts';
import { type Runtime, tenantContext } from '../kernel/data/tenant-context.ts';
import type { Caller } from '../kernel/http/context.ts';
import { fieldErrors } from '../kernel/http/problem.ts';
import { RECHECK_AFTER_MS } from '../kernel/input/body.ts';
import { canonicalJson } from '../kernel/text/canonical-json.ts';
import { PLANS, storefrontUrl } from '../tenants/index.ts';
import { type Admitted, admit } from './admission/admit.ts';
import type { IdempotencyClaim, UcpContext, UcpTenant } from './context.ts';
import { type Envelope, envelope, rejectionBody } from './protocol/envelope.ts';
import { type Negotiation, negotiate, unsupportedVersion } from './protocol/negotiate.ts';
import type { Operation } from './protocol/operation.ts';
import {
  type Checked,
  fromFailure,
  type Refused,
  refused,
  rejected,
  type UcpResult,
} from './protocol/outcome.ts';
import { kindOf } from './response-memory.ts';

/** A request for an operation, as a transport has read it. */
export interface OperationRequest extends Runtime {
  readonly tenant: UcpTenant;
  /** Returns the tenant as it is now, or why it is not served any more. */
  readonly currentTenant: () => Promise<Checked<UcpTenant>>;
  readonly operation: Operation;
  /** The URI of the agent's profile. */
  readonly profile: string;
  readonly request: Request;
  /** The bytes of the request's body. */
  readonly body: Uint8Array;
  /** The id of the resource; empty without one. */
  readonly id: string;
  /** Returns the payload, once the agent is admitted. */
  readonly payload: () => Checked<unknown>;
  readonly key: string | undefined;
}

/** The response of an operation: a body with the envelope, or a protocol error. */
export type OperationResponse =
  | { readonly ok: true; readonly body: { readonly ucp: Envelope }; readonly created: boolean }
  | Refused;

/**
 * Performs an operation for an agent: admits it, negotiates capabilities, validates the payload, runs the action and
 * adds the envelope. Whatever leaves the buyer without a next step continues at the storefront.
 */
export async function perform(request: OperationRequest): Promise<OperationResponse> {
  const { operation, tenant } = request;
  const { capability } = operation.spec;
  const storefront = storefrontUrl(tenant.settings);
  const admitted = await admitAgent(request);
  if (!admitted.ok) return { ok: false, error: { continueUrl: storefront, ...admitted.error } };
  const negotiated = negotiate(admitted.value.platform);
  const result = negotiated.has(capability)
    ? await actInTurn(request, contextOf(request, admitted.value, negotiated))
    : rejected(
        'capabilities_incompatible',
        `The platform's profile has no supported version of ${capability}.`,
      );
  if (!result.ok && 'error' in result) return result;
  const ucp = envelope(result.ok ? 'success' : 'error', negotiated, capability);
  return result.ok
    ? { ok: true, body: { ucp, ...result.value }, created: operation.spec.created === true }
    : { ok: true, body: rejectionBody(ucp, result, storefront), created: false };
}

/** No memory for a response came in time. */
const UNAVAILABLE = fromFailure({ code: 'unavailable' });

/**
 * Runs the action, that of a read once the isolate has memory for its response. After a wait, the tenant is checked again:
 * it may be suspended by then.
 */
async function actInTurn(request: OperationRequest, ctx: UcpContext): Promise<UcpResult> {
  const { name, identity } = request.operation.spec;
  if (identity === 'required') return act(request, ctx);
  const since = now();
  const checked = async () => {
    const tenant = isRecent(since, RECHECK_AFTER_MS) ? null : await request.currentTenant();
    return tenant?.ok === false ? tenant : act(request, ctx);
  };
  return (await inTurn(kindOf({ tenantId: ctx.tenantId, operation: name }), checked)) ?? UNAVAILABLE;
}

/** Admits the agent, if its platform speaks the protocol's version. */
async function admitAgent(request: OperationRequest): Promise<Checked<Admitted>> {
  const { tenant, profile, operation, body } = request;
  const { method, url, headers } = request.request;
  const admitted = await admit({
    ctx: tenantContext(request, tenant.id),
    tenant,
    profile,
    http: { method, url, headers, body },
    identity: operation.spec.identity,
  });
  return admitted.ok ? (unsupportedVersion(admitted.value.platform.version) ?? admitted) : admitted;
}

/** Validates the key and the payload, and runs the action. */
async function act(request: OperationRequest, ctx: UcpContext): Promise<UcpResult> {
  const { operation, id, key } = request;
  const { name, input } = operation.spec;
  if (key !== undefined && (key.length < 1 || key.length > 255)) {
    return refused(400, 'invalid_request', 'An idempotency key has 1 to 255 characters.');
  }
  const payload = request.payload();
  if (!payload.ok) return payload;
  const valid = input.safeParse(payload.value);
  if (!valid.success) return invalidInput(fieldErrors(valid.error, 'body'));
  const once: IdempotencyClaim | null =
    key === undefined || operation.spec.key === 'none'
      ? null
      : { key, digest: fingerprint(request, canonicalJson([name, id, payload.value])) };
  return operation.action({ ...ctx, once }, { id, input: valid.data });
}

/** Returns a keyed digest: of what an agent sends, such as a credential, nothing can be guessed from it. */
const fingerprint = ({ env }: OperationRequest, text: string): string =>
  Buffer.from(hmac({ env, version: namingKeyVersion(env), purpose: 'ucp-fingerprint' }, text)).toString(
    'hex',
  );

/** The most fields that an error names. */
const MAX_FIELDS = 10;

function invalidInput(errors: Readonly<Record<string, readonly string[]>>): Refused {
  const fields = Object.entries(errors).map(([field, messages]) => `${field} ${messages[0]}`);
  return refused(
    400,
    'invalid_request',
    `The input is not valid: ${fields.slice(0, MAX_FIELDS).join('; ')}.`,
  );
}

const contextOf = (
  request: OperationRequest,
  { agent, platform }: Admitted,
  negotiated: Negotiation,
): UcpContext => ({
  ...tenantContext(request, request.tenant.id, { kind: 'shopper' }),
  near: locationHint(request.request),
  tenant: request.tenant,
  agent,
  platform,
  negotiated,
  caller: callerOf(request.tenant),
  origin: new URL(request.request.url).origin,
  once: null,
});

/** Returns the tenant as a caller that may read its catalogue and sell, with application id 0, which no token has. */
const callerOf = ({ id, plan, currency, currencies, catalogVersion, bookmark }: UcpTenant): Caller => ({
  tenantId: id,
  applicationId: 0,
  serverSide: true,
  scopes: new Set(['catalog:read', 'cart:read', 'cart:write', 'checkout:write']),
  features: new Set(PLANS[plan].features),
  registrationsPerMinute: PLANS[plan].registrationsPerMinute,
  currency,
  currencies,
  catalogVersion,
  bookmark,
});
