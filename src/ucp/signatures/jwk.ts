import { z } from 'zod';

/**
 * The curves that signatures are verified with: the algorithm follows from the key's `crv`, and a signature is
 * `r` and `s`, each of the given size.
 */
const CURVES = {
  'P-256': { alg: 'ES256', name: 'ecdsa-p256-sha256', hash: 'SHA-256', bytes: 64 },
  'P-384': { alg: 'ES384', name: 'ecdsa-p384-sha384', hash: 'SHA-384', bytes: 96 },
} as const;

/** The most characters of a key's fields; the coordinates of P-521 take 88. */
const MAX_FIELD_LENGTH = 256;
const field = z.string().min(1).max(MAX_FIELD_LENGTH);

/**
 * A public key (JWK, RFC 7517) as profiles publish it. Keys of other types pass, because a profile may hold
 * some beside; they verify nothing.
 */
export const PublicKey = z.object({
  kid: field,
  kty: field,
  crv: field.optional(),
  x: field.optional(),
  y: field.optional(),
  use: z.enum(['sig', 'enc']).optional(),
  alg: field.optional(),
});
/** See {@link PublicKey}. */
export type PublicKey = z.infer<typeof PublicKey>;

/** A key that verifies signatures: its algorithm's name in RFC 9421, and what WebCrypto needs. */
export interface VerifyingKey {
  readonly name: string;
  readonly signatureBytes: number;
  verify(signature: Uint8Array<ArrayBuffer>, text: string): Promise<boolean>;
}

/** Imports a public key. Returns `null` if it is no EC key of a supported curve, or not on its curve. */
export async function verifyingKey(jwk: PublicKey): Promise<VerifyingKey | null> {
  const { kty, crv, x, y, use, alg } = jwk;
  if (kty !== 'EC' || use === 'enc' || (crv !== 'P-256' && crv !== 'P-384')) return null;
  const { alg: expected, name, hash, bytes } = CURVES[crv];
  if (!x || !y || (alg !== undefined && alg !== expected)) return null;
  const algorithm = { name: 'ECDSA', namedCurve: crv, hash };
  const key = await crypto.subtle
    .importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify'])
    .catch(() => null);
  if (!key) return null;
  const verify = (signature: Uint8Array<ArrayBuffer>, text: string) =>
    crypto.subtle.verify(algorithm, key, signature, new TextEncoder().encode(text));
  return { name, signatureBytes: bytes, verify };
}
