import { z } from '@hono/zod-openapi';

/** Returns the country codes that a text has one after the other: less to load than with spaces. */
export const countryCodes = (text: string): string[] => text.match(/../g) ?? [];

/** All ISO 3166-1 alpha-2 codes. */
const CODES = countryCodes(
  'ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW',
);
const KNOWN = new Set(CODES);

let names: Intl.DisplayNames | null = null;

/** Returns whether this is an ISO 3166-1 alpha-2 code in upper case. */
export const isCountry = (code: string): boolean => KNOWN.has(code);

/** Schema of a country code. */
export const Country = z
  .string()
  .refine(isCountry, 'must be an ISO 3166-1 code such as DE')
  .openapi('Country', { type: 'string', enum: CODES, description: 'ISO 3166-1 alpha-2', example: 'DE' });

// The OpenAPI generator copies `propertyNames` although its types don't declare it.
const NAMES: object = { propertyNames: { $ref: '#/components/schemas/Country' } };

/** Returns the schema of an object that maps country codes to values. */
export const byCountry = <Value extends z.ZodType>(value: Value) => z.record(Country, value).openapi(NAMES);

/** Returns the English name of a country. An unknown code is returned unchanged. */
export function countryName(code: string): string {
  // Its data takes 13 ms to load, which an isolate's start would wait for.
  names ??= new Intl.DisplayNames(['en'], { type: 'region' });
  return (isCountry(code) && names.of(code)) || code;
}

let sorted: readonly { code: string; name: string }[] | null = null;

/** Returns every country with its English name, sorted by name. */
export function countries(): readonly { code: string; name: string }[] {
  sorted ??= CODES.map((code) => ({ code, name: countryName(code) })).sort((a, b) =>
    a.name.localeCompare(b.name, 'en'),
  );
  return sorted;
}
