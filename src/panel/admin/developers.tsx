import { z } from 'zod';
import { iso } from '../../kernel/core/clock.ts';
import { directory } from '../../kernel/data/database.ts';
import { type TenantRow, tenantBySlug } from '../../tenants/index.ts';
import {
  asFormError,
  Choice,
  clip,
  Field,
  type Filled,
  Form,
  form,
  invite,
  issueLink,
  type Link,
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
  Table,
  When,
} from '../../web/index.ts';
import { confirmPages, isGone } from '../confirm.tsx';
import {
  notInvited,
  PersonEmail,
  PersonName,
  PersonRole,
  ROLE_OPTIONS,
  showLink,
} from '../people/one-time-link.tsx';
import { recorded } from '../people/recorded.ts';
import { at } from './at.ts';
import { trailOf } from './new-tenant.tsx';

const PAGE_SIZE = 10;

interface Props {
  readonly f: Filled;
  readonly slug: string;
}

/** The buttons for one developer: a new invitation or password link, and removal. */
const Actions = ({ f, slug, of }: Props & { of: PanelUser }) => (
  <div class="actions">
    <Form
      request={f.request}
      action={`/admin/tenants/${slug}/developers/${of.id}/link`}
      submit={of.acceptedAt === null ? 'New invitation' : 'Reset password'}
      about={`of ${of.name}`}
      quiet
    />
    <a href={`/admin/tenants/${slug}/developers/${of.id}/remove`} aria-label={`Remove ${of.name}`}>
      Remove
    </a>
  </div>
);

/** The developers of a tenant. */
export const Developers = ({ f, slug, people }: Props & { people: readonly PanelUser[] }) => {
  const page = pageAsked(f.request);
  const { shown, meta } = pageOf(people, page, PAGE_SIZE);
  return (
    <Section id="developers" title="Developers">
      <Table
        label="List of developers"
        head={['Name', 'E-mail', 'Role', 'Joined', 'Actions']}
        rows={shown.map((person) => [
          clip(person.name),
          clip(person.email),
          ROLE_TEXTS[person.role].name,
          person.acceptedAt === null ? 'invited' : <When at={iso(person.acceptedAt)} />,
          <Actions f={f} slug={slug} of={person} />,
        ])}
        empty={<p>No developers yet. Invited developers sign in to their own panel.</p>}
        pages={{ meta, href: (to) => `/admin/tenants/${slug}?page=${to}` }}
      />
    </Section>
  );
};

/** The form that invites a developer. */
export const Invite = ({ f, slug }: Props) => (
  <Section id="invite" title="Invite a developer">
    <Form request={f.request} action={`/admin/tenants/${slug}/developers`} submit="Create invitation">
      <Field f={f} name="developer_name" label="Developer name" required maxlength={120} />
      <Field
        f={f}
        name="developer_email"
        label="Developer e-mail"
        type="email"
        hint="You get a link to send to them"
        required
      />
      <Choice f={f} name="developer_role" label="Role" options={ROLE_OPTIONS} value="owner" />
    </Form>
  </Section>
);

const Invitation = z.object({
  developer_name: PersonName,
  developer_email: PersonEmail,
  developer_role: PersonRole.default('owner'),
});

/** Runs a change of the people of the request's tenant. */
async function withTenant(
  request: PageRequest,
  act: (tenant: TenantRow, back: Link) => Promise<Outcome>,
): Promise<Outcome> {
  const slug = request.param('slug');
  const tenant = await tenantBySlug(request.env, slug);
  if (!tenant.ok) return asFormError('Tenant not found.', 404);
  return act(tenant.value, [`/admin/tenants/${slug}`, `Back to ${clip(tenant.value.name, 40)}`]);
}

const inviteDeveloper = (request: PageRequest, input: z.output<typeof Invitation>): Promise<Outcome> =>
  withTenant(request, async (tenant, back) => {
    const who = { email: input.developer_email, name: input.developer_name, role: input.developer_role };
    const invited = await recorded(request, { action: 'invitePerson', who, tenant }, (place) =>
      invite(place, who),
    );
    return typeof invited === 'string'
      ? notInvited(invited, { field: 'developer_email', advice: 'Use “Reset password” beside their name.' })
      : showLink(request, invited, back);
  });

const newLink = (request: PageRequest): Promise<Outcome> =>
  withTenant(request, async (tenant, back) => {
    const link = await recorded(request, { action: 'issuePersonLink', tenant }, (place, id) =>
      issueLink(place, id, ROLES),
    );
    return link ? showLink(request, link, back) : asFormError('Developer not found.', 404);
  });

const removal = async (request: PageRequest) => {
  const slug = request.param('slug');
  const people = await listDevelopers(directory(request.env), slug);
  const person = people.find(({ id }) => String(id) === request.param('id'));
  if (!person) return asFormError('Developer not found.', 404);
  return {
    title: `Remove ${clip(person.name, 60)}?`,
    trail: trailOf(slug),
    body: (
      <p>
        {clip(person.email)} is signed out everywhere and can't sign in to {slug} any more. Application tokens
        keep working.
      </p>
    ),
    submit: 'Remove developer',
    keep: [`/admin/tenants/${slug}`, 'Keep the developer'] as const,
  };
};

const remove = (request: PageRequest): Promise<Outcome> =>
  withTenant(request, async (tenant, [to]) => {
    const change = await recorded(request, { action: 'removePerson', tenant }, (place, id) =>
      removePerson(place, id, 'anyone'),
    );
    const isRemoved = change === 'done' || isGone(request);
    return isRemoved ? { to, note: 'removed' } : asFormError('Developer not found.', 404);
  });

/** The forms that manage a tenant's developers; `show` renders the page that contains them. */
export const developersPages = (show: Page['show']): readonly Page[] => [
  form({ ...at('/admin/tenants/:slug/developers'), form: Invitation }, show, inviteDeveloper),
  form({ ...at('/admin/tenants/:slug/developers/:id/link'), form: z.object({}) }, show, newLink),
  ...confirmPages(at('/admin/tenants/:slug/developers/:id/remove'), removal, remove),
];
