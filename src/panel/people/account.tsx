import { z } from 'zod';
import { iso } from '../../kernel/core/clock.ts';
import { checkPassword, hashPassword } from '../../kernel/crypto/password.ts';
import { directory } from '../../kernel/data/database.ts';
import { isMarked } from '../../kernel/data/idempotency-keys.ts';
import { rawText } from '../../kernel/text/text.ts';
import {
  accountName,
  asFormError,
  changePassword,
  endOwnSession,
  endSessions,
  Facts,
  Field,
  Form,
  type FormError,
  forgivePassword,
  formKey,
  formPages,
  getPage,
  listSessions,
  NewPasswordField,
  type Outcome,
  ownSessionHash,
  type Page,
  type PageRequest,
  type PanelSession,
  passwordThrottles,
  ROLE_TEXTS,
  rejectTooMany,
  Section,
  Table,
  When,
} from '../../web/index.ts';
import { confirmPages, isGone, type Question } from '../confirm.tsx';

const root = '/developer/account';

/** The length of a session's id in paths and forms: a prefix of its stored hash, which identifies nothing else. */
const ID_LENGTH = 20;

const idOf = ({ hash }: Pick<PanelSession, 'hash'>): string => hash.slice(0, ID_LENGTH);

interface SessionsProps {
  readonly request: PageRequest;
  readonly sessions: readonly PanelSession[];
}

const Sessions = ({ request, sessions }: SessionsProps) => {
  const own = ownSessionHash(request.c);
  return (
    <Section id="sessions" title="Where you are signed in">
      <Table
        label="Sessions"
        head={['Browser', 'Signed in', 'Last used', 'Action']}
        rows={sessions.map((session) => [
          session.device,
          <When at={iso(session.startedAt)} />,
          session.hash === own ? 'now, here' : <When at={iso(session.usedAt)} />,
          session.hash === own ? (
            ''
          ) : (
            <a href={`${root}/sessions/${idOf(session)}/end`} aria-label={`Sign out of ${session.device}`}>
              Sign out
            </a>
          ),
        ])}
      />
      <p class="hint">The time of the last use is recorded once an hour. A session ends after 12 hours.</p>
      {sessions.length > 1 && (
        <p>
          <a href={`${root}/end-other-sessions`}>Sign out everywhere else</a>
        </p>
      )}
    </Section>
  );
};

/** The user's own account. The id of its session comes from the cookie, so that all is read in one batch. */
const accountPage = async (request: PageRequest) => {
  const own = ownSessionHash(request.c);
  const [{ user }, sessions] = await Promise.all([
    request.developer(),
    listSessions(directory(request.env), own),
  ]);
  const { name, may } = ROLE_TEXTS[user.role];
  const body = (
    <>
      <Facts
        of={{ Name: user.name, 'E-mail': user.email, Role: `${name}. ${may}`, Shop: request.tenant.slug }}
      />
      <p>
        <a class="button secondary" href={`${root}/password`}>
          Change the password
        </a>
      </p>
      <Sessions request={request} sessions={sessions} />
    </>
  );
  return { title: 'Your account', body };
};

const trail = [[root, 'Your account']] as const;
const keep = [root, 'Stay signed in there'] as const;

async function endingSession(request: PageRequest): Promise<Question | Outcome> {
  const sessions = await listSessions(directory(request.env), ownSessionHash(request.c));
  const session = sessions.find((one) => idOf(one) === request.param('session'));
  if (!session) return ENDED;
  return {
    title: `Sign out of ${session.device}?`,
    trail,
    body: (
      <p>
        You were signed in there <When at={iso(session.startedAt)} />. What is typed there but not saved is
        lost.
      </p>
    ),
    submit: 'Sign out there',
    keep,
  };
}

const ENDED = asFormError('This session has ended already.', 404);

const endingOthers = async (): Promise<Question> => ({
  title: 'Sign out everywhere else?',
  trail,
  body: <p>All your other sessions end. You stay signed in here. Input there that was not saved is lost.</p>,
  submit: 'Sign out everywhere else',
  keep,
});

