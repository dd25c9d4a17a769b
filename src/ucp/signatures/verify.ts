import { DAY, MINUTE, now } from '../../kernel/core/clock.ts';
import { digestMatches } from './content-digest.ts';
import { type PublicKey, verifyingKey } from './jwk.ts';
import { type SignedRequest, signatureBase } from './signature-base.ts';
import {
  type Dictionary,
  type InnerList,
  integerValue,
  isInnerList,
  type Parameters,
  parseDictionary,
  stringValue,
} from './structured-fields.ts';

/** Why a signature is refused, as the protocol names it. */
export type SignatureError =
  | 'signature_missing'
  | 'signature_invalid'
  | 'key_not_found'
  | 'digest_mismatch'
  | 'algorithm_unsupported';

/** A verified signature, or the first reason against it. */
export type Verified =
  | { readonly ok: true; readonly keyId: string }
  | { readonly ok: false; readonly code: SignatureError };

/** How far (ms) a signer's clock may be ahead. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE;
/**
 * How old (ms) a signature with `created` may be. An Idempotency-Key is remembered for a day after its request arrived, which
 * may be {@link MAX_CLOCK_SKEW_MS} before `created`: so a replayed request never runs again. The parameter is optional in
 * UCP.
 */
export const MAX_SIGNATURE_AGE_MS = DAY - MAX_CLOCK_SKEW_MS;
/** Upper bound of the signatures of one request that are looked at. */
const MAX_SIGNATURES = 4;

/** A request with its body's bytes, as they arrived. */
export interface ReceivedRequest extends SignedRequest {
  readonly body: Uint8Array;
}

/** A signature of a request: what it covers, and its bytes. */
interface Signature {
  readonly keyId: string;
  readonly covered: InnerList;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const refused = (code: SignatureError): Verified => ({ ok: false, code });

/** Returns whether a request claims to be signed: it has either field. */
export const isSigned = (headers: Headers): boolean =>
  headers.has('signature') || headers.has('signature-input');

/**
 * Verifies a request's HTTP Message Signature (RFC 9421) with the signer's published keys: one signature must
 * cover everything that UCP demands, and must be of a known key, in time, and over these exact bytes.
 */
export async function verifyRequest(request: ReceivedRequest, keys: readonly PublicKey[]): Promise<Verified> {
  const { headers } = request;
  if (!headers.get('signature') || !headers.get('signature-input')) return refused('signature_missing');
  const signatures = signaturesOf(headers);
  if (!signatures) return refused('signature_invalid');
  let first: Verified | null = null;
  for (const signature of signatures) {
    const verified = await verifySignature(request, signature, keys);
    if (verified.ok) return verified;
    first ??= verified;
  }
  return first ?? refused('signature_missing');
}

async function verifySignature(
  request: ReceivedRequest,
  { keyId, covered, bytes }: Signature,
  keys: readonly PublicKey[],
): Promise<Verified> {
  const jwk = keys.find(({ kid }) => kid === keyId);
  if (!jwk) return refused('key_not_found');
  const key = await verifyingKey(jwk);
  if (!key) return refused('algorithm_unsupported');
  const alg = covered.parameters.get('alg');
  if (alg && stringValue(alg) !== key.name) return refused('algorithm_unsupported');
  if (!coversAll(request, covered) || !isTimely(covered.parameters)) return refused('signature_invalid');
  const hasDigest = request.body.byteLength > 0 || request.headers.has('content-digest');
  if (hasDigest && !digestMatches(request.headers.get('content-digest'), request.body)) {
    return refused('digest_mismatch');
  }
  const base = signatureBase(request, covered);
  // Of another size it is no raw r and s; ASN.1 is refused too.
  if (base === null || bytes.byteLength !== key.signatureBytes) return refused('signature_invalid');
  return (await key.verify(bytes, base)) ? { ok: true, keyId } : refused('signature_invalid');
}

/** Returns the components that a request's signature must cover (UCP, "REST Request Signing"). */
function requiredComponents({ url, headers, body }: ReceivedRequest): string[] {
  const present = (name: string) => (headers.has(name) ? [name] : []);
  return [
    '@method',
    '@authority',
    '@path',
    ...(url.search ? ['@query'] : []),
    ...present('ucp-agent'),
    ...present('idempotency-key'),
    ...(body.byteLength > 0 ? ['content-digest', 'content-type'] : []),
  ];
}

function coversAll(request: ReceivedRequest, { items }: InnerList): boolean {
  const covered = new Set(items.map(({ bare }) => stringValue(bare)));
  return requiredComponents(request).every((name) => covered.has(name));
}

/** Checks `created` and `expires` (RFC 9421, 2.3; in seconds), where they are present. */
function isTimely(parameters: Parameters): boolean {
  const [created, expires] = ['created', 'expires'].map((name) => {
    const bare = parameters.get(name);
    return bare === undefined ? undefined : integerValue(bare);
  });
  // A parameter that is no integer is `null`.
  if (created === null || expires === null) return false;
  const at = now();
  if (expires !== undefined && expires * 1_000 + MAX_CLOCK_SKEW_MS <= at) return false;
  if (created === undefined) return true;
  return created * 1_000 <= at + MAX_CLOCK_SKEW_MS && created * 1_000 > at - MAX_SIGNATURE_AGE_MS;
}

/** Returns the signatures of a request by their labels, or `null` if a field or a label is malformed. */
function signaturesOf(headers: Headers): Signature[] | null {
  const inputs = dictionaryOf(headers, 'signature-input');
  const values = dictionaryOf(headers, 'signature');
  if (!inputs || !values || inputs.size > MAX_SIGNATURES) return null;
  const found: Signature[] = [];
  for (const [label, covered] of inputs) {
    const value = values.get(label);
    const keyId = isInnerList(covered) ? stringValue(covered.parameters.get('keyid')) : null;
    if (!isInnerList(covered) || keyId === null || !value || isInnerList(value)) return null;
    if (value.bare.type !== 'bytes') return null;
    found.push({ keyId, covered, bytes: value.bare.value });
  }
  return found;
}

const dictionaryOf = (headers: Headers, name: string): Dictionary | null =>
  parseDictionary(headers.get(name) ?? '');
