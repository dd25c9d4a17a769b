import { z } from 'zod';
import { rawText } from '../kernel/core/text.ts';
import { sameText } from '../kernel/crypto/crypto.ts';
import { checkPassword, hashPassword } from '../kernel/crypto/password.ts';
import { database } from '../kernel/data/database.ts';
import { connectingNetwork } from '../kernel/http/client-ip.ts';
import {
  accept,
  accountOf,
  asTrouble,
  EmailField,
  Field,
  Form,
  type FormError,
  forgiveGuesses,
  form,
  getPage,
  invited,
  mayGuess,
  NewPasswordField,
  type Outcome,
  type Page,
  type PageRequest,
  PasswordField,
  rehash,
  type SignInThrottle,
  signInAdmin,
  signInDeveloper,
  signOut,
} from '../web/index.ts';

/** Who guesses is known by the network that they connect from: an IPv4 address, or an IPv6 /64. */
const networkOf = ({ c }: PageRequest): string => connectingNetwork(c) || 'here';

/** Charges a guess to each source; answers the refusal as soon as one has had enough, else null. */
async function tooMany(visit: PageRequest, paces: readonly SignInThrottle[]): Promise<Outcome | null> {
  for (const pace of paces) {
    if (await mayGuess(database(visit.env), pace)) continue;
    const refused = asTrouble('Too many tries. Wait a few minutes and try again.', 429);
    // A place becomes free once in each interval.
    return { trouble: { ...refused.trouble, retryAfter: Math.ceil(pace.interval / 1000) } };
  }
  return null;
}

const adminSignIn = async (visit: PageRequest, wrong: FormError | null) => ({
  title: 'Super-admin',
  body: (
    <Form visit={visit} action="/admin/sign-in" submit="Sign in">
      <Field
        f={{ visit, trouble: wrong }}
        name="secret"
        label="Super-admin token"
        type="password"
        required
        attributes={{ autocomplete: 'current-password' }}
      />
    </Form>
  ),
});

async function openAdmin(visit: PageRequest, { secret }: { secret: string }): Promise<Outcome> {
  const source = `admin:${networkOf(visit)}`;
  const refused = await tooMany(visit, [{ source, burst: 10, interval: 30_000 }]);
  if (refused) return refused;
  const expected = visit.env.SUPER_ADMIN_TOKEN;
  if (!expected || !sameText(secret, expected)) return asTrouble('This is not the token.', 401, 'secret');
  await forgiveGuesses(database(visit.env), source);
  await signInAdmin(visit.c);
  return { to: '/admin' };
}

const developerSignIn = async (visit: PageRequest, wrong: FormError | null) => {
  const f = { visit, trouble: wrong };
  return {
    title: 'Developer sign-in',
    body: (
      <>
        <Form visit={visit} action="/developer/sign-in" submit="Sign in">
          <Field
            f={f}
            name="shop"
            label="Shop"
            value={visit.query('shop')}
            hint="Its short name, such as acme"
            required
            attributes={{ autocomplete: 'organization', autocapitalize: 'none' }}
          />
          <EmailField f={f} />
          <PasswordField f={f} />
        </Form>
        <p class="hint">Accounts are by invitation. Ask who runs the platform.</p>
      </>
    ),
  };
};

const Email = z.string().trim().toLowerCase().pipe(z.email('must be an e-mail address').max(254));
const Password = rawText(256, { least: 8 });

const Credentials = z.object({
  shop: z.string().trim().toLowerCase().max(41),
  email: Email,
  password: rawText(256),
});

/** The same answer and the same work for a wrong password and for an account that isn't there. */
async function openDeveloper(visit: PageRequest, input: z.output<typeof Credentials>): Promise<Outcome> {
  const db = database(visit.env);
  const account = `${input.shop}:${input.email}`;
  const network = networkOf(visit);
  const paces = [
    { source: `network:${network}`, burst: 20, interval: 6_000 },
    { source: `pair:${account}:${network}`, burst: 8, interval: 60_000 },
    { source: `account:${account}`, burst: 40, interval: 30_000 },
  ];
  const refused = await tooMany(visit, paces);
  if (refused) return refused;
  const developer = await accountOf(db, input.shop, input.email);
  const check = checkPassword(visit.env, input.password, developer?.user.passwordHash ?? null);
  if (!developer || !check.right) return asTrouble('Shop, e-mail or password is wrong.', 401);
  if (check.stale) await rehash(db, developer.user, hashPassword(visit.env, input.password));
  await forgiveGuesses(db, `pair:${account}:${network}`);
  await signInDeveloper(visit.c, developer);
  return { to: '/developer' };
}

const invitation = async (visit: PageRequest, wrong: FormError | null) => {
  const who = await invited(database(visit.env), visit.param('token'));
  if (!who) return asTrouble('This invitation was used or has ended. Ask for a new one.', 404);
  return {
    title: `Join ${who.tenant.name}`,
    body: (
      <Form visit={visit} action={visit.c.req.path} submit="Set password and sign in">
        <p>
          Welcome, {who.user.name}. You will sign in to the shop <b>{who.tenant.slug}</b> as{' '}
          <b>{who.user.email}</b>.
        </p>
        <NewPasswordField
          f={{ visit, trouble: wrong }}
          label="Choose a password"
          hint="At least 8 characters; a few words are better than one"
        />
      </Form>
    ),
  };
};

async function join(visit: PageRequest, { password }: { password: string }): Promise<Outcome> {
  const db = database(visit.env);
  const token = visit.param('token');
  const who = await invited(db, token);
  const hash = who && hashPassword(visit.env, password);
  if (!who || !hash || !(await accept(db, token, hash))) {
    return asTrouble('This invitation was used or has ended. Ask for a new one.', 404);
  }
  await signInDeveloper(visit.c, who);
  return { to: '/developer', note: 'welcome' };
}

const leave = (area: 'admin' | 'developer') =>
  form({ path: `/${area}/sign-out`, audience: area, form: z.object({}) }, adminSignIn, async ({ c }) => {
    await signOut(c, area);
    return { to: `/${area}/sign-in`, note: 'signed_out' };
  });

const anyone = 'anyone' as const;
const atInvitation = { path: '/developer/invitations/:token', audience: anyone } as const;

/** Signing in and out, and accepting an invitation. */
export const signInPages: readonly Page[] = [
  getPage({ path: '/admin/sign-in', audience: anyone }, adminSignIn),
  form(
    { path: '/admin/sign-in', audience: anyone, form: z.object({ secret: z.string().min(1).max(500) }) },
    adminSignIn,
    openAdmin,
  ),
  leave('admin'),
  getPage({ path: '/developer/sign-in', audience: anyone }, developerSignIn),
  form({ path: '/developer/sign-in', audience: anyone, form: Credentials }, developerSignIn, openDeveloper),
  leave('developer'),
  getPage(atInvitation, invitation),
  form({ ...atInvitation, form: z.object({ password: Password }) }, invitation, join),
];
