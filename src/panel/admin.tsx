import { z } from 'zod';
import { iso } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import { PageMeta } from '../kernel/pagination.ts';
import { PLAN_NAMES, PLANS, TenantAnswer } from '../tenants/index.ts';
import { type Trouble, tenantOf } from './api.ts';
import { applicationPages } from './applications.tsx';
import { Choice, Field, Form } from './form.tsx';
import { healthPage } from './health.tsx';
import { form, look, type Outcome, type Page, trouble, type Visit } from './page.ts';
import { Pages, Secret, State, Table, When } from './parts.tsx';
import { invite, listDevelopers, removeDeveloper } from './store.ts';

const TenantList = z.object({ data: z.array(TenantAnswer), meta: PageMeta });
const api = '/admin/v1/tenants';
const one = (visit: Visit): string => `${api}/${encodeURIComponent(visit.param('slug'))}`;

const plans = PLAN_NAMES.map(
  (plan) => [plan, `${plan} (${PLANS[plan].requestsPerMinute} a minute)`] as const,
);

const tenantsPage = async (visit: Visit) => {
  const page = encodeURIComponent(visit.query('page') || '1');
  const answer = await visit.platform('/', { path: `${api}?page=${page}`, answer: TenantList });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const rows = data.map((tenant) => [
    <a href={`/admin/tenants/${tenant.slug}`}>{tenant.name}</a>,
    tenant.slug,
    tenant.plan,
    <State is={tenant.status} />,
    <When at={tenant.created_at} />,
  ]);
  const body = (
    <>
      <Table label="Tenants" head={['Name', 'Slug', 'Plan', 'Status', 'Created']} rows={rows} />
      <Pages meta={meta} href={(to) => `/admin?page=${to}`} />
      <p>
        <a class="button" href="/admin/new-tenant">
          New tenant
        </a>
      </p>
    </>
  );
  return { title: 'Tenants', body };
};

const newTenantPage = async (visit: Visit, wrong: Trouble | null) => {
  const f = { visit, trouble: wrong };
  const body = (
    <Form visit={visit} action="/admin/new-tenant" submit="Create tenant">
      <Field f={f} name="name" label="Name" required attributes={{ maxlength: 255 }} />
      <Field
        f={f}
        name="slug"
        label="Slug"
        hint="Its short name in addresses: a–z, 0–9 and hyphens; it stays as it is"
        required
        attributes={{ pattern: '[a-z][a-z0-9\\-]{1,40}', autocapitalize: 'none' }}
      />
      <Field
        f={f}
        name="currency"
        label="Currency"
        value="EUR"
        hint="Three letters (ISO 4217); fixed once there is a product"
        required
        attributes={{ pattern: '[A-Z]{3}', size: 4 }}
      />
      <Choice f={f} name="plan" label="Plan" options={plans} value="starter" />
    </Form>
  );
  return { title: 'New tenant', body };
};

const NewTenant = z.object({
  name: z.string(),
  slug: z.string(),
  currency: z.string(),
  plan: z.string(),
});

async function createTenant(visit: Visit, input: z.output<typeof NewTenant>): Promise<Outcome> {
  const once = visit.sent._once?.[0];
  const made = await visit.platform('/', {
    method: 'POST',
    path: api,
    body: input,
    once,
    answer: TenantAnswer,
  });
  return made.ok ? { to: `/admin/tenants/${made.value.slug}`, note: 'created' } : made;
}

/** The developers of a tenant, with a form to invite one. */
const Developers = ({
  f,
  slug,
  people,
}: {
  f: { visit: Visit; trouble: Trouble | null };
  slug: string;
  people: Awaited<ReturnType<typeof listDevelopers>>;
}) => (
  <section aria-labelledby="developers">
    <h2 id="developers">Developers</h2>
    <Table
      label="List of developers"
      head={['Name', 'E-mail', 'Joined', 'Remove']}
      rows={people.map((person) => [
        person.name,
        person.email,
        <When at={person.acceptedAt === null ? null : iso(person.acceptedAt)} />,
        <Form
          visit={f.visit}
          action={`/admin/tenants/${slug}/developers/${person.id}/remove`}
          submit="Remove"
          about={person.name}
          quiet
        />,
      ])}
    />
    <h3>Invite a developer</h3>
    <Form visit={f.visit} action={`/admin/tenants/${slug}/developers`} submit="Make invitation">
      <Field f={f} name="developer_name" label="Their name" required attributes={{ maxlength: 120 }} />
      <Field
        f={f}
        name="developer_email"
        label="Their e-mail"
        type="email"
        hint="Somebody who is there already gets a new link, to set a new password"
        required
      />
    </Form>
  </section>
);

