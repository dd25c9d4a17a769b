import { z } from '@hono/zod-openapi';
import { Country } from './countries.ts';
import { text } from './text.ts';

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

/** Where goods go, as a client gives it. */
export const PostalAddressInput = z.strictObject(fields).openapi('PostalAddressInput');

/** Where goods go, as answers show it: the country of an order is that of its day. */
export const PostalAddress = z.object({ ...fields, country: z.string().regex(/^[A-Z]{2}$/) });
export type PostalAddress = Readonly<z.output<typeof PostalAddress>>;

/** Returns what of an address anybody may know who sees the totals: its country. */
export const countryOnly = (address: PostalAddress | null): PostalAddress | null =>
  address && { country: address.country };
