import type { z } from 'zod';
import { type Application, usageOf } from '../access/index.ts';
import { PLANS, type TenantRow } from '../tenants/index.ts';
import { clip, type Link, type PageRequest, tenantOf, Use } from '../web/index.ts';

/** Where the pages of applications are: below a tenant for the super-admin, at the top for a developer. */
export interface PanelScope {
  readonly audience: 'admin' | 'developer';
  readonly root: `/admin${string}` | `/developer${string}`;
  /** The slug of the tenant that a visit is about. */
  slug(visit: PageRequest): string;
}

/** The path of the list that a visit is about. */
export const rootOf = (place: PanelScope, visit: PageRequest): string =>
  place.root.replace(':slug', place.slug(visit));
/** The API's path of the same. */
export const apiOf = (place: PanelScope, visit: PageRequest): string =>
  `/admin/v1/tenants/${encodeURIComponent(place.slug(visit))}/applications`;

/** For a slug that nobody has. */
export const MISSING = { trouble: { message: 'There is no such tenant.', errors: {}, status: 404 } };

/** The tenant as it is now. */
export async function tenantRow(place: PanelScope, visit: PageRequest): Promise<TenantRow | null> {
  if (place.audience === 'developer') return (await visit.developer()).tenant;
  const found = await tenantOf(visit.env, place.slug(visit));
  return found.ok ? found.value : null;
}

/** What an application used of its limit in the last minute, by its limiter. */
export async function useOf(
  visit: PageRequest,
  tenant: TenantRow,
  { id, name, rate_limit_per_minute }: z.output<typeof Application>,
) {
  const plan = PLANS[tenant.plan].requestsPerMinute;
  const used = await usageOf(visit.env, tenant.id, id);
  const label = `Requests of ${clip(name)} in the last minute`;
  return <Use used={used} of={Math.min(rate_limit_per_minute ?? plan, plan)} label={label} />;
}

/** The pages above those of applications. */
export const trailOf = (place: PanelScope, tenant: TenantRow): Link[] =>
  place.audience === 'admin'
    ? [
        ['/admin', 'Tenants'],
        [`/admin/tenants/${tenant.slug}`, clip(tenant.name, 40)],
      ]
    : [];
