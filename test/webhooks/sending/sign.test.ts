import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { newSecret, SECRET_PREFIX, sign } from '../../../src/webhooks/sending/sign.ts';

const seconds = () => Math.floor(Date.now() / 1000);

const headers = (id: string, timestamp: number, signature: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});

/** Any body that a delivery could have: JSON of anything. */
const anyBody = fc.jsonValue().map((value) => JSON.stringify({ data: value }));
const anyId = fc.stringMatching(/^evt_[0-9A-Za-z]{24}$/);

it('generates distinct secrets of 24 to 64 bytes', () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    const bytes = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64').length;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(bytes).toBeGreaterThanOrEqual(24);
    expect(bytes).toBeLessThanOrEqual(64);
  }
});

it('agrees with the official package in signing and verifying', () => {
  fc.assert(
    fc.property(anyId, anyBody, (id, body) => {
      const secret = newSecret();
      const at = seconds();
      const signature = sign([secret], { id, timestamp: at, body });
      expect(signature).toBe(new Webhook(secret).sign(id, new Date(at * 1000), body));
      expect(new Webhook(secret).verify(body, headers(id, at, signature))).toEqual(JSON.parse(body));
    }),
  );
});

it('verifies with either secret during a rotation, and with no third', () => {
  const [fresh, old, other] = [newSecret(), newSecret(), newSecret()];
  const signature = sign([fresh, old], { id: 'evt_1', timestamp: seconds(), body: '{}' });
  expect(signature.split(' ')).toHaveLength(2);
  for (const secret of [fresh, old]) new Webhook(secret).verify('{}', headers('evt_1', seconds(), signature));
  expect(() => new Webhook(other).verify('{}', headers('evt_1', seconds(), signature))).toThrow();
});

it('does not verify with a changed byte, id or timestamp', () => {
  fc.assert(
    fc.property(anyId, anyBody, fc.nat(), fc.integer({ min: 1, max: 200 }), (id, body, where, by) => {
      const secret = newSecret();
      const at = seconds();
      const signature = sign([secret], { id, timestamp: at, body });
      const verify = (text: string | Buffer, name: string, time: number, signed = signature) =>
        new Webhook(secret).verify(text, headers(name, time, signed));
      const bytes = Buffer.from(body);
      bytes[where % bytes.length] = ((bytes[where % bytes.length] ?? 0) + by) % 256;
      const changedId = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`;
      expect(() => verify(bytes, id, at)).toThrow();
      expect(() => verify(body, changedId, at)).toThrow();
      expect(() => verify(body, id, at - by)).toThrow();
      expect(() => verify(body, id, at, `v1,${'A'.repeat(43)}=`)).toThrow();
    }),
  );
});

it('does not verify with an old or future timestamp', () => {
  const secret = newSecret();
  for (const at of [seconds() - 301, seconds() + 330]) {
    const signature = sign([secret], { id: 'evt_1', timestamp: at, body: '{}' });
    expect(() => new Webhook(secret).verify('{}', headers('evt_1', at, signature))).toThrow(/timestamp/);
  }
});
