import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { badMasterKeys } from '../../../src/kernel/crypto/crypto.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import { world } from '../../support/world.ts';

afterEach(() => void vi.restoreAllMocks());

const key = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

it.each([
  ['an empty one', ''],
  ['what is no base64', '!!!!'],
  ['one of 31 bytes', key(31)],
  ['a sentence', 'correct horse battery staple, which is long enough'],
])('answers no request under an invalid master key: %s', async (_, bad) => {
  const shop = await world();
  expect((await fetchWith(env, 'GET', '/v1/products', shop.token)).status).toBe(200);
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  for (const bindings of [
    { ...env, MASTER_KEY_V1: bad },
    { ...env, MASTER_KEY_V2: bad },
  ]) {
    for (const path of [
      '/v1/products',
      '/healthz',
      '/readyz',
      '/admin/sign-in',
      '/v1/openapi.json',
      '/nowhere',
    ]) {
      const answer = await fetchWith(bindings, 'GET', path, shop.token);
      expect([path, answer.status]).toEqual([path, 503]);
      expect(answer.headers.get('retry-after')).toBe('60');
      expect(await answer.json()).toMatchObject({
        code: 'unavailable',
        request_id: answer.headers.get('x-request-id'),
      });
    }
  }
  const lines = logged.mock.calls.map(([line]) => String(line));
  expect(lines.filter((line) => line.includes('"MASTER_KEY_V1"')).length).toBe(6);
  expect(lines.filter((line) => line.includes('"MASTER_KEY_V2"')).length).toBe(6);
  if (bad !== '') expect(lines.join()).not.toContain(bad);
});

it('names each invalid master key, and the first one if there is none', () => {
  expect(badMasterKeys({ MASTER_KEY_V1: key(32) })).toEqual([]);
  expect(badMasterKeys({ MASTER_KEY_V1: `${key(48)}\n`, OTHER: '' })).toEqual([]);
  expect(badMasterKeys({ MASTER_KEY_V1: Buffer.alloc(32, 255).toString('base64url') })).toEqual([]);
  expect(badMasterKeys({ MASTER_KEY_V1: key(32), MASTER_KEY_V2: 7, MASTER_KEY_V3: '' })).toEqual([
    'MASTER_KEY_V2',
    'MASTER_KEY_V3',
  ]);
  expect(badMasterKeys({})).toEqual(['MASTER_KEY_V1']);
});
