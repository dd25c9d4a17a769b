import { expect, it } from 'vitest';
import { clip } from '../../src/web/index.ts';

it('cuts a text without halving a character', () => {
  // As JSON, which a report of the test can carry whatever is cut.
  const cut = (text: string, length: number) => JSON.stringify(clip(text, length));
  expect(cut('Teapot', 6)).toBe('"Teapot"');
  expect(cut('Teapots', 6)).toBe('"Teapo…"');
  expect(cut('Tea 🫖🫖', 6)).toBe('"Tea…"');
  expect(cut('Tea 🫖🫖', 7)).toBe('"Tea 🫖…"');
  // A family stays one, a letter keeps its marks.
  expect(cut('Tea 👨‍👩‍👧‍👦 👨‍👩‍👧‍👦', 9)).toBe('"Tea…"');
  expect(cut('Tea 👨‍👩‍👧‍👦 👨‍👩‍👧‍👦', 16)).toBe('"Tea 👨‍👩‍👧‍👦…"');
  expect(cut('चाय की दुकान', 6)).toBe('"चाय…"');
  expect(cut('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 5)).toBe('"👨…"');
});
