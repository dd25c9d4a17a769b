import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, now } from '../../../src/kernel/core/clock.ts';
import { contentDigest, digestMatches } from '../../../src/ucp/signatures/content-digest.ts';
import { signatureHeaders } from '../../../src/ucp/signatures/sign.ts';
import { signatureBase } from '../../../src/ucp/signatures/signature-base.ts';
import { type InnerList, parseDictionary } from '../../../src/ucp/signatures/structured-fields.ts';
import { MAX_SIGNATURE_AGE_MS, verifyRequest } from '../../../src/ucp/signatures/verify.ts';
import { makeSigner, type Signer } from '../../support/fixtures/agents/signer.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const BODY = '{"line_items":[]}';

const AGENT = 'profile="https://agent.example/ucp.json"';

/** The fields that a signature must cover. */
const FIELDS = ['ucp-agent', 'idempotency-key', 'content-type'];

/** A signed POST, as a platform makes it. */
async function signedPost(
  signer: Signer,
  { at = now(), url = 'https://shop.example/ucp/a/carts?x=1', fields = FIELDS } = {},
) {
  const headers = new Headers({
    'content-type': 'application/json',
    'ucp-agent': AGENT,
    'idempotency-key': '550e8400-e29b-41d4-a716-446655440000',
  });
  const message = { method: 'POST', url: new URL(url), headers };
  const signed = await signatureHeaders(message, fields, { body: bytes(BODY), signer, at });
  return { ...message, headers: new Headers([...headers, ...Object.entries(signed)]), body: bytes(BODY) };
}

const codeOf = async (...given: Parameters<typeof verifyRequest>) => {
  const verified = await verifyRequest(...given);
  return verified.ok ? 'verified' : verified.code;
};

describe('components', () => {
  const base = (...names: string[]) => {
    const covered = parseDictionary(`s=(${names.join(' ')})`)?.get('s') as InnerList;
    const url = new URL('HTTPS://Shop.Example:443/a%20b');
    return signatureBase({ method: 'post', url, headers: new Headers({ a: '  1 ' }) }, covered);
  };

  it('derives the parts of a request', () => {
    expect(
      base('"@method"', '"@authority"', '"@path"', '"@query"', '"@scheme"', '"a"')?.split('\n').slice(0, 6),
    ).toEqual([
      '"@method": POST',
      '"@authority": shop.example',
      '"@path": /a%20b',
      '"@query": ?',
      '"@scheme": https',
      '"a": 1',
    ]);
    expect(base('"@target-uri"', '"@request-target"')).toMatch(
      /"@target-uri": https:\/\/shop.example\/a%20b\n"@request-target": \/a%20b\n/,
    );
  });

  it.each(['"b"', '"a" "a"', '"@status"', '"a";sf', 'a', '"@nothing"', '"constructor"', '"A"'])(
    'refuses %s',
    (names) => expect(base(names)).toBeNull(),
  );
});

describe('Content-Digest', () => {
  it('matches the SHA-256 of the bytes alone', () => {
    expect(contentDigest(bytes(BODY))).toMatch(/^sha-256=:[A-Za-z0-9+/]{43}=:$/);
    expect(digestMatches(contentDigest(bytes(BODY)), bytes(BODY))).toBe(true);
    expect(digestMatches(`sha-512=:AA==:, ${contentDigest(bytes(BODY))}`, bytes(BODY))).toBe(true);
    expect(digestMatches(contentDigest(bytes(BODY)), bytes(`${BODY} `))).toBe(false);
    for (const field of [null, '', 'sha-512=:AA==:', 'sha-256="x"', 'sha-256=(:AA==:)', 'sha-256=:AA']) {
      expect(digestMatches(field, bytes(BODY))).toBe(false);
    }
  });
});

