import { now } from '../../kernel/core/clock.ts';
import { randomBase62, seal, unseal } from '../../kernel/crypto/crypto.ts';
import { PublicKey } from '../signatures/jwk.ts';
import type { SigningKey } from '../signatures/sign.ts';
import type { KeyRow } from './tables.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Encryption purpose: tenant and key, so that a key copied to another row can't be decrypted. */
const purpose = ({ tenantId, kid }: Pick<KeyRow, 'tenantId' | 'kid'>) => `ucp-key:${tenantId}:${kid}`;

/** Generates an ES256 key pair whose private part is sealed. It signs from `signsFrom` (ms) on. */
export async function newKey(env: Env, tenantId: number, signsFrom: number): Promise<KeyRow> {
  // The types can't tell from the algorithm's name that a pair is generated, and that it is exported as JSON.
  const pair = (await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as CryptoKeyPair;
  const exported = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey;
  const { kty, crv, x, y, d } = exported;
  const kid = `sfe-${randomBase62(16)}`;
  return {
    tenantId,
    kid,
    publicKey: PublicKey.parse({ kid, kty, crv, x, y, use: 'sig', alg: 'ES256' }),
    privateKey: await seal(env, purpose({ tenantId, kid }), JSON.stringify({ kty, crv, x, y, d })),
    createdAt: now(),
    signsFrom,
    endsAt: null,
  };
}

/** Opens the private part of a key. Throws if its master key was removed. */
export async function openKey(env: Env, row: KeyRow): Promise<SigningKey> {
  const jwk: JsonWebKey = JSON.parse(await unseal(env, purpose(row), row.privateKey));
  return { kid: row.kid, key: await crypto.subtle.importKey('jwk', jwk, ALGORITHM, false, ['sign']) };
}
