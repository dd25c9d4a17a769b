import { z } from 'zod';
import { sameText } from '../kernel/crypto/crypto.ts';
import { checkPassword, hashPassword } from '../kernel/crypto/password.ts';
import { directory } from '../kernel/data/database.ts';
import { connectingNetwork } from '../kernel/http/client-ip.ts';
import { ANONYMOUS_LOOKUPS, NetworkThrottle } from '../kernel/http/network-throttle.ts';
import { rawText } from '../kernel/text/text.ts';
import {
  accept,
  accountName,
  accountOf,
  asFormError,
  EmailField,
  Field,
  Form,
  type FormError,
  forgiveGuesses,
  forgivePassword,
  form,
  formPages,
  invited,
  NewPasswordField,
  type Outcome,
  type Page,
  type PageRequest,
  PasswordField,
  passwordThrottles,
  personWho,
  RESUME_FIELD,
  rehash,
  rejectTooMany,
  safePath,
  signInAdmin,
  signInDeveloper,
  signInNetwork,
  signOut,
  withTenant,
} from '../web/index.ts';
import { PersonEmail } from './people/one-time-link.tsx';

/**
 * The hidden fields of a sign-in form: where to go afterwards, and the form that was typed when the session had
 * ended.
 */
const Onwards = ({ request, area }: { request: PageRequest; area: 'admin' | 'developer' }) => {
  const [held] = request.sent[RESUME_FIELD] ?? [];
  const next = nextOf(request, area);
  return (
    <>
      {held && (
        <p class="note warn">
          Your session has ended, and nothing was saved. Sign in to see the form again with what you typed.
          Passwords and files are not kept.
        </p>
      )}
      {held && <input type="hidden" name={RESUME_FIELD} value={held} />}
      {next !== `/${area}` && <input type="hidden" name="next" value={next} />}
    </>
  );
};

/** Returns the path to continue at after signing in; always one of this area. */
const nextOf = (request: PageRequest, area: 'admin' | 'developer'): string =>
  safePath(request.sent.next?.[0] ?? request.query('next'), area);

const adminSignIn = async (request: PageRequest, formError: FormError | null) => ({
  title: 'Super-admin sign-in',
  body: (
    <Form request={request} action="/admin/sign-in" submit="Sign in">
      <Onwards request={request} area="admin" />
      <Field
        f={{ request, formError }}
        name="secret"
        label="Super-admin token"
        type="password"
        required
        attributes={{ autocomplete: 'current-password' }}
      />
    </Form>
  ),
});

async function openAdmin(request: PageRequest, { secret }: { secret: string }): Promise<Outcome> {
  const source = `admin:${signInNetwork(request)}`;
  const refused = await rejectTooMany(request, [{ source, burst: 10, intervalMs: 30_000 }]);
  if (refused) return refused;
  const expected = request.env.SUPER_ADMIN_TOKEN;
  if (!expected || !sameText(secret, expected)) return asFormError('The token is incorrect.', 401, 'secret');
  await forgiveGuesses(request.env, source);
  const ticket = await signInAdmin(request.c);
  return { to: nextOf(request, 'admin'), signedIn: { area: 'admin', ticket } };
}

const developerSignIn = async (request: PageRequest, formError: FormError | null) => {
  const f = { request, formError };
  return {
    title: 'Sign in to your shop',
    body: (
      <>
        <Form request={request} action="/developer/sign-in" submit="Sign in">
          <Onwards request={request} area="developer" />
          <Field
            f={f}
            name="shop"
            label="Shop"
            value={request.query('shop')}
            hint="Its short name, such as acme"
            required
            attributes={{ autocomplete: 'organization', autocapitalize: 'none' }}
          />
          <EmailField f={f} />
          <PasswordField f={f} />
        </Form>
        <p>
          <a href="/developer/forgotten-password">Forgotten your password?</a>
        </p>
        <p class="hint">Accounts are by invitation only. Ask an owner of the shop for one.</p>
      </>
    ),
  };
};

const Password = rawText(256, { least: 8 });

const Credentials = z.object({
  shop: z.string().trim().toLowerCase().max(41),
  email: PersonEmail,
  password: rawText(256),
});

const INCORRECT = asFormError('The shop, e-mail or password is incorrect.', 401);

