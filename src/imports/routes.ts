import { log } from '../kernel/core/log.ts';
import { fail, ok } from '../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { importExamples } from './examples.ts';
import { presentImport } from './present.ts';
import { enqueue } from './queue.ts';
import {
  Import,
  ImportList,
  ImportListQuery,
  ImportParams,
  ImportQuery,
  ImportStarted,
  importPages,
  MAX_FILE_BYTES,
} from './schemas.ts';
import { listImports, loadImport } from './store.ts';
import { receiveUpload } from './upload.ts';

const tag = 'Imports';

const create = endpoint(
  {
    method: 'post',
    path: '/v1/imports/products',
    id: 'createImport',
    tag,
    summary: 'Import a Shopify product CSV',
    description: `The body is the file, at most 32 MiB. It is imported in the background; \`GET /v1/imports/{id}\` returns the status.
A product is identified by its Handle, and its lines must be contiguous. Invalid lines are skipped and listed
in \`errors\`. Fields without a column in the file keep their values. Importing a file again changes nothing
that is already equal. At most 1,000 columns, 1 MiB per line, and 2,500 lines or 1.5 MiB per product.`,
    access: 'catalog:write',
    stream: { mediaTypes: ['text/csv'], maxBytes: MAX_FILE_BYTES },
    query: ImportQuery,
    status: 202,
    answer: ImportStarted,
    example: importExamples.create,
  },
  async (call) => {
    const { env, ctx, caller, query, upload, once } = call;
    if (once.ref !== null) return ok({ id: once.ref });
    const options = { setsStock: query.stock === 'set', dryRun: query.dry_run !== undefined };
    const received = await receiveUpload(call, { upload, options }, once);
    if (!received.ok) return received;
    const id = received.value;
    ctx.waitUntil(
      enqueue(env, { tenantId: caller.tenantId, importId: id }).catch(() =>
        log('import_not_queued', { tenant: caller.tenantId, import: id }),
      ),
    );
    return ok({ id });
  },
);

const list = endpoint(
  {
    method: 'get',
    path: '/v1/imports',
    tag,
    summary: 'List imports, newest first',
    description: 'Imports are kept for 30 days. `GET /v1/imports/{id}` also returns the `errors`.',
    access: 'catalog:write',
    query: ImportListQuery,
    answer: ImportList,
    example: importExamples.list,
  },
  async (call) => {
    const page = importPages.pageOf(call.query);
    const { rows, total } = await listImports(call, page);
    const shown = importPages.cut(rows, page, { total, key: ({ createdAt, id }) => [createdAt, id] });
    return ok({ data: shown.rows.map(presentImport), meta: shown.meta });
  },
);

const get = endpoint(
  {
    method: 'get',
    path: '/v1/imports/{id}',
    tag,
    summary: "Get an import's status",
    access: 'catalog:write',
    params: ImportParams,
    answer: Import,
    errors: ['import_not_found'],
    example: importExamples.get,
  },
  async (call) => {
    const { params } = call;
    const row = await loadImport(call, params.id);
    if (!row || row.status === 'receiving') return fail('import_not_found');
    return ok({ ...presentImport(row), errors: row.errors });
  },
);

/** The endpoints for product imports. */
export const importEndpoints: readonly Endpoint[] = [create, list, get];
