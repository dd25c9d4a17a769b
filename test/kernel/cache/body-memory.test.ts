/** The bodies that an isolate keeps in memory. */
import { expect, it } from 'vitest';
import { keepBody, keptBody } from '../../../src/kernel/cache/body-memory.ts';
import type { CachedBody } from '../../../src/kernel/cache/cached-body.ts';

const MILLION = 1_000_000;
const bodyOf = (length: number): CachedBody => ({ version: 1, etag: '"1"', body: 'x'.repeat(length) });

it('keeps the bodies of a tenant while another one reads many large ones', () => {
  for (let n = 0; n < 3; n++) keepBody(`900001:1:${n}`, bodyOf(MILLION));
  for (let n = 0; n < 30; n++) keepBody(`900002:1:${n}`, bodyOf(MILLION));
  expect([0, 1, 2].map((n) => keptBody(`900001:1:${n}`) !== undefined)).toEqual([true, true, true]);
  expect([0, 29].map((n) => keptBody(`900002:1:${n}`) !== undefined)).toEqual([false, true]);
});

it('forgets what nobody has asked for again once others need the memory', () => {
  keepBody('900003:1:old', bodyOf(MILLION));
  for (let n = 0; n < 30; n++) keepBody(`${900100 + n}:1:page`, bodyOf(MILLION));
  expect(['900003:1:old', '900129:1:page'].map((name) => keptBody(name) !== undefined)).toEqual([
    false,
    true,
  ]);
});
