import type { AgentRequest } from '../context.ts';
import { platformProfile } from '../platforms/platform-profile.ts';
import type { PlatformProfile } from '../platforms/profile-document.ts';
import { type Checked, done, type Refused, refused } from '../protocol/outcome.ts';
import { type SignatureError, verifyRequest } from '../signatures/verify.ts';

/** The HTTP status and text of each reason against a signature. */
const REASONS: Readonly<Record<SignatureError, readonly [400 | 401, string]>> = {
  signature_missing: [401, 'The request must be signed: Signature-Input and Signature (RFC 9421).'],
  signature_invalid: [
    401,
    'The signature does not match the request, does not cover all that it must, or is not in time.',
  ],
  key_not_found: [401, "The profile's signing_keys have no key with the signature's keyid."],
  digest_mismatch: [400, 'The Content-Digest is not the sha-256 of the body.'],
  algorithm_unsupported: [400, 'The key is neither ES256 (P-256) nor ES384 (P-384).'],
};

/** Returns the protocol error of a refused signature. */
export function signatureRefusal(code: SignatureError): Refused {
  const [status, content] = REASONS[code];
  return refused(status, code, content);
}

/** A verified signature's key, with the profile that has it: a newer one than before, if it had to be refreshed. */
interface SignedBy {
  readonly keyId: string;
  readonly platform: PlatformProfile;
}

/**
 * Verifies the signature of a request with the keys of its platform's profile. If the profile doesn't have the key,
 * which may have been rotated, the profile is fetched again, once a minute at most.
 */
export async function checkSignature(
  request: AgentRequest,
  platform: PlatformProfile,
): Promise<Checked<SignedBy>> {
  const { http } = request;
  const message = { ...http, url: new URL(http.url) };
  const verified = await verifyRequest(message, platform.keys);
  if (verified.ok) return done({ keyId: verified.keyId, platform });
  if (verified.code !== 'key_not_found') return signatureRefusal(verified.code);
  const fresh = await platformProfile(request.ctx, request.profile, { refresh: true });
  if (!fresh.ok) return fresh;
  const again = await verifyRequest(message, fresh.value.keys);
  return again.ok ? done({ keyId: again.keyId, platform: fresh.value }) : signatureRefusal(again.code);
}
