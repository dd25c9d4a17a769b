import { z } from '@hono/zod-openapi';
import { line, storedText } from '../text/text.ts';
import { Country, countryName } from './countries.ts';

/** Returns the schemas of an address's texts, each made by `of` for its largest length in characters. */
const textsOf = (of: (most: number) => z.ZodString) => ({
  first_name: of(120).optional(),
  last_name: of(120).optional(),
  company: of(120).optional(),
  line1: of(255).optional(),
  line2: of(255).optional(),
  city: of(120).optional(),
  region: of(120).optional(),
  postal_code: of(20).optional(),
  phone: of(40).optional(),
});

/** Schema of a postal address in a request. */
export const PostalAddressInput = z
  .strictObject({ country: Country, ...textsOf(line) })
  .openapi('PostalAddressInput');

/** Schema of a postal address in a response. An old one may have a country code since withdrawn, or line breaks. */
export const PostalAddress = z.object({ country: z.string().regex(/^[A-Z]{2}$/), ...textsOf(storedText) });
export type PostalAddress = Readonly<z.output<typeof PostalAddress>>;

/** Letters of Chinese, Japanese and Korean alone: `scx` has signs that others write too, such as "·" in Catalan. */
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;

/** Returns whether a name begins with the family name: one in the scripts of Chinese, Japanese and Korean. */
export const isFamilyNameFirst = (name: string): boolean =>
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\s]+$/u.test(name);

/** Returns a full name in the order of its script: "Taro Yamada", "山田 太郎"; "" if there is none. */
export function fullName({
  first_name = '',
  last_name = '',
}: Pick<Partial<PostalAddress>, 'first_name' | 'last_name'>): string {
  const parts = isFamilyNameFirst(first_name + last_name) ? [last_name, first_name] : [first_name, last_name];
  return parts.filter(Boolean).join(' ');
}

/** Countries that write the city, and the region if there is one, before the postal code (UPU S42). */
const CITY_FIRST = new Set(
  'AU BD BH CA CN CO EG GB HK ID IE IN JP KR MY NG NZ PK SA SG TH TW US VN ZA'.split(' '),
);

/** Returns the parts of an address by line, in the order of its country. */
function partsOf(of: Partial<PostalAddress>): readonly (readonly (string | undefined)[])[] {
  const { company, line1, line2, city, region, postal_code: code, country = '' } = of;
  const [name, inCountry] = [fullName(of), country && countryName(country)];
  if (EAST_ASIAN.test(`${city}${line1}`))
    return [[code], [region, city, line1], [line2], [company], [name], [inCountry]];
  const place = CITY_FIRST.has(country) ? [[city, region, code]] : [[code, city], [region]];
  return [[name], [company], [line1], [line2], ...place, [inCountry]];
}

/**
 * Returns the lines of an address as on an envelope; those without content are left out. In Chinese, Japanese and Korean
 * the name is the last but the country.
 */
export const addressLines = (of: Partial<PostalAddress>): string[] =>
  partsOf(of)
    .map((parts) => parts.filter(Boolean).join(' '))
    .filter(Boolean);

/** Returns an address reduced to its country, which everybody who sees the totals may know. */
export const countryOnly = (address: PostalAddress | null): PostalAddress | null =>
  address && { country: address.country };
