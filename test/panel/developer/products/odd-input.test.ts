/** Input that a browser seldom sends, and texts that its fields show otherwise than they are stored. */
import { expect, it } from 'vitest';
import { editor } from './editor.ts';

it.each([
  ['sale.starts_at', '2030-13-01T00:00'],
  ['sale.ends_at', '2030-02-30T10:00'],
  ['sale.ends_at', '2030-01-01T24:30'],
])('refuses a time of a sale that no calendar has: %s %s', async (field, value) => {
  const { save, developer } = await editor({ name: 'Cup', price: 10 });
  const { status } = await save('', { 'sale.price': '8', [field]: value });
  expect(status).toBe(422);
  expect(developer.last.html).toContain(`id="f-${field}-error">must be a date and time`);
});
