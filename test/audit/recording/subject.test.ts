import { expect, it } from 'vitest';
import { nameOf } from '../../../src/audit/recording/subject.ts';

it('cuts a long name between letters, also of those that take two units of UTF-16', () => {
  const name = nameOf('products', { name: `x${'𠮷'.repeat(254)}` });
  expect(name?.isWellFormed()).toBe(true);
  expect(name).toBe(`x${'𠮷'.repeat(199)}`);
});
