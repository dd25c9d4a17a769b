import { expect, it } from 'vitest';
import { RowCounter } from '../../../src/imports/csv/row-counter.ts';

const count = (...pieces: string[]): number => {
  const counter = new RowCounter();
  for (const piece of pieces) counter.add(new TextEncoder().encode(piece));
  return counter.rows;
};

it('counts the lines after the header, with any line ending and in any chunks', () => {
  expect(count('')).toBe(0);
  expect(count('a,b')).toBe(0);
  expect(count('a,b\r\n')).toBe(0);
  expect(count('a,b\n1,2')).toBe(1);
  expect(count('a,b\r', '\n1,"2\n', '""3"\r\n', '\r\n4,5\r\n')).toBe(2);
  expect(count('a,b\r1,2\r3,4\r')).toBe(2);
});
