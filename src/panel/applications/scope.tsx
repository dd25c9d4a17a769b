import type { z } from 'zod';
import { Application, usageOf } from '../../access/index.ts';
import { PLANS, type TenantRow, tenantBySlug } from '../../tenants/index.ts';
import { type Answer, clip, type Link, type PageRequest, Use } from '../../web/index.ts';

/** Where the application pages are mounted: below a tenant for the super-admin, at the root for a developer. */
export interface PanelScope {
  readonly audience: 'admin' | 'developer';
  readonly root: `/admin${string}` | `/developer${string}`;
  /** Returns the slug of the request's tenant. */
  slug(request: PageRequest): string;
}

/** Returns the path of the list of applications. */
export const rootOf = (scope: PanelScope, request: PageRequest): string =>
  scope.root.replace(':slug', scope.slug(request));
/** Returns the API's path of the same list. */
export const apiOf = (scope: PanelScope, request: PageRequest): string =>
  `/admin/v1/tenants/${encodeURIComponent(scope.slug(request))}/applications`;

/** Returns the API's path of the request's application. */
export const apiPathOf = (scope: PanelScope, request: PageRequest): string =>
  `${apiOf(scope, request)}/${encodeURIComponent(request.param('id'))}`;

/** The outcome for an unknown slug. */
export const MISSING = { formError: { message: 'Tenant not found.', errors: {}, status: 404 } };

/** Reads the request's tenant from the database. */
export async function tenantRow(scope: PanelScope, request: PageRequest): Promise<TenantRow | null> {
  if (scope.audience === 'developer') return (await request.developer()).tenant;
  const found = await tenantBySlug(request.env, scope.slug(request));
  return found.ok ? found.value : null;
}

interface Loaded {
  readonly application: z.output<typeof Application>;
  readonly tenant: TenantRow;
}

/** Loads the request's application. */
export const loadApplication = (scope: PanelScope, request: PageRequest) =>
  request.platform(scope.slug(request), { path: apiPathOf(scope, request), answer: Application });

/** Loads the request's application and its tenant at once. */
export async function loadWithTenant(scope: PanelScope, request: PageRequest): Promise<Answer<Loaded>> {
  const [found, tenant] = await Promise.all([loadApplication(scope, request), tenantRow(scope, request)]);
  if (!found.ok) return found;
  return tenant ? { ok: true, value: { application: found.value, tenant } } : { ok: false, ...MISSING };
}

/** Shows an application's use of its rate limit in the last minute, read from its limiter. */
export async function useOf(
  request: PageRequest,
  tenant: TenantRow,
  { id, name, rate_limit_per_minute }: z.output<typeof Application>,
) {
  const plan = PLANS[tenant.plan].requestsPerMinute;
  const used = await usageOf(request.env, { tenantId: tenant.id, applicationId: id });
  const label = `Requests of ${clip(name)} in the last minute`;
  return <Use used={used} of={Math.min(rate_limit_per_minute ?? plan, plan)} label={label} />;
}

/** Returns the breadcrumbs above the list of applications. */
export const trailOf = (scope: PanelScope, tenant: TenantRow): Link[] =>
  scope.audience === 'admin'
    ? [
        ['/admin', 'Tenants'],
        [`/admin/tenants/${tenant.slug}`, clip(tenant.name, 40)],
      ]
    : [];

/** Returns the breadcrumbs above a page below the list; above what is done with an application, that leads to it too. */
export function trailBelow(
  scope: PanelScope,
  tenant: TenantRow,
  application?: Pick<z.output<typeof Application>, 'id' | 'name'>,
): Link[] {
  const root = scope.root.replace(':slug', tenant.slug);
  const one: Link[] = application ? [[`${root}/${application.id}`, clip(application.name, 60)]] : [];
  return [...trailOf(scope, tenant), [root, 'Applications'], ...one];
}