/** Signs in a developer. A wrong password and an unknown account get the same response after the same work. */
async function openDeveloper(request: PageRequest, input: z.output<typeof Credentials>): Promise<Outcome> {
  const account = accountName(input.shop, input.email);
  const refused = await rejectTooMany(request, passwordThrottles(request, account));
  if (refused) return refused;
  const user = await accountOf(request.env, input.shop, input.email);
  const check = checkPassword(request.env, input.password, user?.passwordHash ?? null);
  // The tenant is read only now: the time of a response must not tell whether there is an account.
  const developer = check.right ? await withTenant(request.env, user) : null;
  if (!developer) return INCORRECT;
  const db = directory(request.env);
  const ticket = await signInDeveloper(request.c, developer);
  // The password was changed meanwhile.
  if (!ticket) return INCORRECT;
  if (check.stale) await rehash(db, developer.user, hashPassword(request.env, input.password));
  await forgivePassword(request, account);
  return { to: nextOf(request, 'developer'), signedIn: { area: 'developer', ticket } };
}

/** Links that nobody has (any more), by the network that opened them: each is looked up in D1. */
const unknownLinks = new NetworkThrottle(ANONYMOUS_LOOKUPS);

const NO_LINK = asFormError(
  'This link was used or has expired. If you have set a password with it, sign in. Otherwise ask for a new one.',
  404,
);

/** Returns whom the link in the path is for, or why it can't be used: 429 for networks that open many unknown ones. */
async function holderOf({ c, env, param }: PageRequest) {
  const network = connectingNetwork(c);
  const retryAfter = unknownLinks.retryAfter(network);
  if (retryAfter > 0) {
    const { formError } = asFormError(
      'Too many links that are not valid were opened. Wait and try again.',
      429,
    );
    return { formError: { ...formError, retryAfter } };
  }
  const who = await invited(env, param('token'));
  if (!who) unknownLinks.record(network);
  return who ?? NO_LINK;
}

const invitation = async (request: PageRequest, formError: FormError | null) => {
  const who = await holderOf(request);
  if ('formError' in who) return who;
  const joined = who.user.acceptedAt !== null;
  return {
    title: joined ? 'Choose a new password' : `Join ${who.tenant.name}`,
    body: (
      <Form request={request} action={request.c.req.path} submit="Set password and sign in">
        <p>
          {joined ? 'Hello' : 'Welcome'}, {who.user.name}. You will sign in to the shop{' '}
          <b>{who.tenant.slug}</b> as <b>{who.user.email}</b>.
        </p>
        <NewPasswordField
          f={{ request, formError }}
          label="Choose a password"
          hint="At least 8 characters. A phrase of several words is stronger than one word"
        />
      </Form>
    ),
  };
};

/** Sets a password by a one-time link. That of somebody who has joined is recorded; the others appear under People. */
async function join(request: PageRequest, { password }: { password: string }): Promise<Outcome> {
  const who = await holderOf(request);
  if ('formError' in who) return who;
  const { user, tenant } = who;
  const passwordHash = hashPassword(request.env, password);
  const subject = { kind: 'people', id: String(user.id), name: user.name };
  const reset = { action: 'resetPassword', tenant: tenant.slug, subject, by: personWho(user) };
  const change = user.acceptedAt === null ? null : await request.audited(reset);
  const db = directory(change?.env ?? request.env);
  if (!(await accept(db, request.param('token'), passwordHash))) {
    await change?.discard();
    return NO_LINK;
  }
  const developer = { ...who, user: { ...user, passwordHash } };
  if (!(await signInDeveloper(request.c, developer))) return NO_LINK;
  return { to: '/developer', note: user.acceptedAt === null ? 'welcome' : 'password_changed' };
}

const leave = (area: 'admin' | 'developer') =>
  form(
    { path: `/${area}/sign-out`, audience: area, needs: 'read_only', form: z.object({}) },
    adminSignIn,
    async ({ c }) => {
      await signOut(c, area);
      return { to: `/${area}/sign-in`, note: 'signed_out' };
    },
  );

const anyone = 'anyone' as const;
/** The pages that sign in and out, and that accept an invitation. */
export const signInPages: readonly Page[] = [
  ...formPages(
    { path: '/admin/sign-in', audience: anyone, form: z.object({ secret: z.string().min(1).max(500) }) },
    adminSignIn,
    openAdmin,
  ),
  leave('admin'),
  ...formPages(
    { path: '/developer/sign-in', audience: anyone, form: Credentials },
    developerSignIn,
    openDeveloper,
  ),
  leave('developer'),
  ...formPages(
    { path: '/developer/invitations/:token', audience: anyone, form: z.object({ password: Password }) },
    invitation,
    join,
  ),
];
