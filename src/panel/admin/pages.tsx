import { z } from 'zod';
import { PageMeta } from '../../kernel/core/pagination.ts';
import { directory } from '../../kernel/data/database.ts';
import { capitalized } from '../../kernel/text/text.ts';
import {
  formatQuota,
  PLANS,
  type Plan,
  QUOTA_NAMES,
  QUOTAS,
  type Quota,
  quotasUsed,
  TenantAnswer,
} from '../../tenants/index.ts';
import {
  Choice,
  clip,
  Facts,
  Field,
  type Filled,
  Form,
  type FormError,
  formPages,
  getPage,
  listDevelopers,
  type Outcome,
  type Page,
  type PageRequest,
  pageParam,
  Section,
  State,
  Table,
  When,
  words,
} from '../../web/index.ts';
import { applicationPages } from '../applications/pages.ts';
import { auditPages } from '../audit/audit-log.tsx';
import type { EditPart } from '../editing/changes.ts';
import { EditedParts, saveEdit } from '../editing/save-edit.tsx';
import {
  type Filters,
  filteredList,
  filteredPages,
  givenFilters,
  NoneFound,
  SearchForm,
} from '../search-form.tsx';
import { at } from './at.ts';
import { designPages } from './design.tsx';
import { Developers, developersPages, Invite } from './developers.tsx';
import { healthPages } from './health.tsx';
import { movePages } from './moves.tsx';
import { ANYWHERE, EU_ONLY, newTenantPages, plans, trail } from './new-tenant.tsx';
import { Access, apiPath, loadTenant, type StoredTenant, statusPages } from './status.tsx';

const TenantList = z.object({
  data: z.array(TenantAnswer),
  meta: PageMeta,
  unavailable: z.array(z.object({ slug: z.string(), shard: z.string() })),
});

const tenantsPage = async (request: PageRequest) => {
  const filters = givenFilters(request, ['q']);
  const path = `/admin/v1/tenants?page=${pageParam(request)}&${new URLSearchParams(filters)}`;
  return filteredList({
    title: 'Tenants',
    action: ['/admin/new-tenant', 'New tenant'],
    answer: await request.platform('/', { path, answer: TenantList }),
    above: (formError) => (
      <SearchForm
        action="/admin"
        filters={filters}
        label="Slug, name or id"
        maxlength={100}
        formError={formError}
      />
    ),
    list: (found) => <FoundTenants of={found} filters={filters} />,
  });
};

interface FoundTenantsProps {
  readonly of: z.output<typeof TenantList>;
  readonly filters: Filters;
}

const FoundTenants = ({ of: { data, meta, unavailable }, filters }: FoundTenantsProps) => {
  const known = data.map((tenant) => [
    <a href={`/admin/tenants/${tenant.slug}`}>{clip(tenant.name)}</a>,
    tenant.slug,
    tenant.plan,
    <State is={tenant.status} />,
    <When at={tenant.created_at} />,
  ]);
  const lost = unavailable.map(({ slug, shard }) => ['–', slug, '–', `${shard} can't be reached`, '–']);
  return (
    <Table
      label="Tenants"
      head={['Name', 'Slug', 'Plan', 'Status', 'Created']}
      rows={[...known, ...lost]}
      empty={
        <NoneFound filters={filters} things="tenants" all="/admin">
          <p>
            No tenants yet. <a href="/admin/new-tenant">Create the first one</a>, then invite its developers.
          </p>
        </NoneFound>
      }
      pages={filteredPages('/admin', filters, meta)}
    />
  );
};

const Change = ({ f, tenant }: { f: Filled; tenant: StoredTenant }) => (
  <Section id="change" title="Change">
    <Form request={f.request} action={`/admin/tenants/${tenant.slug}`} submit="Save">
      <EditedParts f={f} parts={PARTS} stored={tenant} />
      <Field f={f} name="name" label="Name" value={tenant.name} required />
      <Choice f={f} name="plan" label="Plan" options={plans} value={tenant.plan} />
      <Field
        f={f}
        name="currencies"
        label="Currencies"
        value={tenant.currencies.join(', ')}
        hint={`Every currency that the shop sells in. ${tenant.currency} stays the main currency`}
        required
      />
    </Form>
    <Access request={f.request} tenant={tenant} />
  </Section>
);

/** Returns the use of each quota by its name: "3 of 50" applications. */
const quotasOf = (plan: Plan, used: Readonly<Record<Quota, number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    QUOTAS.map((quota) => {
      const [count, limit] = [used[quota], PLANS[plan].quotas[quota]].map((value) =>
        formatQuota(quota, value),
      );
      const name = quota === 'media_bytes' ? 'storage of images' : QUOTA_NAMES[quota];
      return [capitalized(name), `${count} of ${limit}`] as const;
    }),
  );

const tenantPage = async (request: PageRequest, formError: FormError | null) => {
  const slug = request.param('slug');
  const [answer, people, used] = await Promise.all([
    loadTenant(request),
    listDevelopers(directory(request.env), slug),
    quotasUsed(request.env, slug),
  ]);
  if (!answer.ok) return answer;
  const tenant = answer.value;
  const f = { request, formError };
  const body = (
    <>
      <Facts
        of={{
          Slug: tenant.slug,
          Plan: tenant.plan,
          Currencies: tenant.currencies.join(', '),
          Status: <State is={tenant.status} />,
          'Data is stored': tenant.jurisdiction === null ? ANYWHERE : EU_ONLY,
          Payments: tenant.settings.payments,
          Created: <When at={tenant.created_at} />,
        }}
      />
      <h2>Quotas of the plan</h2>
      <Facts of={quotasOf(tenant.plan, used)} />
      <Developers f={f} slug={slug} people={people} />
      <div class="beside">
        <Invite f={f} slug={slug} />
        <Change f={f} tenant={tenant} />
      </div>
    </>
  );
  const action = [`/admin/tenants/${slug}/applications`, 'Applications and tokens'] as const;
  const actions = [[`/admin/tenants/${slug}/moves`, 'Moves between shards']] as const;
  return { title: clip(tenant.name, 120), trail, action, actions, body };
};

const TenantChange = z.object({
  name: z.string(),
  plan: z.string(),
  currencies: words.optional(),
});

const PARTS: readonly EditPart<StoredTenant>[] = [
  { key: 'name', label: 'Name' },
  { key: 'plan', label: 'Plan' },
  { key: 'currencies', label: 'Currencies' },
];

/** Saves what was changed here, and asks where somebody else has changed the same meanwhile. */
const changeTenant = (request: PageRequest, input: z.output<typeof TenantChange>): Promise<Outcome> => {
  const { currencies, ...fields } = input;
  const slug = request.param('slug');
  return saveEdit(request, {
    path: apiPath(request),
    call: (ask) => request.platform(slug, ask),
    load: () => loadTenant(request),
    parts: () => PARTS,
    values: { ...fields, ...(currencies && { currencies }) },
  });
};

const tenant = at('/admin/tenants/:slug');

/** The super-admin's pages. */
export const adminPages: readonly Page[] = [
  getPage(at('/admin'), tenantsPage),
  ...healthPages,
  ...designPages,
  ...auditPages({ audience: 'admin', root: '/admin/audit-log' }),
  ...newTenantPages,
  ...applicationPages({
    audience: 'admin',
    root: '/admin/tenants/:slug/applications',
    slug: (request) => request.param('slug'),
  }),
  ...formPages({ ...tenant, form: TenantChange }, tenantPage, changeTenant),
  ...statusPages(tenantPage),
  ...movePages,
  ...developersPages(tenantPage),
];
