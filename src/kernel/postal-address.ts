import { z } from '@hono/zod-openapi';
import { text } from './text.ts';

/** A country as it is written on the wire (ISO 3166-1 alpha-2). */
export const Country = z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 code such as DE');

const fields = {
  country: Country.openapi({ description: 'ISO 3166-1 alpha-2', example: 'DE' }),
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

/** Where goods go, as answers show it. Without a name of its own: a named schema can't be nullable in the document. */
export const PostalAddress = z.object(fields);
export type PostalAddress = Readonly<z.output<typeof PostalAddress>>;

/** Returns what of an address anybody may know who sees the totals: its country. */
export const countryOnly = (address: PostalAddress | null): PostalAddress | null =>
  address && { country: address.country };