const tenantPage = async (visit: Visit, wrong: Trouble | null) => {
  const slug = visit.param('slug');
  const [answer, people] = await Promise.all([
    visit.platform(slug, { path: one(visit), answer: TenantAnswer }),
    listDevelopers(database(visit.env), slug),
  ]);
  if (!answer.ok) return answer;
  const tenant = answer.value;
  const f = { visit, trouble: wrong };
  const statuses = [
    ['active', 'Active'],
    ['suspended', 'Suspended: every call is refused'],
  ] as const;
  const body = (
    <>
      <dl class="facts">
        <div>
          <dt>Slug</dt>
          <dd>{tenant.slug}</dd>
        </div>
        <div>
          <dt>Currencies</dt>
          <dd>{tenant.currencies.join(', ')}</dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>
            <State is={tenant.status} />
          </dd>
        </div>
      </dl>
      <p>
        <a class="button" href={`/admin/tenants/${slug}/applications`}>
          Applications and tokens
        </a>
      </p>
      <section aria-labelledby="change">
        <h2 id="change">Change</h2>
        <Form visit={visit} action={`/admin/tenants/${slug}`} submit="Save">
          <Field f={f} name="name" label="Name" value={tenant.name} required />
          <Choice f={f} name="plan" label="Plan" options={plans} value={tenant.plan} />
          <Choice f={f} name="status" label="Status" options={statuses} value={tenant.status} />
        </Form>
      </section>
      <Developers f={f} slug={slug} people={people} />
    </>
  );
  return { title: tenant.name, body };
};

const TenantChange = z.object({ name: z.string(), plan: z.string(), status: z.string() });

async function changeTenant(visit: Visit, body: z.output<typeof TenantChange>): Promise<Outcome> {
  const changed = await visit.platform(visit.param('slug'), { method: 'PATCH', path: one(visit), body });
  return changed.ok ? { to: visit.c.req.path, note: 'saved' } : changed;
}

const Invitation = z.object({
  developer_name: z.string().trim().min(1, 'is required').max(120),
  developer_email: z.string().trim().toLowerCase().pipe(z.email('must be an e-mail address').max(254)),
});

/** The link is in the page that the form is answered with, and nowhere else. */
async function inviteDeveloper(visit: Visit, input: z.output<typeof Invitation>): Promise<Outcome> {
  const slug = visit.param('slug');
  const tenant = await tenantOf(visit.env, slug);
  if (!tenant.ok) return trouble('There is no such tenant.', 404);
  const who = { email: input.developer_email, name: input.developer_name };
  const token = await invite(database(visit.env), tenant.value.id, who);
  const link = new URL(`/developer/invitations/${token}`, visit.c.req.url).href;
  const body = (
    <>
      <p>Send this link to {who.email}. It works once, within 7 days.</p>
      <Secret label="Invitation link" value={link} />
      <p>
        <a class="button" href={`/admin/tenants/${slug}`}>
          Back to {tenant.value.name}
        </a>
      </p>
    </>
  );
  return { view: { title: `Invitation for ${who.name}`, body } };
}

async function remove(visit: Visit): Promise<Outcome> {
  const slug = visit.param('slug');
  const tenant = await tenantOf(visit.env, slug);
  const id = Number(visit.param('id'));
  const removed = tenant.ok && (await removeDeveloper(database(visit.env), tenant.value.id, id));
  return removed ? { to: `/admin/tenants/${slug}`, note: 'removed' } : trouble('No such developer.', 404);
}

const at = <Path extends `/admin${string}`>(path: Path) => ({ path, audience: 'admin' }) as const;
const tenant = at('/admin/tenants/:slug');

/** The super-admin's pages. */
export const adminPages: readonly Page[] = [
  look(at('/admin'), tenantsPage),
  look(at('/admin/health'), healthPage),
  look(at('/admin/new-tenant'), newTenantPage),
  form({ ...at('/admin/new-tenant'), form: NewTenant }, newTenantPage, createTenant),
  ...applicationPages({
    audience: 'admin',
    root: '/admin/tenants/:slug/applications',
    slug: (visit) => visit.param('slug'),
  }),
  look(tenant, tenantPage),
  form({ ...tenant, form: TenantChange }, tenantPage, changeTenant),
  form({ ...at('/admin/tenants/:slug/developers'), form: Invitation }, tenantPage, inviteDeveloper),
  form({ ...at('/admin/tenants/:slug/developers/:id/remove'), form: z.object({}) }, tenantPage, remove),
];
