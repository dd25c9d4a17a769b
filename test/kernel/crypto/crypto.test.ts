import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keyVersion, randomBase62, sameText, seal, unseal } from '../../../src/kernel/crypto/crypto.ts';
import { SECOND_MASTER_KEY } from '../../support/runtime/runtime.ts';

/** Whether something sealed can be opened. */
const opens = (bindings: object, purpose: string, sealed: string) =>
  unseal(bindings, purpose, sealed).then(
    () => true,
    () => false,
  );

it('opens what it sealed only for the same purpose', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const sealed = await seal(env, 'test:a', text);
      expect(sealed).not.toBe(await seal(env, 'test:a', text));
      expect(await unseal(env, 'test:a', sealed)).toBe(text);
      expect(await opens(env, 'test:b', sealed)).toBe(false);
    }),
    { numRuns: 30 },
  );
});

it('opens nothing that was changed, truncated or forged', async () => {
  const sealed = await seal(env, 'test', 'a secret of some length');
  for (let at = 0; at < sealed.length; at += 3) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(await opens(env, 'test', changed), `changed at ${at}`).toBe(false);
    expect(await opens(env, 'test', sealed.slice(0, at)), `cut at ${at}`).toBe(false);
  }
});

it('seals under the newest master key and opens under the original one', async () => {
  const old = await seal(env, 'test', 'text');
  const both = { ...env, ...SECOND_MASTER_KEY };
  expect([keyVersion(env), keyVersion(both)]).toEqual(['1', '2']);
  const young = await seal(both, 'test', 'text');
  expect(await unseal(both, 'test', old)).toBe('text');
  expect(await unseal(both, 'test', young)).toBe('text');
  expect(await opens(env, 'test', young)).toBe(false);
  expect(() => keyVersion({})).toThrow('MASTER_KEY_V1');
});

it('generates every base62 character about equally often', () => {
  const counts = new Map<string, number>();
  const texts = Array.from({ length: 100 }, () => randomBase62(620));
  for (const character of texts.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250);
});

it('compares texts of any length', () => {
  expect(sameText('', '')).toBe(true);
  expect(sameText('a', 'a')).toBe(true);
  expect(sameText('a', 'b')).toBe(false);
  expect(sameText('a', 'ab')).toBe(false);
});
