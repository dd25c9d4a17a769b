import { z } from 'zod';
import { iso } from '../../kernel/core/clock.ts';
import { directory } from '../../kernel/data/database.ts';
import { text } from '../../kernel/text/text.ts';
import {
  asTrouble,
  clip,
  Field,
  type Filled,
  Form,
  form,
  invite,
  listDevelopers,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  type PanelUser,
  pageAsked,
  pageOf,
  removeDeveloper,
  Secret,
  Table,
  tenantOf,
  When,
} from '../../web/index.ts';
import { confirmPages } from '../confirm.tsx';

/** Developers on one page of the list. */
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
      action={`/admin/tenants/${slug}/developers`}
      submit={of.acceptedAt === null ? 'New invitation' : 'Reset password'}
      about={`of ${of.name}`}
      quiet
    >
      <input type="hidden" name="developer_name" value={of.name} />
      <input type="hidden" name="developer_email" value={of.email} />
    </Form>
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
    <section aria-labelledby="developers">
      <h2 id="developers">Developers</h2>
      <Table
        label="List of developers"
        head={['Name', 'E-mail', 'Joined', 'Actions']}
        rows={shown.map((person) => [
          clip(person.name),
          clip(person.email),
          person.acceptedAt === null ? 'invited' : <When at={iso(person.acceptedAt)} />,
          <Actions f={f} slug={slug} of={person} />,
        ])}
        empty={<p>No developers yet. Invited developers sign in to their own panel.</p>}
      />
      <Pages meta={meta} href={(to) => `/admin/tenants/${slug}?page=${to}`} />
    </section>
  );
};

/** The form that invites a developer. */
export const Invite = ({ f, slug }: Props) => (
  <section aria-labelledby="invite">
    <h2 id="invite">Invite a developer</h2>
    <Form request={f.request} action={`/admin/tenants/${slug}/developers`} submit="Create invitation">
      <Field f={f} name="developer_name" label="Developer name" required attributes={{ maxlength: 120 }} />
      <Field
        f={f}
        name="developer_email"
        label="Developer e-mail"
        type="email"
        hint="You get a link to send to them. For an existing developer, the link sets a new password"
        required
      />
    </Form>
  </section>
);

const Invitation = z.object({
  developer_name: text(120),
  developer_email: z.string().trim().toLowerCase().pipe(z.email('must be an e-mail address').max(254)),
});

/** Creates an invitation. Its link appears only in the response to this form: the database keeps a hash. */
async function inviteDeveloper(request: PageRequest, input: z.output<typeof Invitation>): Promise<Outcome> {
  const slug = request.param('slug');
  const tenant = await tenantOf(request.env, slug);
  if (!tenant.ok) return asTrouble('Tenant not found.', 404);
  const who = { email: input.developer_email, name: input.developer_name, role: 'owner' as const };
  const token = await invite({ db: directory(request.env), tenantId: tenant.value.id }, who);
  const link = new URL(`/developer/invitations/${token}`, request.c.req.url).href;
  const body = (
    <>
      <p>Send this link to {who.email}. It works once, within 7 days, and sets their password.</p>
      <Secret label="Invitation link" value={link} hint="It is shown only once." />
      <p>
        <a class="button" href={`/admin/tenants/${slug}`}>
          Back to {clip(tenant.value.name, 40)}
        </a>
      </p>
    </>
  );
  return { view: { title: `Invitation for ${who.name}`, body } };
}

const removal = async (request: PageRequest) => {
  const slug = request.param('slug');
  const people = await listDevelopers(directory(request.env), slug);
  const person = people.find(({ id }) => String(id) === request.param('id'));
  if (!person) return asTrouble('Developer not found.', 404);
  return {
    title: `Remove ${clip(person.name, 60)}?`,
    trail: [
      ['/admin', 'Tenants'],
      [`/admin/tenants/${slug}`, slug],
    ] as const,
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

async function remove(request: PageRequest): Promise<Outcome> {
  const slug = request.param('slug');
  const tenant = await tenantOf(request.env, slug);
  const id = Number(request.param('id'));
  const removed =
    tenant.ok && (await removeDeveloper({ db: directory(request.env), tenantId: tenant.value.id }, id));
  return removed ? { to: `/admin/tenants/${slug}`, note: 'removed' } : asTrouble('Developer not found.', 404);
}

/** The forms that manage a tenant's developers; `show` renders the page that contains them. */
export const developersPages = (show: Page['show']): readonly Page[] => {
  const at = (path: string) =>
    ({ path: `/admin/tenants/:slug/developers${path}`, audience: 'admin' }) as const;
  return [
    form({ ...at(''), form: Invitation }, show, inviteDeveloper),
    ...confirmPages(at('/:id/remove'), removal, remove),
  ];
};
