import { z } from 'zod';
import { iso } from '../../kernel/core/clock.ts';
import { directory } from '../../kernel/data/database.ts';
import {
  asFormError,
  Choice,
  changeRole,
  clip,
  Field,
  type Filled,
  Form,
  type FormError,
  form,
  formPages,
  invite,
  issueLink,
  listDevelopers,
  type Outcome,
  type Page,
  type PageRequest,
  type PanelUser,
  pageAsked,
  pageOf,
  ROLE_TEXTS,
  ROLES,
  removePerson,
  Section,
  State,
  Table,
  When,
} from '../../web/index.ts';
import { confirmPages, isGone } from '../confirm.tsx';
import { notInvited, PersonEmail, PersonName, PersonRole, ROLE_OPTIONS, showLink } from './one-time-link.tsx';
import { recorded } from './recorded.ts';

const root = '/developer/people';

const PAGE_SIZE = 10;

const back = [root, 'Back to people'] as const;

interface PersonProps {
  readonly request: PageRequest;
  readonly person: PanelUser;
}

/** The form that changes a person's role, in a row of the list. */
const RoleForm = ({ request, person }: PersonProps) => (
  <Form
    request={request}
    action={`${root}/${person.id}/role`}
    submit="Change"
    about={`the role of ${person.name}`}
    quiet
  >
    <select name="role" aria-label={`Role of ${person.name}`}>
      {ROLES.map((role) => (
        <option value={role} selected={role === person.role}>
          {ROLE_TEXTS[role].name}
        </option>
      ))}
    </select>
  </Form>
);

/** The link to a person's removal, and the button for a new link. Only the operator resets an owner's password. */
const Actions = ({ request, person }: PersonProps) => (
  <div class="actions">
    {(person.acceptedAt === null || person.role !== 'owner') && (
      <Form
        request={request}
        action={`${root}/${person.id}/link`}
        submit={person.acceptedAt === null ? 'New invitation' : 'Reset password'}
        about={`of ${person.name}`}
        quiet
      />
    )}
    <a href={`${root}/${person.id}/remove`} aria-label={`Remove ${person.name}`}>
      Remove
    </a>
  </div>
);

const Invite = ({ f }: { f: Filled }) => (
  <Section id="invite" title="Invite somebody">
    <Form request={f.request} action={root} submit="Create invitation">
      <Field f={f} name="person_name" label="Name" required maxlength={120} />
      <Field
        f={f}
        name="person_email"
        label="E-mail"
        type="email"
        hint="They sign in with it. You get a link to send to them"
        required
      />
      <Choice f={f} name="person_role" label="Role" options={ROLE_OPTIONS} value="staff" />
    </Form>
  </Section>
);

const listPage = async (request: PageRequest, formError: FormError | null) => {
  const [people, { user }] = await Promise.all([
    listDevelopers(directory(request.env), request.tenant.slug),
    request.developer(),
  ]);
  const { shown, meta } = pageOf(people, pageAsked(request), PAGE_SIZE);
  const body = (
    <>
      <Table
        label="People"
        head={['Person', 'Joined', 'Role', 'Actions']}
        rows={shown.map((person) => [
          <>
            {clip(person.name)}
            {person.id === user.id && ' (you)'}
            <br />
            <small>{clip(person.email)}</small>
          </>,
          person.acceptedAt === null ? <State is="invited" /> : <When at={iso(person.acceptedAt)} />,
          <RoleForm request={request} person={person} />,
          <Actions request={request} person={person} />,
        ])}
        pages={{ meta, href: (to) => `${root}?page=${to}` }}
      />
      <Invite f={{ request, formError }} />
    </>
  );
  return { title: 'People', body };
};

const Invitation = z.object({
  person_name: PersonName,
  person_email: PersonEmail,
  person_role: PersonRole,
});

async function inviteSomebody(request: PageRequest, input: z.output<typeof Invitation>): Promise<Outcome> {
  const who = { name: input.person_name, email: input.person_email, role: input.person_role };
  const invited = await recorded(request, { action: 'invitePerson', who }, (place) => invite(place, who));
  if (typeof invited !== 'string') return showLink(request, invited, back);
  const advice = "Use “Reset password” beside their name; an owner's is reset by the platform's operator.";
  return notInvited(invited, { field: 'person_email', advice });
}

const MISSING = 'This person was removed.';

async function newLink(request: PageRequest): Promise<Outcome> {
  const link = await recorded(request, { action: 'issuePersonLink' }, (place, id) =>
    issueLink(place, id, ['staff', 'read_only']),
  );
  return link
    ? showLink(request, link, back)
    : asFormError(
        "This person was removed, or is an owner, whose password the platform's operator resets.",
        404,
      );
}

const LAST_OWNER = asFormError(
  'A shop needs an owner who has joined. Make somebody else an owner first.',
  409,
);

const RoleChange = z.object({ role: PersonRole });

async function setRole(request: PageRequest, { role }: z.output<typeof RoleChange>): Promise<Outcome> {
  const change = await recorded(request, { action: 'changePersonRole', role }, (place, id) =>
    changeRole(place, id, role),
  );
  if (change === 'last_owner') return LAST_OWNER;
  return change === 'missing' ? asFormError(MISSING, 404) : { to: root, note: 'saved' };
}

const removal = async (request: PageRequest) => {
  const people = await listDevelopers(directory(request.env), request.tenant.slug);
  const person = people.find(({ id }) => String(id) === request.param('id'));
  if (!person) return asFormError(MISSING, 404);
  return {
    title: `Remove ${clip(person.name, 60)}?`,
    trail: [[root, 'People']] as const,
    body: (
      <p>
        {clip(person.email)} is signed out everywhere and can't sign in any more. Application tokens and
        webhooks that they made keep working.
      </p>
    ),
    submit: 'Remove',
    keep: [root, 'Keep them'] as const,
  };
};

async function remove(request: PageRequest): Promise<Outcome> {
  const change = await recorded(request, { action: 'removePerson' }, (place, id) =>
    removePerson(place, id, 'not_last_owner'),
  );
  if (change === 'last_owner') return LAST_OWNER;
  const isRemoved = change === 'done' || isGone(request);
  return isRemoved ? { to: root, note: 'removed' } : asFormError(MISSING, 404);
}

const at = (path: string) =>
  ({ path: `/developer/people${path}`, audience: 'developer', needs: 'owner' }) as const;

/** The pages on which an owner manages who may use the tenant's panel. */
export const peoplePages: readonly Page[] = [
  ...formPages({ ...at(''), form: Invitation }, listPage, inviteSomebody),
  form({ ...at('/:id/role'), form: RoleChange }, listPage, setRole),
  form({ ...at('/:id/link'), form: z.object({}) }, listPage, newLink),
  ...confirmPages(at('/:id/remove'), removal, remove),
];
