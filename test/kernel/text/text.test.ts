import { expect, it } from 'vitest';
import { groupDigits } from '../../../src/kernel/text/text.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [12_500, '12,500'],
  [-1_234_567, '-1,234,567'],
])('groups the digits of %i', (integer, expected) => {
  expect(groupDigits(integer)).toBe(expected);
});
