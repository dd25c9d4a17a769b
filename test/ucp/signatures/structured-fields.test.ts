import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isInnerList,
  parseDictionary,
  serializeInnerList,
  serializeItem,
} from '../../../src/ucp/signatures/structured-fields.ts';

/** Parses a dictionary and serializes its members again. */
function again(text: string): Record<string, string> | null {
  const parsed = parseDictionary(text);
  if (!parsed) return null;
  const members = [...parsed].map(([key, member]) => [
    key,
    isInnerList(member) ? serializeInnerList(member) : serializeItem(member),
  ]);
  return Object.fromEntries(members);
}

describe('parseDictionary', () => {
  it.each([
    ['profile="https://a.example/ucp"', { profile: '"https://a.example/ucp"' }],
    ['a=1, b=?0;x,  c', { a: '1', b: '?0;x', c: '?1' }],
    ['a=1,a=2', { a: '2' }],
    ['a="\\"\\\\"', { a: '"\\"\\\\"' }],
    ['a=-12.50, b=3.0', { a: '-12.5', b: '3.0' }],
    ['sig=( "a";x=1   "b" );keyid="k";created=5', { sig: '("a";x=1 "b");keyid="k";created=5' }],
    ['s=();a=:aGk=:;b=tok/en', { s: '();a=:aGk=:;b=tok/en' }],
    ['', {}],
  ])('parses %s', (text, members) => expect(again(text)).toEqual(members));

  it.each([
    'A=1',
    'a=',
    'a=1,',
    'a=1 b=2',
    'a="x',
    'a="\\x"',
    'a="\u00e9"',
    'a=:a b:',
    'a=?2',
    'a=1.',
    'a=1.2345',
    'a=1234567890123456',
    'a=("x""y")',
    'a=("x"',
    'a=1;',
    'a=1; ;b',
    '=1',
    '"a"',
    `a="${'x'.repeat(9_000)}"`,
  ])('refuses %s', (text) => expect(parseDictionary(text)).toBeNull());

  it('never throws, and its output parses to the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a1"=;,( ):?*-.\\/@') }), (text) => {
        const members = again(text);
        if (!members) return;
        const written = Object.entries(members).map(([key, value]) => `${key}=${value}`);
        expect(again(written.join(', '))).toEqual(members);
      }),
      { numRuns: 2_000 },
    );
  });
});

it('reads fields of very many spaces', () => {
  const field = `a${' '.repeat(8_000)}b`;
  // To follow each space to the last of them would take longer than a test may run.
  for (let n = 0; n < 5_000; n++) expect(parseDictionary(field)).toBeNull();
});
