import type { z } from '@hono/zod-openapi';
import { log } from '../kernel/core/log.ts';
import { type Failed, fail, ok, type Result } from '../kernel/core/result.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { Call } from '../kernel/http/context.ts';
import { csvPage, wantsCsv } from '../kernel/http/csv.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import type { Upload } from '../kernel/input/body.ts';
import { groupDigits } from '../kernel/text/text.ts';
import { MAX_ERRORS } from './csv/line-errors.ts';
import { uploadInUtf8 } from './decode.ts';
import { importExamples } from './examples.ts';
import { presentError, presentImport } from './present.ts';
import { cancelImport } from './progress.ts';
import { enqueue } from './queue.ts';
import {
  Import,
  ImportErrors,
  ImportErrorsQuery,
  ImportList,
  ImportListQuery,
  ImportParams,
  ImportQuery,
  ImportStarted,
  importPages,
  MAX_FILE_BYTES,
} from './schemas.ts';
import { listErrors, listImports, loadImport } from './store.ts';
import { receiveUpload } from './upload.ts';

const tag = 'Imports';

type ImportCall = Call<unknown, ImportQuery>;

/** Returns `insufficient_scope` if the import sets the stock of existing products, which requires `inventory:write`. */
const refuseStock = ({ caller, query }: ImportCall): Failed | null =>
  query.stock === 'set' && !caller.scopes.has('inventory:write')
    ? fail('insufficient_scope', { details: { required_scope: 'inventory:write' } })
    : null;

/** Enqueues an import after the response. If that fails, the chore `imports` resumes it minutes later. */
const enqueueLater = ({ env, ctx, tenantId }: ImportCall, importId: string): void =>
  ctx.waitUntil(
    enqueue(env, { tenantId, importId }).catch(() =>
      log('import_not_queued', { tenant: tenantId, import: importId }),
    ),
  );

/** Returns the upload, at the end of which the caller may have lost the scope that it began with. */
const recheckedUpload = (call: ImportCall): Upload => ({
  next: async () => {
    const piece = await call.upload.next();
    return piece.ok && piece.value === null ? (refuseStock(call) ?? piece) : piece;
  },
});

const create = endpoint(
  {
    method: 'post',
    path: '/v1/imports/products',
    id: 'createImport',
    tag,
    summary: 'Import a Shopify product CSV',
    description: `The body is the file, at most 32 MiB: in UTF-8, unless the \`Content-Type\` declares another \`charset\`, such as \`text/csv; charset=windows-1252\`. It is imported in the background; \`GET /v1/imports/{id}\` returns the status.
A product is identified by its Handle, and its lines must be contiguous. Invalid lines are skipped and listed
in \`errors\`, with more of them at \`GET /v1/imports/{id}/errors\`. Fields without a column in the file keep their values. Importing a file again changes nothing
that is already equal. A picture is an https URL, or the id of an uploaded image (\`med_…\`), which is shown without a copy. At most 1,000 columns, 1 MiB per line, and 2,500 lines or 1.5 MiB per product.`,
    access: 'catalog:write',
    changesCatalog: false,
    stream: { mediaTypes: ['text/csv'], maxBytes: MAX_FILE_BYTES },
    query: ImportQuery,
    status: 202,
    creates: '/v1/imports',
    answer: ImportStarted,
    example: importExamples.create,
  },
  async (call) => {
    const { c, query, once } = call;
    if (once.ref !== null) {
      // The first attempt may have died before it sent the message. A second one changes nothing.
      enqueueLater(call, once.ref);
      return ok({ id: once.ref });
    }
    const refused = refuseStock(call);
    if (refused) return refused;
    const upload = uploadInUtf8(recheckedUpload(call), c.req.raw.headers);
    if (!upload.ok) return upload;
    const { origin } = new URL(c.req.url);
    const options = { setsStock: query.stock === 'set', dryRun: query.dry_run !== undefined, origin };
    const received = await receiveUpload(call, { upload: upload.value, options }, once);
    if (!received.ok) return received;
    const id = received.value;
    enqueueLater(call, id);
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
    const shown = importPages.cut(rows, page, {
      total,
      key: ({ createdAt, id }) => [createdAt, id],
      carriesTotal: true,
    });
    return ok({ data: shown.rows.map(presentImport), meta: shown.meta });
  },
);

/** Returns an import as the API shows it; `import_not_found` until its file has arrived. */
async function shownImport(ctx: TenantDatabase, id: string): Promise<Result<z.input<typeof Import>>> {
  const row = await loadImport(ctx, id);
  if (!row || row.status === 'receiving') return fail('import_not_found');
  return ok({ ...presentImport(row), errors: row.errors.map(presentError) });
}

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
  (call) => shownImport(call, call.params.id),
);

const cancel = endpoint(
  {
    method: 'post',
    path: '/v1/imports/{id}/cancel',
    tag,
    summary: 'Cancel an import',
    description:
      'Products that are written by then stay; the rest of the file is not read. An import that has ended stays as it is.',
    access: 'catalog:write',
    changesCatalog: false,
    params: ImportParams,
    answer: Import,
    errors: ['import_not_found'],
    example: importExamples.cancel,
  },
  async (call) => {
    const { params } = call;
    await cancelImport(call, params.id);
    return shownImport(call, params.id);
  },
);

/** The columns of the errors as a file. */
const ERROR_COLUMNS = ['line', 'sku', 'field', 'message'] as const;

const errors = endpoint(
  {
    method: 'get',
    path: '/v1/imports/{id}/errors',
    tag,
    summary: "List an import's errors",
    description: `The lines with an error, in their order: the first ${groupDigits(MAX_ERRORS)} of an import. With \`Accept: text/csv\` it is a file (RFC 4180, UTF-8), whose \`Link\` header has the address of the next page (RFC 8288).`,
    access: 'catalog:write',
    params: ImportParams,
    query: ImportErrorsQuery,
    answer: ImportErrors,
    csv: ERROR_COLUMNS,
    errors: ['import_not_found'],
    example: importExamples.errors,
  },
  async (call) => {
    const { c, params, query } = call;
    const [row, found] = await Promise.all([
      loadImport(call, params.id),
      listErrors(call, params.id, { after: query.after, limit: query.limit + 1 }),
    ]);
    if (!row || row.status === 'receiving') return fail('import_not_found');
    const data = found.slice(0, query.limit).map(presentError);
    const next = found.length > query.limit ? query.after + query.limit : null;
    if (!wantsCsv(c)) return ok({ data, next_after: next });
    return csvPage(c, {
      filename: 'import-errors.csv',
      columns: ERROR_COLUMNS,
      rows: data.map((error) => ERROR_COLUMNS.map((column) => error[column])),
      next: next === null ? null : ['after', String(next)],
    });
  },
);

/** The endpoints for product imports. */
export const importEndpoints: readonly Endpoint[] = [create, list, get, cancel, errors];
