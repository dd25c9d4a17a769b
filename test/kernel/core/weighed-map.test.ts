import { expect, it } from 'vitest';
import { WeighedMap } from '../../../src/kernel/core/weighed-map.ts';

const keysOf = (map: WeighedMap<string, true>) => ['a', 'b', 'c'].filter((key) => map.get(key)).join('');

it('evicts the entries that were set longest ago while all weigh too much', () => {
  const map = new WeighedMap<string, true>(10);
  for (const key of ['a', 'b', 'c']) map.set(key, true, 3);
  expect(keysOf(map)).toBe('abc');
  map.set('a', true, 4);
  expect(keysOf(map)).toBe('abc');
  map.set('a', true, 6);
  expect(keysOf(map)).toBe('ac');
  map.delete('a');
  map.set('b', true, 7);
  expect(keysOf(map)).toBe('bc');
  map.set('a', true, 11);
  expect(keysOf(map)).toBe('');
});
