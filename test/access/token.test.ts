import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bearer } from '../../src/access/index.ts';
import { hashOf, newTokenSecret, readToken, tokenOf } from '../../src/access/token.ts';
import { SECOND_MASTER_KEY } from '../support/runtime/runtime.ts';

const ids = fc.integer({ min: 1, max: 1e14 });

it('contains the ids of its tenant and application and nothing else', () => {
  fc.assert(
    fc.property(ids, ids, (tenantId, applicationId) => {
      const secret = newTokenSecret();
      const token = tokenOf(env, { tenantId, applicationId }, secret);
      expect(readToken(env, token)).toEqual({ tenantId, applicationId, hash: hashOf(secret) });
    }),
  );
});

it('is rejected with any character changed', () => {
  const token = tokenOf(env, { tenantId: 7, applicationId: 31 }, newTokenSecret());
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.string({ minLength: 0, maxLength: 2 }), (at, other) => {
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      fc.pre(changed !== token);
      expect(readToken(env, changed)).toBeNull();
    }),
    { numRuns: 500 },
  );
});

it('is never parsed from other text, however long', () => {
  const token = tokenOf(env, { tenantId: 7, applicationId: 31 }, newTokenSecret());
  for (const text of [
    '',
    ' ',
    `${token}\n`,
    `\n${token}`,
    `${token}${token}`,
    token.repeat(10_000),
    'sfe_live_'.repeat(10_000),
  ]) {
    expect(readToken(env, text)).toBeNull();
  }
});

it('stays valid under an older master key until that is removed', () => {
  const secret = newTokenSecret();
  const old = tokenOf(env, { tenantId: 1, applicationId: 2 }, secret);
  const both = { ...env, ...SECOND_MASTER_KEY };
  const young = tokenOf(both, { tenantId: 1, applicationId: 2 }, secret);
  expect(young).toMatch(/_2\w{12}$/);
  expect(readToken(both, old)).toEqual(readToken(both, young));
  const { MASTER_KEY_V1: _gone, ...rest } = both;
  // What is left has no first key, which the type of the environment can't say.
  const later = rest as unknown as Env;
  expect(readToken(later, old)).toBeNull();
  expect(readToken(later, young)).not.toBeNull();
  expect(readToken(env, young)).toBeNull();
});

it.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['BEARER   abc ', 'abc'],
  ['Bearer', ''],
  ['Bearerabc', ''],
  ['Basic abc', ''],
  ['abc', ''],
  [undefined, ''],
])('is taken from the header %j', (header, token) => {
  expect(bearer(header)).toBe(token);
});
