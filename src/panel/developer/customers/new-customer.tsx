import { z } from 'zod';
import { digest62, keyVersions, randomBase62 } from '../../../kernel/crypto/crypto.ts';
import {
  Field,
  Form,
  type FormError,
  formPages,
  type Outcome,
  onceOf,
  optionalText,
  type Page,
  type PageRequest,
  type View,
} from '../../../web/index.ts';
import { root } from './customer-list.tsx';

const NEW_CUSTOMER_PATH = '/developer/new-customer';

const newPage = async (request: PageRequest, formError: FormError | null): Promise<View> => {
  const f = { request, formError };
  const body = (
    <Form request={request} action={NEW_CUSTOMER_PATH} submit="Create customer">
      <Field f={f} name="name" label="Name" required maxlength={120} />
      <Field
        f={f}
        name="email"
        label="E-mail"
        type="email"
        hint="They sign in with it, and choose their first password with “forgotten password” in your storefront"
        required
        attributes={{ maxlength: 254, autocomplete: 'off' }}
      />
      <Field f={f} name="phone" label="Phone" type="tel" maxlength={40} />
    </Form>
  );
  return { title: 'New customer', trail: [[root, 'Customers']], body };
};

const NewCustomer = z.object({ name: z.string(), email: z.string(), phone: optionalText });

const Registered = z.object({ customer: z.object({ id: z.int() }) });

/**
 * Registers a customer with a password that nobody knows. The same form sent twice is one registration. The session
 * that it opens is held by nobody, and expires.
 */
async function create(
  request: PageRequest,
  { phone, ...named }: z.output<typeof NewCustomer>,
): Promise<Outcome> {
  const once = onceOf(request) || randomBase62(24);
  const made = await request.api({
    method: 'POST',
    path: '/v1/customers/register',
    once,
    answer: Registered,
    body: { ...named, ...(phone !== null && { phone }), password: unknownPassword(request, once) },
  });
  if (made.ok) return { to: `${root}/${made.value.customer.id}`, note: 'created' };
  const { formError } = made;
  if (formError.code !== 'email_taken') return made;
  return { formError: { ...formError, errors: { email: [formError.message] } } };
}

/** Returns a password that only this service can compute: the same one for the same form. */
function unknownPassword({ env, tenant }: PageRequest, once: string): string {
  const [version] = keyVersions(env);
  if (version === undefined) throw new Error('There is always a master key');
  return digest62({ env, version, purpose: 'first-password' }, `${tenant.id}:${once}`, 40);
}

/** The pages that create a customer. */
export const newCustomerPages: readonly Page[] = formPages(
  { path: NEW_CUSTOMER_PATH, audience: 'developer', needs: 'staff', form: NewCustomer },
  newPage,
  create,
);
