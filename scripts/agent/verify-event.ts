import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';

/** The longest time (s) between a signature and its arrival, and how far the signer's clock may be ahead. */
const MAX_AGE_S = 300;

/** The components that an event's signature must cover. */
const COVERED = ['@method', '@authority', '@path', 'ucp-agent', 'content-digest', 'content-type'];

/** A request that claims to be an order's event. */
export interface ReceivedEvent {
  readonly method: string;
  /** The URL that it was sent to. */
  readonly url: URL;
  readonly headers: Headers;
  /** The body's bytes as they arrived. */
  readonly body: Buffer;
}

/** An order's event whose signature was verified. */
export interface VerifiedEvent {
  /** The event's `Webhook-Id`, the same in every attempt. */
  readonly id: string;
  /** The id of the key in the shop's profile that has signed it. */
  readonly keyId: string;
  readonly order: {
    readonly id: string;
    readonly label: string;
    readonly line_items: readonly { readonly status: string }[];
  };
}

/**
 * Verifies an order's event (RFC 9421, ES256): it names the profile of the shop in which the platform orders, its
 * digest is that of these bytes, and a key of that profile has signed both not long ago. Throws the reason otherwise.
 */
export async function verifyEvent(event: ReceivedEvent, shopProfile: string): Promise<VerifiedEvent> {
  const { headers, body } = event;
  const [, profile] = /^profile="([^"]+)"$/.exec(headers.get('ucp-agent') ?? '') ?? [];
  if (profile !== shopProfile) throw new Error(`It comes from another shop: ${profile ?? 'none is named'}`);
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  if (headers.get('content-digest') !== digest) throw new Error('Content-Digest is not that of the body');
  const keyId = verifySignature(event, await keysOf(shopProfile));
  // A shop signs what the order capability describes.
  return { id: headers.get('webhook-id') ?? '', keyId, order: JSON.parse(body.toString('utf8')) };
}

/** A signature as `Signature-Input` and `Signature` state it. */
interface Signature {
  /** The names of the covered components. */
  readonly names: readonly string[];
  /** The covered components with their parameters, as they were signed. */
  readonly params: string;
  readonly bytes: Buffer;
}

/** Returns the id of the key that has signed the request. Throws if none of the keys has. */
function verifySignature(event: ReceivedEvent, keys: readonly JsonWebKey[]): string {
  const { names, params, bytes } = signatureOf(event.headers);
  const missing = COVERED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`The signature does not cover ${missing.join(', ')}`);
  const created = Number(/;created=(\d+)/.exec(params)?.[1]);
  if (!(Math.abs(Date.now() / 1_000 - created) <= MAX_AGE_S)) throw new Error('The signature is not of now');
  const keyId = /;keyid="([^"]+)"/.exec(params)?.[1] ?? '';
  const jwk = keys.find(({ kid }) => kid === keyId);
  if (!jwk) throw new Error(`The shop's profile has no key ${keyId}`);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const base = Buffer.from(signatureBase(event, names, params));
  const isValid = verify('sha256', base, { key, dsaEncoding: 'ieee-p1363' }, bytes);
  if (!isValid) throw new Error('The signature does not match');
  return keyId;
}

/** Parses the signature of a request that has one, without parameters of components. Throws otherwise. */
function signatureOf(headers: Headers): Signature {
  const [, label, params, list] =
    /^(\w+)=(\(((?:"[^"]+" ?)+)\).*)$/.exec(headers.get('signature-input') ?? '') ?? [];
  const [, signed, value] = /^(\w+)=:([A-Za-z0-9+/=]+):$/.exec(headers.get('signature') ?? '') ?? [];
  if (!params || !list || !value || signed !== label) throw new Error('It has no signature');
  const names = list.split(' ').map((name) => name.slice(1, -1));
  return { names, params, bytes: Buffer.from(value, 'base64') };
}

/** Returns the signature base: the text that is signed (RFC 9421, 2.5). */
function signatureBase(
  { method, url, headers }: ReceivedEvent,
  names: readonly string[],
  params: string,
): string {
  const derived: Record<string, string> = {
    '@method': method,
    '@authority': url.host,
    '@path': url.pathname,
    '@query': url.search || '?',
  };
  const lines = names.map((name) => `"${name}": ${derived[name] ?? headers.get(name) ?? ''}`);
  return [...lines, `"@signature-params": ${params}`].join('\n');
}

/** Fetches the keys that a shop's profile publishes now. */
async function keysOf(shopProfile: string): Promise<readonly JsonWebKey[]> {
  const response = await fetch(shopProfile, { redirect: 'error' });
  if (!response.ok) throw new Error(`The shop's profile could not be read (${response.status})`);
  // The profile of a shop has the protocol's form.
  return ((await response.json()) as { signing_keys?: JsonWebKey[] }).signing_keys ?? [];
}
