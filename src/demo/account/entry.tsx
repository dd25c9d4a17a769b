import { z } from 'zod';
import type { CallOptions, Schemas } from '../../../client/src/index.ts';
import {
  asFormError,
  EmailField,
  Field,
  Form,
  type FormError,
  form,
  getPage,
  NewPasswordField,
  type Outcome,
  type Page,
  type PageRequest,
  PasswordField,
} from '../../web/index.ts';
import { attempt, isLost, onceKey, sentOnce, withKey } from '../frame/attempt.ts';
import { shopOf } from '../frame/session.ts';
import { entryPath, nextPath, ROOT } from './tabs.tsx';

const loginPage = async (request: PageRequest, formError: FormError | null) => {
  const f = { request, formError };
  const next = nextPath(request);
  const body = (
    <div class="entry">
      <Form request={request} action={entryPath('login', next)} submit="Sign in">
        <EmailField f={f} />
        <PasswordField f={f} />
      </Form>
      <p>
        <a href={`${ROOT}/forgotten`}>Forgotten your password?</a>
      </p>
      <p>
        New here? <a href={entryPath('register', next)}>Create an account</a>
      </p>
    </div>
  );
  return { title: 'Sign in', body };
};

const registerPage = async (request: PageRequest, formError: FormError | null) => {
  const f = { request, formError };
  const next = nextPath(request);
  const body = (
    <div class="entry">
      <Form request={request} action={entryPath('register', next)} submit="Register">
        <Field
          f={f}
          name="name"
          label="Name"
          required
          attributes={{ autocomplete: 'name', maxlength: 120 }}
        />
        <EmailField f={f} />
        <NewPasswordField f={f} label="Password" hint="At least 8 characters" />
      </Form>
      <p>
        Already have an account? <a href={entryPath('login', next)}>Sign in</a>
      </p>
    </div>
  );
  return { title: 'Create an account', body };
};

/**
 * Registers or logs in with the browser's cart, which becomes the customer's; a cart that is no longer usable is
 * dropped. The response's cart includes the items of the customer's earlier cart.
 */
async function enter(
  request: PageRequest,
  call: (options: CallOptions) => Promise<Schemas['CustomerSession']>,
): Promise<Outcome | null> {
  const client = shopOf(request);
  const once = onceKey(request);
  const send = (key = once) => attempt(call(withKey(key)));
  const cart = client.session.cartToken;
  let entered = await send();
  if (!entered.ok && cart && isLost(entered.formError)) {
    client.setSession({ cartToken: null });
    entered = await send(once && `${once}-alone`);
  }
  return entered.ok ? null : entered;
}

const Login = z.object({ email: z.string(), password: z.string() });

const login = async (request: PageRequest, person: z.output<typeof Login>): Promise<Outcome> => {
  const { customers } = shopOf(request);
  const failed = await enter(request, (options) => customers.login(person, options));
  return failed ?? { to: nextPath(request), note: 'signed_in' };
};

const Register = Login.extend({ name: z.string() });

const register = async (request: PageRequest, person: z.output<typeof Register>): Promise<Outcome> => {
  const { customers } = shopOf(request);
  const failed = await enter(request, (options) => customers.register(person, options));
  return failed ?? { to: nextPath(request), note: 'registered' };
};

async function logout(request: PageRequest): Promise<Outcome> {
  const client = shopOf(request);
  const ended = client.session.customerToken && (await attempt(client.customers.logout()));
  if (ended && !ended.ok && ended.formError.code !== 'invalid_customer_token') return ended;
  // The cart belongs to the customer: the next login restores it.
  client.setSession({ cartToken: null, customerToken: null });
  return { to: '/demo', note: 'signed_out' };
}

/** Only the shop's own server may make the link of a reset, and send it: a storefront's token can't. */
const forgottenPage = async () => ({
  title: 'Forgotten your password?',
  body: (
    <div class="entry">
      <p class="lead">
        Ask the shop for a link: it is valid for an hour and leads to a page where you choose a new password.
        This demo sends no e-mail by itself.
      </p>
      <p>
        <a class="button" href={`${ROOT}/login`}>
          Back to sign-in
        </a>
      </p>
    </div>
  ),
});

const resetPage = async (request: PageRequest, formError: FormError | null) => ({
  title: 'Choose a new password',
  body: (
    <div class="entry">
      <Form
        request={request}
        action={`${ROOT}/reset/${encodeURIComponent(request.param('token'))}`}
        submit="Set password"
      >
        <NewPasswordField f={{ request, formError }} label="New password" hint="At least 8 characters" />
      </Form>
    </div>
  ),
});

const Reset = z.object({ password: z.string() });

async function reset(request: PageRequest, { password }: z.output<typeof Reset>): Promise<Outcome> {
  const done = await attempt(
    shopOf(request).customers.resetPassword({ token: request.param('token'), password }, sentOnce(request)),
  );
  if (done.ok) return { to: ROOT, note: 'signed_in' };
  return done.formError.status === 404
    ? asFormError('This link is no longer valid. Ask the shop for another one.', 404)
    : done;
}

const at = (path: string) => ({ path: `${ROOT}${path}`, audience: 'anyone' }) as const;

/** Signing in and out, registration, and a new password by a link of the shop. */
export const entryPages: readonly Page[] = [
  getPage(at('/login'), loginPage),
  form({ ...at('/login'), form: Login }, loginPage, login),
  getPage(at('/register'), registerPage),
  form({ ...at('/register'), form: Register }, registerPage, register),
  form({ ...at('/logout'), form: z.object({}) }, loginPage, logout),
  getPage(at('/forgotten'), forgottenPage),
  getPage(at('/reset/:token'), resetPage),
  form({ ...at('/reset/:token'), form: Reset }, resetPage, reset),
];
