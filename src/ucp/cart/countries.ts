import { fold } from '../../kernel/text/fold.ts';
import { countries, isCountry } from '../../kernel/values/countries.ts';

let byName: ReadonlyMap<string, string> | null = null;

/**
 * Returns the ISO 3166-1 alpha-2 code of a country that an agent names by it, in any case, or by its English name;
 * null if it is neither.
 */
export function countryCode(given: string | undefined): string | null {
  if (given === undefined) return null;
  const code = given.toUpperCase();
  if (isCountry(code)) return code;
  byName ??= new Map(countries().map((country) => [fold(country.name), country.code]));
  return byName.get(fold(given)) ?? null;
}