async function endSession(request: PageRequest): Promise<Outcome> {
  const { user } = await request.developer();
  const ended = await endOwnSession(directory(request.env), user.id, request.param('session'));
  return ended || isGone(request) ? { to: root, note: 'session_closed' } : ENDED;
}

async function endOthers(request: PageRequest): Promise<Outcome> {
  const { user } = await request.developer();
  await endSessions(directory(request.env), user.id, ownSessionHash(request.c));
  return { to: root, note: 'sessions_closed' };
}

const passwordPage = async (request: PageRequest, formError: FormError | null) => {
  const f = { request, formError };
  const body = (
    <Form request={request} action={`${root}/password`} submit="Change password">
      <Field
        f={f}
        name="current_password"
        label="Current password"
        type="password"
        required
        attributes={{ autocomplete: 'current-password' }}
      />
      <NewPasswordField f={f} label="New password" hint="At least 8 characters. Your other sessions end" />
    </Form>
  );
  return { title: 'Change the password', trail, body };
};

const PasswordChange = z.object({ current_password: rawText(256), password: rawText(256, { least: 8 }) });

const PASSWORD_CHANGED: Outcome = { to: root, note: 'password_changed' };

/** Changes the password. Wrong guesses at the current one count as those of a sign-in. */
async function setPassword(request: PageRequest, input: z.output<typeof PasswordChange>): Promise<Outcome> {
  const { user, tenant } = await request.developer();
  const account = accountName(tenant.slug, user.email);
  const refused = await rejectTooMany(request, passwordThrottles(request, account));
  if (refused) return refused;
  const isRight = (password: string) => checkPassword(request.env, password, user.passwordHash).right;
  const once = formKey(request, String(user.id));
  if (!isRight(input.current_password)) {
    // The new password is no second guess at it: the mark says that this very form has set one.
    const isDone = once && (await isMarked(directory(request.env), once)) && isRight(input.password);
    if (isDone) return PASSWORD_CHANGED;
    return asFormError('The current password is incorrect.', 403, 'current_password');
  }
  const passwordHash = hashPassword(request.env, input.password);
  const subject = { kind: 'people', id: String(user.id), name: user.name };
  const change = await request.audited({ action: 'changePassword', subject });
  const place = directory(change.env);
  if (!(await changePassword(place, user, { passwordHash, keep: ownSessionHash(request.c), once }))) {
    await change.discard();
    return asFormError('The password was changed elsewhere in the meantime. Try again with that one.', 409);
  }
  await forgivePassword(request, account);
  return PASSWORD_CHANGED;
}

/** Explains a forgotten password. It asks for nothing, so it can't tell whether an account exists. */
const forgottenPage = async () => ({
  title: 'Forgotten password',
  body: (
    <div class="card">
      <p>This service sends no e-mail. Somebody who knows you gives you a link that sets a new password:</p>
      <ul>
        <li>
          <b>Staff and read-only</b>: ask an owner of your shop. They find “Reset password” beside your name
          under People.
        </li>
        <li>
          <b>Owners</b>: ask the platform's operator.
        </li>
      </ul>
      <p>The link works once, within 24 hours. It ends all your sessions.</p>
      <p>
        <a href="/developer/sign-in">Back to the sign-in</a>
      </p>
    </div>
  ),
});

const at = (path: string) => ({
  path: `/developer/account${path}` as const,
  audience: 'developer' as const,
  needs: 'read_only' as const,
});

/** The pages of a user's own account: password and sessions. */
export const accountPages: readonly Page[] = [
  getPage(at(''), accountPage),
  ...formPages({ ...at('/password'), form: PasswordChange }, passwordPage, setPassword),
  ...confirmPages(at('/sessions/:session/end'), endingSession, endSession),
  ...confirmPages(at('/end-other-sessions'), endingOthers, endOthers),
  getPage({ path: '/developer/forgotten-password', audience: 'anyone' }, forgottenPage),
];
