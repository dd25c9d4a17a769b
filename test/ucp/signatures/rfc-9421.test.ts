import { describe, expect, it } from 'vitest';
import { verifyingKey } from '../../../src/ucp/signatures/jwk.ts';
import { signatureBase } from '../../../src/ucp/signatures/signature-base.ts';
import { isInnerList, parseDictionary } from '../../../src/ucp/signatures/structured-fields.ts';

describe('RFC 9421, appendix B.2.4', () => {
  // The key of B.1.3, and the base and the signature of the response of B.2.
  const jwk = {
    kid: 'test-key-ecc-p256',
    kty: 'EC',
    crv: 'P-256',
    x: 'qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA',
    y: 'Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0',
  };
  const base = [
    '"@status": 200',
    '"content-type": application/json',
    '"content-digest": sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:',
    '"content-length": 23',
    '"@signature-params": ("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"',
  ].join('\n');
  const signature =
    'wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==';

  it('verifies the signature', async () => {
    const key = await verifyingKey(jwk);
    const raw = new Uint8Array(Buffer.from(signature, 'base64'));
    expect(await key?.verify(raw, base)).toBe(true);
    expect(await key?.verify(raw, `${base} `)).toBe(false);
  });
});

describe('RFC 9421, appendix B.2.2', () => {
  it('builds the signature base of a request', () => {
    const input =
      'sig-b22=("@authority" "content-digest" "@query");created=1618884473;keyid="test-key-rsa-pss";tag="header-example"';
    const covered = parseDictionary(input)?.get('sig-b22');
    const request = {
      method: 'POST',
      url: new URL('https://example.com/foo?param=Value&Pet=dog'),
      headers: new Headers({ 'content-digest': 'sha-512=:AA==:' }),
    };
    expect(isInnerList(covered) && signatureBase(request, covered)).toBe(
      `"@authority": example.com\n"content-digest": sha-512=:AA==:\n"@query": ?param=Value&Pet=dog\n"@signature-params": ${input.slice(8)}`,
    );
  });
});
