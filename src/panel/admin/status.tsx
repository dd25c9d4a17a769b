import { z } from 'zod';
import { TenantAnswer } from '../../tenants/index.ts';
import { clip, Form, form, type Outcome, type Page, type PageRequest } from '../../web/index.ts';
import { confirmPages } from '../confirm.tsx';
import { at } from './at.ts';
import { trail } from './new-tenant.tsx';

/** A tenant, as the platform API shows it. */
export type StoredTenant = z.output<typeof TenantAnswer>;

/** Returns the API's path of the request's tenant. */
export const apiPath = (request: PageRequest): string =>
  `/admin/v1/tenants/${encodeURIComponent(request.param('slug'))}`;

/** The link that suspends a tenant, or the button that activates a suspended one. */
export const Access = ({ request, tenant }: { request: PageRequest; tenant: StoredTenant }) =>
  tenant.status === 'suspended' ? (
    <Form
      request={request}
      action={`/admin/tenants/${tenant.slug}/activate`}
      submit="Activate tenant"
      quiet
    />
  ) : (
    <p class="actions">
      <a class="button danger quiet" href={`/admin/tenants/${tenant.slug}/suspend`}>
        Suspend this tenant
      </a>
    </p>
  );

/** Loads the request's tenant. */
export const loadTenant = (request: PageRequest) =>
  request.platform(request.param('slug'), { path: apiPath(request), answer: TenantAnswer });

const suspension = async (request: PageRequest) => {
  const slug = request.param('slug');
  const answer = await loadTenant(request);
  if (!answer.ok) return answer;
  const name = clip(answer.value.name, 60);
  return {
    title: `Suspend ${name}?`,
    trail: [...trail, [`/admin/tenants/${slug}`, name]] as const,
    body: (
      <p>
        Within two seconds every API request, checkout page and panel page of this tenant is rejected. Its
        webhooks still send what has happened, and what ends by itself, such as unpaid orders. Nothing is
        deleted: activate the tenant to undo it.
      </p>
    ),
    submit: 'Suspend tenant',
    keep: [`/admin/tenants/${slug}`, 'Keep the tenant active'] as const,
  };
};

/** Returns the action that sets a tenant's status. Sent twice, it changes and records nothing the second time. */
const setStatus =
  (status: 'active' | 'suspended') =>
  async (request: PageRequest): Promise<Outcome> => {
    const slug = request.param('slug');
    const saved = { to: `/admin/tenants/${slug}`, note: 'saved' } as const;
    const known = await loadTenant(request);
    if (!known.ok || known.value.status === status) return known.ok ? saved : known;
    const ask = { method: 'PATCH', path: apiPath(request), body: { status } } as const;
    const changed = await request.platform(slug, ask);
    return changed.ok ? saved : changed;
  };

/** The pages that suspend and activate a tenant; `show` renders the tenant's page. */
export const statusPages = (show: Page['show']): readonly Page[] => [
  ...confirmPages(at('/admin/tenants/:slug/suspend'), suspension, setStatus('suspended')),
  form({ ...at('/admin/tenants/:slug/activate'), form: z.object({}) }, show, setStatus('active')),
];
