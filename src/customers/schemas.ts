import { z } from '@hono/zod-openapi';
import { idParam } from '../kernel/core/pagination.ts';
import { EmailAddress } from '../kernel/text/email.ts';
import { asciiNumber } from '../kernel/text/plain-spelling.ts';
import { line, rawText } from '../kernel/text/text.ts';
import { MetadataInput, ShownMetadata } from '../kernel/values/metadata.ts';

/** An e-mail address; stored in lower case. */
const Email = EmailAddress.toLowerCase().openapi({ example: 'ada@example.com' });

/** A stored e-mail address in a response. Not checked again: another pattern would refuse what {@link Email} takes. */
const ShownEmail = z.string().openapi({ format: 'email' });

/** A new password: 8 to 256 characters of any kind. */
const Secret = rawText(256, { least: 8 }).openapi({ format: 'password' });

/** A password to check. One that is too short for a new password is reported as wrong, not as invalid. */
const Password = rawText(1_024, { least: 1 }).openapi({ format: 'password' });

/** A name without control characters, because tenants put names into mail headers. */
const Name = line(120).openapi({ example: 'Ada Lovelace' });

/** The longest telephone number in characters. */
const MAX_PHONE_LENGTH = 40;

/** Returns a telephone number as {@link asciiNumber} writes it. */
const plainPhone = (phone: string): string =>
  // What is longer is refused; to normalize it could take long.
  phone.length > 2 * MAX_PHONE_LENGTH ? phone : asciiNumber(phone);

/** A telephone number in any common notation, 3 to 40 characters, stored in ASCII. It is never dialled. */
const Phone = z
  .string()
  .overwrite(plainPhone)
  .regex(/^[+(0-9][0-9 ()./-]{2,39}$/, 'must be a telephone number')
  .openapi({ example: '+44 20 7946 0000' });

/** The token of a cart to assign to the customer; their earlier cart is merged into it. */
const Cart = rawText(100).nullish().openapi({ description: 'The cart to assign to the customer.' });

/** A customer, as shown to the shopper and the tenant. */
export const Customer = z
  .object({
    id: z.int(),
    name: z.string(),
    email: ShownEmail,
    phone: z.string().optional().openapi({ description: 'Absent when unknown.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('Customer');
export type Customer = z.infer<typeof Customer>;

/** A customer as the tenant's servers see it. */
export const CustomerRecord = Customer.extend({
  metadata: ShownMetadata,
  updated_at: z.iso.datetime(),
}).openapi('CustomerRecord');
export type CustomerRecord = z.infer<typeof CustomerRecord>;

/** The path parameters of a customer. */
export const CustomerParams = z.object({ id: idParam });

/** Changes of the tenant's servers to a customer. */
export const CustomerRecordPatch = z
  .strictObject({ name: Name, phone: Phone.nullable(), metadata: MetadataInput })
  .partial()
  .openapi('CustomerRecordPatch');
export type CustomerRecordPatch = z.infer<typeof CustomerRecordPatch>;

/** An open session. Clients send `token` in `X-Customer-Token`. */
export const Session = z
  .object({
    token: z.string().openapi({ description: 'Shown once; only its hash is stored.' }),
    customer: Customer,
    cart_token: z.string().nullable().openapi({
      description:
        "The cart that was passed, else the customer's cart. Null when there is none, or it is expired or paid.",
    }),
  })
  .openapi('CustomerSession');
export type Session = z.infer<typeof Session>;

/** A new account. */
export const Register = z
  .strictObject({ name: Name, email: Email, password: Secret, phone: Phone.optional(), cart_token: Cart })
  .openapi('CustomerRegister');
export type Register = z.infer<typeof Register>;

/** The credentials of a login. */
export const Login = z
  .strictObject({ email: Email, password: Password, cart_token: Cart })
  .openapi('CustomerLogin');
export type Login = z.infer<typeof Login>;

/** The data of the event `customer.created`. */
export const CustomerCreated = z
  .object({
    id: z.int(),
    name: z.string().nullable(),
    email: ShownEmail.nullable(),
    phone: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .openapi('CustomerCreated', {
    description: '`name`, `email` and `phone` are null after the customer was erased.',
  });
export type CustomerCreated = z.infer<typeof CustomerCreated>;

/** The data of the event `customer.email_changed`. */
export const CustomerEmailChanged = z
  .object({
    customer_id: z.int(),
    name: z.string().nullable(),
    old_email: ShownEmail.nullable().openapi({ description: 'The address to notify about the change.' }),
    new_email: ShownEmail.nullable(),
  })
  .openapi('CustomerEmailChanged', {
    description: '`name`, `old_email` and `new_email` are null after the customer was erased.',
  });
export type CustomerEmailChanged = z.infer<typeof CustomerEmailChanged>;

// The OpenAPI generator copies keywords that its types lack.
const NEEDS_PASSWORD: object = { dependentRequired: { password: ['current_password'] } };

/** Changes to the session's customer. A new e-mail or password requires the current password. */
export const CustomerPatch = z
  .strictObject({
    name: Name,
    email: Email,
    phone: Phone.nullable(),
    password: Secret,
    current_password: Password,
  })
  .partial()
  .openapi('CustomerPatch', NEEDS_PASSWORD);
export type CustomerPatch = z.infer<typeof CustomerPatch>;

/** The customer's cart. */
export const OwnCart = z.strictObject({ cart_token: rawText(100) }).openapi('CustomerCart');
export type OwnCart = z.infer<typeof OwnCart>;

/** The response of a logout. */
export const LoggedOut = z.object({ logged_out: z.literal(true) }).openapi('CustomerLoggedOut');

/** The e-mail of the customer whose password is reset. */
export const ResetRequest = z.strictObject({ email: Email }).openapi('PasswordResetRequest');

/** A reset token, to be mailed to the customer. */
export const PasswordReset = z
  .object({
    token: z.string().openapi({ description: 'Valid once. Shown once; only its hash is stored.' }),
    expires_at: z.iso.datetime(),
    customer: Customer,
  })
  .openapi('PasswordReset');

/** The path parameters of a reset. */
export const ResetParams = z.object({ token: rawText(100) });
export type ResetParams = z.infer<typeof ResetParams>;

/** The new password. */
export const NewPassword = z.strictObject({ password: Secret, cart_token: Cart }).openapi('NewPassword');
export type NewPassword = z.infer<typeof NewPassword>;
