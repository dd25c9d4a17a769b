import { z } from '@hono/zod-openapi';
import { entityTag, etagMatches, ifMatch } from '../kernel/cache/cached-body.ts';
import { listPages, PageMeta } from '../kernel/core/pagination.ts';
import { ok } from '../kernel/core/result.ts';
import { tenantContext } from '../kernel/data/tenant-context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { respond, setHeaders } from '../kernel/http/response.ts';
import { listPlacements, type PlacementSearch } from '../kernel/shards/placements.ts';
import { groupDigits, storedText } from '../kernel/text/text.ts';
import { createTenant } from './directory/create.ts';
import { MAX_FOUND, MAX_NAMES_READ, tenantIdsByName } from './directory/find-by-name.ts';
import { tenantExamples } from './examples.ts';
import { notifyTenantChanged } from './object/notify.ts';
import { patchTenant } from './patches/patch-tenant.ts';
import { presentTenant } from './present.ts';
import {
  Settings,
  SettingsChange,
  SlugParam,
  Tenant,
  TenantCreate,
  TenantPatch,
  UnavailableTenant,
} from './schemas.ts';
import { requireTenant, tenantBySlug, tenantsAt } from './store.ts';
import type { TenantRow } from './tables.ts';

const tag = 'Platform: tenants';
const path = '/admin/v1/tenants';

const create = endpoint(
  {
    method: 'post',
    path,
    tag,
    summary: 'Create a tenant',
    access: 'platform',
    body: TenantCreate,
    status: 201,
    answer: Tenant,
    errors: ['slug_taken', 'host_taken', 'plan_not_allowed'],
    example: tenantExamples.create,
  },
  async ({ env, body, once }) => {
    const created = await createTenant(env, body, once);
    return created.ok ? ok(presentTenant(created.value)) : created;
  },
);

/** Pages and cursors of the list of tenants: by slug. */
const tenantPages = listPages('tenants', z.string());

const TenantListQuery = z.object({
  ...tenantPages.query,
  q: storedText(100)
    .optional()
    .openapi({
      description: `The beginning of the slug, beginnings of words of the name, without case and accents, or the id that the log has in \`tenant\`. Names are compared for the ${groupDigits(MAX_NAMES_READ)} newest tenants of each shard that can be reached, and find at most ${groupDigits(MAX_FOUND)}.`,
    }),
});

/** A tenant's id. */
const TENANT_ID = /^\d{1,15}$/;

/** Returns what finds the tenants that a list is asked for; null for all. */
async function searchOf(env: Env, q: string | undefined): Promise<PlacementSearch | null> {
  if (q === undefined) return null;
  const named = await tenantIdsByName(env, q);
  return { slug: q.toLowerCase(), tenantIds: TENANT_ID.test(q) ? [Number(q), ...named] : named };
}

const list = endpoint(
  {
    method: 'get',
    path,
    tag,
    summary: 'List tenants',
    description:
      'Sorted by slug. Tenants of a shard that is unreachable are in `unavailable` instead of `data`.',
    access: 'platform',
    query: TenantListQuery,
    answer: z.object({ data: z.array(Tenant), meta: PageMeta, unavailable: z.array(UnavailableTenant) }),
    example: tenantExamples.list,
  },
  async ({ env, query }) => {
    const page = tenantPages.pageOf(query);
    const { rows, total } = await listPlacements(env, page, await searchOf(env, query.q));
    const shown = tenantPages.cut(rows, page, { total, key: ({ slug }) => slug });
    const { found, unavailable } = await tenantsAt(env, shown.rows);
    return ok({ data: found.map(presentTenant), meta: shown.meta, unavailable });
  },
);

const get = endpoint(
  {
    method: 'get',
    path: `${path}/{slug}`,
    tag,
    summary: 'Get a tenant',
    access: 'platform',
    params: SlugParam,
    answer: Tenant,
    errors: ['tenant_not_found'],
    example: tenantExamples.get,
  },
  async ({ env, params }) => {
    const found = await tenantBySlug(env, params.slug);
    return found.ok ? ok(presentTenant(found.value)) : found;
  },
);

const patch = endpoint(
  {
    method: 'patch',
    path: `${path}/{slug}`,
    tag,
    summary: 'Update a tenant',
    description:
      'Takes effect everywhere within 2 seconds of the response. `settings` are updated as by `PATCH /v1/settings`. `secrets` are stored encrypted and never shown.',
    access: 'platform',
    params: SlugParam,
    body: TenantPatch,
    answer: Tenant,
    errors: ['tenant_not_found', 'plan_not_allowed', 'host_taken', 'conflict'],
    example: tenantExamples.patch,
  },
  async (call) => {
    const { env, params, body } = call;
    const found = await tenantBySlug(env, params.slug);
    if (!found.ok) return found;
    const changed = await patchTenant(tenantContext(call, found.value.id), {
      patch: body,
      settingsAt: 'settings.',
    });
    if (!changed.ok) return changed;
    const notified = await notifyTenantChanged(env, found.value.id);
    return notified.ok ? ok(presentTenant(changed.value)) : notified;
  },
);

const getSettings = endpoint(
  {
    method: 'get',
    path: '/v1/settings',
    id: 'getSettings',
    tag: 'Settings',
    summary: "Get the tenant's settings",
    access: 'settings:read',
    answer: Settings,
    headers: {
      'If-None-Match': "The `ETag` of the client's copy: responds with 304 if the settings have not changed.",
    },
    example: tenantExamples.getSettings,
  },
  async (call) => {
    const { c } = call;
    const row = await requireTenant(call);
    const etag = tagOf(row);
    setHeaders(c, { ETag: etag });
    return etagMatches(c.req.header('if-none-match'), etag)
      ? respond(c, null, { status: 304 })
      : ok(row.settings);
  },
);

/** Returns the entity tag of a tenant's settings. */
const tagOf = ({ settings }: TenantRow): string => entityTag(JSON.stringify(settings));

const patchSettings = endpoint(
  {
    method: 'patch',
    path: '/v1/settings',
    id: 'updateSettings',
    tag: 'Settings',
    summary: "Update the tenant's settings",
    description:
      'Each given part, such as `tax` or `shipping`, is replaced as a whole; in `checkout` only the given fields are, and a null `external_url` removes it. `secrets` are stored encrypted and never shown.',
    access: 'settings:write',
    body: SettingsChange,
    answer: Settings,
    headers: { 'If-Match': 'Updates the settings only if they still have this `ETag`.' },
    errors: ['plan_not_allowed', 'host_taken', 'precondition_failed', 'conflict'],
    example: tenantExamples.patchSettings,
  },
  async (call) => {
    const { c, env, tenantId } = call;
    const { secrets, ...settings } = call.body;
    const patch = { settings, ...(secrets ? { secrets } : {}) };
    const expected = (row: TenantRow) => ifMatch(c.req.header('if-match'), tagOf(row));
    const changed = await patchTenant(call, { patch, settingsAt: '', expected });
    if (!changed.ok) return changed;
    const notified = await notifyTenantChanged(env, tenantId);
    if (!notified.ok) return notified;
    setHeaders(c, { 'X-Catalog-Version': String(changed.value.catalogVersion), ETag: tagOf(changed.value) });
    return ok(changed.value.settings);
  },
);

/** The platform API's endpoints for tenants, and those for a tenant's own settings. */
export const tenantEndpoints: readonly Endpoint[] = [create, list, get, patch, getSettings, patchSettings];
