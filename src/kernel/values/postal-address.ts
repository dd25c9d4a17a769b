import { z } from '@hono/zod-openapi';
import { text } from '../text/text.ts';
import { Country } from './countries.ts';

const fields = {
  country: Country,
  first_name: text(120).optional(),
  last_name: text(120).optional(),
  company: text(120).optional(),
  line1: text(255).optional(),
  line2: text(255).optional(),
  city: text(120).optional(),
  region: text(120).optional(),
  postal_code: text(20).optional(),
  phone: text(40).optional(),
};

/** Schema of a postal address in a request. */
export const PostalAddressInput = z.strictObject(fields).openapi('PostalAddressInput');

/** Schema of a postal address in a response. An old order may have a country code since withdrawn. */
export const PostalAddress = z.object({ ...fields, country: z.string().regex(/^[A-Z]{2}$/) });
export type PostalAddress = Readonly<z.output<typeof PostalAddress>>;

/** Returns an address reduced to its country, which everybody who sees the totals may know. */
export const countryOnly = (address: PostalAddress | null): PostalAddress | null =>
  address && { country: address.country };
