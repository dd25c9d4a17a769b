import { contentDigest } from './content-digest.ts';
import { type SignedRequest, signatureBase } from './signature-base.ts';
import { type InnerList, serializeBytes, serializeInnerList, stringItem } from './structured-fields.ts';

/** A private key for ECDSA over P-256 (ES256), and the id under which its public part is published. */
export interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** The label of our signatures. */
const LABEL = 'sig1';

/** What signs a request: its body's bytes, the key, and the time (ms). */
interface Signing {
  readonly body: Uint8Array;
  readonly signer: SigningKey;
  readonly at: number;
}

/**
 * Returns a request's `Content-Digest` (if it has a body), `Signature-Input` and `Signature` (RFC 9421, ES256,
 * raw `r` and `s`). Covers its method, authority, path and query, and those of `fields` (names in lower case) that it has.
 */
export async function signatureHeaders(
  request: SignedRequest,
  fields: readonly string[],
  { body, signer, at }: Signing,
): Promise<Record<string, string>> {
  const digest = body.byteLength > 0 ? { 'content-digest': contentDigest(body) } : {};
  const headers = new Headers([...request.headers, ...Object.entries(digest)]);
  const derived = ['@method', '@authority', '@path', ...(request.url.search ? ['@query'] : [])];
  const names = [...derived, ...[...fields, 'content-digest'].filter((name) => headers.has(name))];
  const covered: InnerList = {
    items: names.map(stringItem),
    parameters: new Map([
      ['created', { type: 'integer', value: Math.floor(at / 1_000) }],
      ['keyid', { type: 'string', value: signer.kid }],
    ]),
  };
  const base = signatureBase({ ...request, headers }, covered);
  if (base === null) throw new Error('A signed component is repeated or unknown');
  const text = new TextEncoder().encode(base);
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, signer.key, text);
  return {
    ...digest,
    'signature-input': `${LABEL}=${serializeInnerList(covered)}`,
    signature: `${LABEL}=${serializeBytes(new Uint8Array(signature))}`,
  };
}
