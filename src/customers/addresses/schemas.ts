import { z } from '@hono/zod-openapi';
import { line, rawText } from '../../kernel/text/text.ts';
import { PostalAddress, PostalAddressInput } from '../../kernel/values/postal-address.ts';

/** The most addresses of one customer. */
export const MAX_ADDRESSES = 20;

const label = line(60).openapi({ example: 'Home' });
const { country, ...optional } = PostalAddressInput.shape;
const fields = z.object(optional).required().shape;

/** A saved address of a customer. */
export const CustomerAddress = z
  .object({
    id: z.string(),
    label: z.string().optional(),
    is_default: z.boolean().openapi({ description: 'True for exactly one of the addresses of a customer.' }),
    ...PostalAddress.shape,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('CustomerAddress', { description: 'Fields that were not given are absent.' });
export type CustomerAddress = z.infer<typeof CustomerAddress>;

/** All addresses of a customer. */
export const CustomerAddressList = z
  .object({ data: z.array(CustomerAddress).max(MAX_ADDRESSES) })
  .openapi('CustomerAddressList');

/** A new address. */
export const AddressCreate = z
  .strictObject({
    ...PostalAddressInput.shape,
    label: label.optional(),
    is_default: z.boolean().optional().openapi({
      description: 'Makes it the default in place of the current one. The first address is the default.',
    }),
  })
  .openapi('CustomerAddressCreate');
export type AddressCreate = z.infer<typeof AddressCreate>;

/** Returns the schema of a field that null removes. */
const removable = <Field extends z.ZodType>(field: Field) => field.nullable().optional();

/** Changes of an address. Null removes an optional field. */
export const AddressPatch = z
  .strictObject({
    country: country.optional(),
    first_name: removable(fields.first_name),
    last_name: removable(fields.last_name),
    company: removable(fields.company),
    line1: removable(fields.line1),
    line2: removable(fields.line2),
    city: removable(fields.city),
    region: removable(fields.region),
    postal_code: removable(fields.postal_code),
    phone: removable(fields.phone),
    label: removable(label),
    is_default: z.boolean().optional().openapi({
      description: 'False is refused for the default: make another address the default instead.',
    }),
  })
  .openapi('CustomerAddressPatch');
export type AddressPatch = z.infer<typeof AddressPatch>;

/** The path parameters of an address. */
export const AddressParams = z.object({ id: rawText(64, { least: 1 }) });
