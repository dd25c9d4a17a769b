import type { z } from '@hono/zod-openapi';
import { toItsEnd } from '../kernel/async/to-its-end.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { batch, database, directory, violation } from '../kernel/data/database.ts';
import { claimIdRange } from '../kernel/data/ids.ts';
import { jurisdictionOf } from '../kernel/data/jurisdiction.ts';
import { tenantContext } from '../kernel/data/tenant-context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { mediaTypeOf } from '../kernel/input/body.ts';
import { placedStatement, placementStatements, resumePlacement } from '../kernel/shards/placements.ts';
import { shardOf } from '../kernel/shards/shard-map.ts';
import { shardNumber } from '../kernel/shards/shard-names.ts';
import { IMAGE_TYPES, MAX_IMAGE_BYTES, restoreImage } from '../media/index.ts';
import {
  backgroundWork,
  isAvailable,
  SlugParam,
  shardsIn,
  type TenantRow,
  tenantBySlug,
} from '../tenants/index.ts';
import { transferExamples } from './examples.ts';
import { exportPage } from './export-page.ts';
import { headerOf, unreadableKeys } from './header.ts';
import { importRecords } from './import-records.ts';
import {
  ExportPage,
  ExportQuery,
  ImportAnswer,
  ImportBody,
  MAX_IMPORT_BYTES,
  MediaParams,
  TenantsRow,
  type TransferRecord,
} from './schemas.ts';

const PLATFORM = { tag: 'Platform: moving tenants', access: 'platform' } as const;
const path = '/admin/v1/tenants/{slug}';

const exportTenant = endpoint(
  {
    ...PLATFORM,
    method: 'get',
    path: `${path}/export`,
    id: 'exportTenant',
    summary: "Export a page of a tenant's data",
    description:
      'Everything that is stored for the tenant, row by row, and the carts that belong to its customers or to a checkout. Follow `next_cursor` to the end. Not a snapshot. Of a suspended tenant holds and unpaid orders still end: what two exports in a row agree on is a copy at one moment. Images are read from their public URLs. Secrets stay sealed.',
    params: SlugParam,
    query: ExportQuery,
    answer: ExportPage,
    errors: ['tenant_not_found'],
    example: transferExamples.exportPage,
  },
  async (call) => {
    const { env, params, query } = call;
    const tenant = await tenantBySlug(env, params.slug);
    if (!tenant.ok) return tenant;
    const work = backgroundWork(call, tenant.value.id);
    const [header, page] = await Promise.all([headerOf(env), exportPage(work.ctx, query.cursor)]);
    await work.pause();
    return ok({ header, data: page.data, meta: { next_cursor: page.next } });
  },
);

const importTenant = endpoint(
  {
    ...PLATFORM,
    method: 'put',
    path: `${path}/import`,
    id: 'importTenant',
    summary: "Import records of a tenant's export",
    description:
      'Writes records in their order. The first call begins with the `tenants` record and makes the tenant, suspended; activate it with `PATCH /admin/v1/tenants/{slug}` once all is imported, and rebuild its search. Until then no background work changes it. Ids stay the same: `conflict` if another tenant has one, or the tenant is active. Records that are there already stay as they are, so a call can be repeated. Takes exports of the same release only.',
    params: SlugParam,
    body: ImportBody,
    maxBytes: MAX_IMPORT_BYTES,
    answer: ImportAnswer,
    errors: ['tenant_not_found', 'conflict'],
    example: transferExamples.importPage,
  },
  async (call) => {
    const { env, params } = call;
    const { header, records } = call.body;
    const own = await headerOf(env);
    if (header.schema !== own.schema) {
      return fail('conflict', { message: `The export has the schema ${header.schema}, not ${own.schema}.` });
    }
    const tenantId = await importedTenant(env, params.slug, records);
    if (!tenantId.ok) return tenantId;
    const ctx = tenantContext(call, tenantId.value);
    const written = await importRecords(ctx, records);
    if (!written.ok) return written;
    if (records[0]?.table === 'tenants') await batch(directory(env), [placedStatement(env, ctx.tenantId)]);
    return ok({ written: written.value, unreadable_keys: unreadableKeys(header, own) });
  },
);

/** Returns the id of the tenant that records are imported to: the suspended one, or the one that they begin with. */
async function importedTenant(
  env: Env,
  slug: string,
  [first]: readonly TransferRecord[],
): Promise<Result<number>> {
  if (first?.table !== 'tenants') return suspendedTenant(env, slug).then(idOf);
  const row = TenantsRow.safeParse(first.row);
  if (!row.success || row.data.slug !== slug) {
    return fail('validation_error', { errors: { 'records.0.row': ['must be the row of this tenant'] } });
  }
  if (!isAvailable(env, jurisdictionOf(row.data.id))) {
    return fail('conflict', { message: "The tenant's jurisdiction is not available in this deployment." });
  }
  const known = await suspendedTenant(env, slug);
  if (known.ok || known.failure.code !== 'tenant_not_found') return idOf(known);
  return placeImported(env, row.data);
}

/** Places an imported tenant under its id; `conflict` if another tenant has it. */
async function placeImported(
  env: Env,
  { id: tenantId, slug, plan }: z.infer<typeof TenantsRow>,
): Promise<Result<number>> {
  const earlier = await resumePlacement(env, slug);
  if (earlier && earlier.tenantId !== tenantId) return ID_TAKEN;
  try {
    const candidates = shardsIn(env, jurisdictionOf(tenantId));
    const place = { slug, tenantId, candidates, alone: plan === 'enterprise' };
    if (!earlier) await batch(directory(env), placementStatements(env, place));
  } catch (error) {
    if (violation(error)?.kind === 'unique') return ID_TAKEN;
    throw error;
  }
  const db = database(env, tenantId);
  await batch(db, [claimIdRange(db, shardNumber(await shardOf(env, tenantId)))]);
  return ok(tenantId);
}

const ID_TAKEN = fail('conflict', { message: 'Another tenant has the id or the slug of this one.' });

const idOf = (tenant: Result<TenantRow>): Result<number> => (tenant.ok ? ok(tenant.value.id) : tenant);

async function suspendedTenant(env: Env, slug: string): Promise<Result<TenantRow>> {
  const tenant = await tenantBySlug(env, slug);
  if (!tenant.ok || tenant.value.status === 'suspended') return tenant;
  return fail('conflict', { message: 'The tenant is active. Suspend it to import into it.' });
}

const importMedia = endpoint(
  {
    ...PLATFORM,
    method: 'put',
    path: `${path}/import/media/{hash}`,
    id: 'importTenantMedia',
    summary: 'Import an image of a tenant',
    description:
      'The body is the file that the exporting deployment serves at `/media/{slug}/{hash}`. Can be repeated.',
    params: MediaParams,
    stream: { mediaTypes: IMAGE_TYPES, maxBytes: MAX_IMAGE_BYTES },
    status: 204,
    errors: ['tenant_not_found', 'conflict', 'invalid_image'],
    example: transferExamples.importMedia,
  },
  async (call) => {
    const { c, env, params, upload } = call;
    const tenant = await suspendedTenant(env, params.slug);
    if (!tenant.ok) return tenant;
    const mediaType = mediaTypeOf(c.req.raw.headers);
    const restoring = restoreImage(tenantContext(call, tenant.value.id), { ...params, mediaType, upload });
    return toItsEnd(call.ctx, restoring);
  },
);

/** The endpoints that move a tenant to another deployment. */
export const transferEndpoints: readonly Endpoint[] = [exportTenant, importTenant, importMedia];
