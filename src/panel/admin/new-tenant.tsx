import { z } from 'zod';
import { isAvailable, PLAN_NAMES, PLANS, TenantAnswer } from '../../tenants/index.ts';
import {
  Choice,
  Field,
  Form,
  type FormError,
  formPages,
  type Outcome,
  onceOf,
  type Page,
  type PageRequest,
} from '../../web/index.ts';
import { at } from './at.ts';

/** The plans as options of a choice. */
export const plans = PLAN_NAMES.map(
  (plan) => [plan, `${plan} (${PLANS[plan].requestsPerMinute} requests per minute)`] as const,
);

/** The breadcrumbs above a tenant's page. */
export const trail = [['/admin', 'Tenants']] as const;

/** The breadcrumbs above a page about a tenant. */
export const trailOf = (slug: string) => [...trail, [`/admin/tenants/${slug}`, slug]] as const;

/** Where a tenant's data is stored, in words. */
export const ANYWHERE = 'anywhere';
export const EU_ONLY = 'in the EU only';
const JURISDICTIONS = [
  ['', ANYWHERE],
  ['eu', EU_ONLY],
] as const;

const newTenantPage = async (request: PageRequest, formError: FormError | null) => {
  const f = { request, formError };
  const body = (
    <Form request={request} action="/admin/new-tenant" submit="Create tenant">
      <Field f={f} name="name" label="Name" required maxlength={255} />
      <Field
        f={f}
        name="slug"
        label="Slug"
        hint="The short name in URLs: a–z, 0–9 and hyphens. It cannot be changed later"
        required
        attributes={{ pattern: '[a-z][a-z0-9\\-]{1,40}', autocapitalize: 'none' }}
      />
      <Field
        f={f}
        name="currency"
        label="Currency"
        value="EUR"
        hint="An ISO 4217 code. It cannot be changed once the tenant has products"
        required
        attributes={{ pattern: '[A-Z]{3}', size: 4 }}
      />
      <Choice f={f} name="plan" label="Plan" options={plans} value="starter" />
      {isAvailable(request.env, 'eu') && (
        <Choice
          f={f}
          name="jurisdiction"
          label="Where its data is stored"
          options={JURISDICTIONS}
          value=""
          hint="It cannot be changed later"
        />
      )}
    </Form>
  );
  return { title: 'New tenant', trail, body };
};

const NewTenant = z.object({
  name: z.string(),
  slug: z.string(),
  currency: z.string(),
  plan: z.string(),
  jurisdiction: z.string().optional(),
});

async function createTenant(
  request: PageRequest,
  { jurisdiction, ...input }: z.output<typeof NewTenant>,
): Promise<Outcome> {
  const once = onceOf(request);
  const made = await request.platform('/', {
    method: 'POST',
    path: '/admin/v1/tenants',
    body: { ...input, ...(jurisdiction && { jurisdiction }) },
    once,
    answer: TenantAnswer,
  });
  return made.ok ? { to: `/admin/tenants/${made.value.slug}`, note: 'created' } : made;
}

/** The pages of the form that creates a tenant. */
export const newTenantPages: readonly Page[] = formPages(
  { ...at('/admin/new-tenant'), form: NewTenant },
  newTenantPage,
  createTenant,
);