describe('a signed request', () => {
  it('is verified with the published key', async () => {
    const signer = await makeSigner('k1');
    const other = await makeSigner('k2');
    const request = await signedPost(signer);
    expect(await verifyRequest(request, [other.jwk, signer.jwk])).toEqual({ ok: true, keyId: 'k1' });
  });

  it('is refused with another method, host, path, query, agent, key or body', async () => {
    const signer = await makeSigner('k1');
    const request = await signedPost(signer);
    const keys = [signer.jwk];
    const withHeader = (name: string, value: string) => {
      const headers = new Headers(request.headers);
      headers.set(name, value);
      return { ...request, headers };
    };
    const at = (url: string) => ({ ...request, url: new URL(url) });
    for (const changed of [
      { ...request, method: 'PUT' },
      at('https://other.example/ucp/a/carts?x=1'),
      at('https://shop.example/ucp/b/carts?x=1'),
      at('https://shop.example/ucp/a/carts?x=2'),
      at('https://shop.example/ucp/a/carts'),
      withHeader('ucp-agent', 'profile="https://evil.example/ucp.json"'),
      withHeader('idempotency-key', '550e8400-e29b-41d4-a716-446655440001'),
      withHeader('content-type', 'text/plain'),
    ]) {
      expect(await codeOf(changed, keys)).toBe('signature_invalid');
    }
    expect(await codeOf({ ...request, body: bytes(`${BODY}\n`) }, keys)).toBe('digest_mismatch');
    expect(await codeOf({ ...request, body: bytes('') }, keys)).toBe('digest_mismatch');
    // A digest that fits another body was not signed.
    const swapped = withHeader('content-digest', contentDigest(bytes('{}')));
    expect(await codeOf({ ...swapped, body: bytes('{}') }, keys)).toBe('signature_invalid');
  });

  it('is refused with an unknown key, and with a swapped one', async () => {
    const signer = await makeSigner('k1');
    const request = await signedPost(signer);
    expect(await codeOf(request, [])).toBe('key_not_found');
    expect(await codeOf(request, [(await makeSigner('k1')).jwk])).toBe('signature_invalid');
  });

  it('is refused with a key of another kind', async () => {
    const signer = await makeSigner('k1');
    const request = await signedPost(signer);
    for (const jwk of [
      { kid: 'k1', kty: 'RSA' },
      { ...signer.jwk, crv: 'secp256k1' },
      { ...signer.jwk, use: 'enc' as const },
      { ...signer.jwk, alg: 'RS256' },
      { ...signer.jwk, x: signer.jwk.y },
    ]) {
      expect(await codeOf(request, [jwk])).toBe('algorithm_unsupported');
    }
  });

  it('is refused when it covers too little', async () => {
    const signer = await makeSigner('k1');
    const url = new URL('https://shop.example/ucp/a/carts');
    const headers = new Headers({ 'content-type': 'application/json', 'ucp-agent': AGENT });
    const signed = await signatureHeaders({ method: 'POST', url, headers }, ['content-type'], {
      body: bytes(BODY),
      signer,
      at: now(),
    });
    const all = new Headers([...headers, ...Object.entries(signed)]);
    const request = { method: 'POST', url, headers: all, body: bytes(BODY) };
    expect(await codeOf(request, [signer.jwk])).toBe('signature_invalid');
  });

  it.each(FIELDS)('is refused when it leaves out %s', async (left) => {
    const signer = await makeSigner('k1');
    const request = await signedPost(signer, { fields: FIELDS.filter((name) => name !== left) });
    expect(await codeOf(request, [signer.jwk])).toBe('signature_invalid');
  });

  it('is refused with a query or a body that was added to it', async () => {
    const signer = await makeSigner('k1');
    const plain = await signedPost(signer, { url: 'https://shop.example/ucp/a/carts' });
    const searched = { ...plain, url: new URL('https://shop.example/ucp/a/carts?x=1') };
    expect(await codeOf(searched, [signer.jwk])).toBe('signature_invalid');
    const { method, url } = plain;
    const headers = new Headers({ 'content-type': 'application/json' });
    const signing = { body: bytes(''), signer, at: now() };
    const signed = await signatureHeaders({ method, url, headers }, ['content-type'], signing);
    for (const [name, value] of Object.entries(signed)) headers.set(name, value);
    expect(await codeOf({ method, url, headers, body: bytes('') }, [signer.jwk])).toBe('verified');
    headers.set('content-digest', contentDigest(bytes(BODY)));
    expect(await codeOf({ method, url, headers, body: bytes(BODY) }, [signer.jwk])).toBe('signature_invalid');
  });

  it('is refused once it has expired, give or take the skew', async () => {
    const signer = await makeSigner('k1');
    const expiring = async (at: number) => {
      const input = `sig1=("@method" "@authority" "@path");expires=${Math.floor(at / 1_000)};keyid="k1"`;
      const covered = parseDictionary(input)?.get('sig1') as InnerList;
      const headers = new Headers();
      const request = { method: 'GET', url: new URL('https://shop.example/ucp/a/carts/1'), headers };
      const base = bytes(signatureBase(request, covered) ?? '');
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, signer.key, base);
      headers.set('signature-input', input);
      headers.set('signature', `sig1=:${Buffer.from(signature).toString('base64')}:`);
      return codeOf({ ...request, body: bytes('') }, [signer.jwk]);
    };
    expect(await expiring(now() - 4 * MINUTE)).toBe('verified');
    expect(await expiring(now() - 6 * MINUTE)).toBe('signature_invalid');
  });

  it('is refused if it is too old, or of the future by more than the skew', async () => {
    const signer = await makeSigner('k1');
    const keys = [signer.jwk];
    expect(await codeOf(await signedPost(signer, { at: now() + 4 * MINUTE }), keys)).toBe('verified');
    expect(await codeOf(await signedPost(signer, { at: now() - HOUR }), keys)).toBe('verified');
    expect(await codeOf(await signedPost(signer, { at: now() + 6 * MINUTE }), keys)).toBe(
      'signature_invalid',
    );
    const old = now() - MAX_SIGNATURE_AGE_MS - 1_000;
    expect(await codeOf(await signedPost(signer, { at: old }), keys)).toBe('signature_invalid');
  });

  it('is refused without a signature, or with a malformed one', async () => {
    const signer = await makeSigner('k1');
    const request = await signedPost(signer);
    const without = (name: string) => {
      const headers = new Headers(request.headers);
      headers.delete(name);
      return { ...request, headers };
    };
    expect(await codeOf(without('signature'), [signer.jwk])).toBe('signature_missing');
    expect(await codeOf(without('signature-input'), [signer.jwk])).toBe('signature_missing');
    for (const [name, value] of [
      ['signature', 'sig1=:AA==:'],
      ['signature', 'other=:AA==:'],
      ['signature', 'sig1="text"'],
      ['signature', 'sig1=('],
      ['signature-input', 'sig1=("@method")'],
      ['signature-input', 'sig1="@method"'],
      ['signature-input', Array.from({ length: 9 }, (_, i) => `s${i}=();keyid="k1"`).join(', ')],
    ] as const) {
      const headers = new Headers(request.headers);
      headers.set(name, value);
      expect(await codeOf({ ...request, headers }, [signer.jwk])).toBe('signature_invalid');
    }
  });

  it('accepts no ASN.1 signature', async () => {
    const signer = await makeSigner('k1');
    const request = await signedPost(signer);
    const raw = Buffer.from(request.headers.get('signature')?.slice(6, -1) ?? '', 'base64');
    const int = (part: Buffer) => Buffer.concat([Buffer.from([2, part.length + 1, 0]), part]);
    const parts = Buffer.concat([int(raw.subarray(0, 32)), int(raw.subarray(32))]);
    const der = Buffer.concat([Buffer.from([0x30, parts.length]), parts]);
    request.headers.set('signature', `sig1=:${der.toString('base64')}:`);
    expect(await codeOf(request, [signer.jwk])).toBe('signature_invalid');
  });
});
