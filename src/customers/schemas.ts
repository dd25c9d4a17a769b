import { z } from '@hono/zod-openapi';
import { rawText, text } from '../kernel/core/text.ts';

/** An address as browsers' e-mail fields take it (WHATWG HTML), with a dot in its domain; kept in lower case. */
const Email = z
  .string()
  .trim()
  .max(254)
  .regex(
    /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/,
    'must be an e-mail address',
  )
  .toLowerCase()
  .openapi({ type: 'string', format: 'email', maxLength: 254, example: 'ada@example.com' });

/** A new password: 8 to 256 characters, whatever they are. */
const Secret = rawText(256, { least: 8 }).openapi({ format: 'password' });

/** A password as it is tried: what is too short for a new one is simply wrong. */
const Password = rawText(1_024, { least: 1 }).openapi({ format: 'password' });

/** One line: a name ends up in the headers of mails. */
const Name = text(120)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not have control characters')
  .openapi({ example: 'Ada Lovelace' });

/** A telephone number as people write it, 3 to 40 characters: nobody dials it here. */
const Phone = z
  .string()
  .trim()
  .regex(/^[+(0-9][0-9 ()./-]{2,39}$/, 'must be a telephone number')
  .openapi({ example: '+44 20 7946 0000' });

/** A cart that becomes the customer's; what was in an older one of theirs is merged into it. */
const Cart = rawText(100).nullish().openapi({ description: "A cart to make the customer's." });

/** A customer, as the shopper and the tenant see it. */
export const Customer = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.email(),
    phone: z.string().optional().openapi({ description: 'Left out when unknown.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('Customer');
export type Customer = z.infer<typeof Customer>;

/** An open session: `token` goes into `X-Customer-Token`. */
export const Session = z
  .object({
    token: z.string().openapi({ description: 'Shown once; only its hash is kept.' }),
    customer: Customer,
    cart_token: z.string().nullable().openapi({
      description: "The cart that was passed, else the customer's; null when there is none to go on with.",
    }),
  })
  .openapi('CustomerSession');
export type Session = z.infer<typeof Session>;

/** A new account. */
export const Register = z
  .strictObject({ name: Name, email: Email, password: Secret, phone: Phone.optional(), cart_token: Cart })
  .openapi('CustomerRegister');
export type Register = z.infer<typeof Register>;

/** What opens a session. */
export const Login = z
  .strictObject({ email: Email, password: Password, cart_token: Cart })
  .openapi('CustomerLogin');
export type Login = z.infer<typeof Login>;

/** The data of the event `customer.email_changed`. */
export const CustomerEmailChanged = z
  .object({
    customer_id: z.int(),
    name: z.string().nullable(),
    old_email: z.email().nullable().openapi({ description: 'Where to say that the address was changed.' }),
    new_email: z.email().nullable(),
  })
  .openapi('CustomerEmailChanged', {
    description: 'What names the person is null once the customer was erased.',
  });
export type CustomerEmailChanged = z.infer<typeof CustomerEmailChanged>;

/** Changes to one's own account; a new e-mail or password takes the current password. */
export const CustomerPatch = z
  .strictObject({
    name: Name,
    email: Email,
    phone: Phone.nullable(),
    password: Secret,
    current_password: Password,
  })
  .partial()
  .refine((patch) => patch.current_password !== undefined || !(patch.email ?? patch.password), {
    path: ['current_password'],
    message: 'is needed to change the e-mail or the password',
  })
  .openapi('CustomerPatch');
export type CustomerPatch = z.infer<typeof CustomerPatch>;

/** The cart that is a customer's. */
export const OwnCart = z.strictObject({ cart_token: rawText(100) }).openapi('CustomerCart');
export type OwnCart = z.infer<typeof OwnCart>;

/** The session is over. */
export const LoggedOut = z.object({ logged_out: z.literal(true) }).openapi('CustomerLoggedOut');

/** Whose password is to be set anew. */
export const ResetRequest = z.strictObject({ email: Email }).openapi('PasswordResetRequest');

/** A token to mail to the customer. */
export const PasswordReset = z
  .object({
    token: z.string().openapi({ description: 'Good once. Shown once; only its hash is kept.' }),
    expires_at: z.iso.datetime(),
    customer: Customer,
  })
  .openapi('PasswordReset');

/** The token of a reset, as it was mailed. */
export const ResetParams = z.object({ token: rawText(100) });
export type ResetParams = z.infer<typeof ResetParams>;

/** The password that a reset sets. */
export const NewPassword = z.strictObject({ password: Secret }).openapi('NewPassword');
export type NewPassword = z.infer<typeof NewPassword>;
