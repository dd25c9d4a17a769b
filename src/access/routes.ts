import { z } from '@hono/zod-openapi';
import { listPages, PageMeta } from '../kernel/core/pagination.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { type TenantContext, tenantContext } from '../kernel/data/tenant-context.ts';
import type { Call } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { tenantIdOf } from '../kernel/shards/placements.ts';
import { SlugParam } from '../tenants/index.ts';
import { accessExamples } from './examples.ts';
import { notifyApplicationChanged } from './limiter/limiter-client.ts';
import { presentApplication } from './present.ts';
import {
  Application,
  ApplicationCreate,
  ApplicationParams,
  ApplicationPatch,
  ApplicationWithToken,
} from './schemas.ts';
import {
  applicationById,
  createApplication,
  type Issued,
  listApplications,
  patchApplication,
  rotateToken,
} from './store.ts';
import { MAX_EARLIER_TOKENS } from './tables.ts';

const tag = 'Platform: applications';
const path = '/admin/v1/tenants/{slug}/applications';

/** Runs an action in the tenant that the path names. */
async function inTenant<T>(
  call: Call<{ slug: string }>,
  action: (ctx: TenantContext) => Promise<Result<T>>,
): Promise<Result<T>> {
  const tenantId = await tenantIdOf(call.env, call.params.slug);
  return tenantId === null ? fail('tenant_not_found') : action(tenantContext(call, tenantId));
}

/** Returns `answer` once a committed change of an application takes effect everywhere. */
async function inEffect<T>(
  { env, tenantId }: TenantContext,
  { id }: { readonly id: number },
  answer: T,
): Promise<Result<T>> {
  const notified = await notifyApplicationChanged(env, { tenantId, applicationId: id });
  return notified.ok ? ok(answer) : notified;
}

const presentIssued = ({ row, token }: Issued) => ({ ...presentApplication(row), token });

const create = endpoint(
  {
    method: 'post',
    path,
    tag,
    summary: 'Register an application',
    description: 'Returns the token, which is shown only once. `scopes` default to those of the `kind`.',
    access: 'platform',
    params: SlugParam,
    body: ApplicationCreate,
    status: 201,
    answer: ApplicationWithToken,
    errors: ['tenant_not_found', 'application_not_found', 'quota_exceeded'],
    examples: accessExamples.create,
  },
  (call) =>
    inTenant(call, async (ctx) => {
      const issued = await createApplication(ctx, call.body, call.once);
      return issued.ok ? ok(presentIssued(issued.value)) : issued;
    }),
);

/** Pages and cursors of the list of applications: by id. */
const applicationPages = listPages('applications', z.int());

const list = endpoint(
  {
    method: 'get',
    path,
    tag,
    summary: "List a tenant's applications",
    access: 'platform',
    params: SlugParam,
    query: z.object(applicationPages.query),
    answer: z.object({ data: z.array(Application), meta: PageMeta }),
    errors: ['tenant_not_found'],
    example: accessExamples.list,
  },
  (call) =>
    inTenant(call, async (ctx) => {
      const page = applicationPages.pageOf(call.query);
      const { rows, total } = await listApplications(ctx, page);
      const shown = applicationPages.cut(rows, page, { total, key: ({ id }) => id });
      return ok({ data: shown.rows.map(presentApplication), meta: shown.meta });
    }),
);

const get = endpoint(
  {
    method: 'get',
    path: `${path}/{id}`,
    tag,
    summary: 'Get an application',
    access: 'platform',
    params: ApplicationParams,
    answer: Application,
    errors: ['tenant_not_found', 'application_not_found'],
    example: accessExamples.get,
  },
  (call) =>
    inTenant(call, async (ctx) => {
      const found = await applicationById(ctx, call.params.id);
      return found.ok ? ok(presentApplication(found.value)) : found;
    }),
);

const patch = endpoint(
  {
    method: 'patch',
    path: `${path}/{id}`,
    tag,
    summary: 'Update an application',
    description: 'Takes effect everywhere within 2 seconds of the response.',
    access: 'platform',
    params: ApplicationParams,
    body: ApplicationPatch,
    answer: Application,
    errors: ['tenant_not_found', 'application_not_found'],
    example: accessExamples.patch,
  },
  (call) =>
    inTenant(call, async (ctx) => {
      const changed = await patchApplication(ctx, call.params.id, call.body);
      if (!changed.ok) return changed;
      return inEffect(ctx, changed.value, presentApplication(changed.value));
    }),
);

const rotate = endpoint(
  {
    method: 'post',
    path: `${path}/{id}/rotate`,
    id: 'rotateApplicationToken',
    tag,
    summary: "Rotate an application's token",
    description: `Returns the new token, which is shown only once. An earlier token keeps working for 24 hours after its rotation, under the same limit. At most ${MAX_EARLIER_TOKENS} earlier tokens work at a time; beyond that, \`quota_exceeded\`.`,
    access: 'platform',
    params: ApplicationParams,
    answer: ApplicationWithToken,
    errors: ['tenant_not_found', 'application_not_found', 'quota_exceeded'],
    example: accessExamples.rotate,
  },
  (call) =>
    inTenant(call, async (ctx) => {
      const rotated = await rotateToken(ctx, call.params.id, call.once);
      if (!rotated.ok) return rotated;
      return inEffect(ctx, rotated.value.row, presentIssued(rotated.value));
    }),
);

/** The platform API's endpoints for applications. */
export const accessEndpoints: readonly Endpoint[] = [create, list, get, patch, rotate];
