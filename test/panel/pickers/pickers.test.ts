import { describe, expect, it } from 'vitest';
import { countries } from '../../../src/kernel/values/countries.ts';
import { pathText } from '../../../src/panel/pickers/category-picker.tsx';
import { pickedId, pickedIds } from '../../../src/panel/pickers/choices.tsx';
import { CountryNames, pickedCountries, pickedCountry } from '../../../src/panel/pickers/country-field.tsx';

describe('the ids of a picker', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['7', [7]],
    [
      ['7', '3', '7'],
      [7, 3],
    ],
    [
      ['7', '12,13', ''],
      [7, 12, 13],
    ],
  ])('reads %j as %j', (sent, ids) => {
    expect(pickedIds.parse(sent)).toEqual(ids);
  });

  it.each(['x', '-1', '0', '1.5', '1e3', '9'.repeat(16)])('refuses %j in words', (sent) => {
    expect(pickedIds.safeParse(sent).error?.issues).toMatchObject([
      { message: 'must be chosen from the list' },
    ]);
  });

  it('reads one choice, or none', () => {
    expect([pickedId.parse(''), pickedId.parse(undefined), pickedId.parse('7')]).toEqual([null, null, 7]);
    expect(pickedId.parse(['7', '9'])).toBe(9);
  });
});

describe('countries', () => {
  it.each([
    ['Germany', 'DE'],
    ['germany ', 'DE'],
    ['de', 'DE'],
    ['Côte d’Ivoire', 'CI'],
    ['cote d’ivoire', 'CI'],
  ])('knows %j as %s', (text, code) => {
    expect(pickedCountry.parse(text)).toBe(code);
  });

  it('knows every country by its name, and by its code', () => {
    for (const { code, name } of countries())
      expect([name, code].map((one) => pickedCountry.parse(one))).toEqual([code, code]);
  });

  it('reads several, ticked and typed, each once', () => {
    expect(pickedCountries.parse(['DE', 'Austria, ch', 'Germany', ''])).toEqual(['DE', 'AT', 'CH']);
    expect(pickedCountries.parse(undefined)).toEqual([]);
  });

  it('names what is not a country', () => {
    expect(pickedCountry.safeParse('Atlantis').error?.issues).toMatchObject([
      { message: 'must be a country, such as Germany or DE' },
    ]);
    expect(pickedCountries.safeParse(['DE', 'Atlantis, Utopia']).error?.issues).toMatchObject([
      { message: '“Atlantis” is not a country' },
      { message: '“Utopia” is not a country' },
    ]);
  });

  it('suggests all of them in less than 5 KiB', () => {
    const html = String(CountryNames());
    expect(html.match(/<option>/g)).toHaveLength(249);
    expect(html.length).toBeLessThan(5 * 1024);
    expect(html).not.toMatch(/&(?!amp;)/);
  });
});

describe('a category path as text', () => {
  it.each([
    [['Clothing'], 'Clothing'],
    [['Clothing', 'Shirts'], 'Clothing › Shirts'],
    [['a'.repeat(50), 'b'.repeat(50), 'c'.repeat(50)], `${'a'.repeat(20)}… › … › ${'c'.repeat(20)}…`],
    [['x'.repeat(99)], `${'x'.repeat(49)}…`],
  ])('%j', (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});
