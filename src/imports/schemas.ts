import { z } from '@hono/zod-openapi';
import { limitUpTo, listPages, PageMeta } from '../kernel/core/pagination.ts';
import { rawText } from '../kernel/text/text.ts';

/** Largest file, in bytes. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Largest number of line errors that the status of an import lists; the count includes all. */
export const MAX_LISTED_ERRORS = 100;

/** Largest number of line errors on a page of their list. */
const MAX_PAGE_ERRORS = 1_000;

/** Query parameters of an upload. */
export const ImportQuery = z.object({
  stock: z.enum(['set']).optional().openapi({
    description:
      '`set` also writes quantities to existing products, which requires the scope `inventory:write`; by default only new products get them.',
  }),
  dry_run: z
    .enum(['true'], { error: 'must be true' })
    .optional()
    .openapi({
      type: 'boolean',
      enum: [true],
      description:
        'Only checks the file: counts what an import would create, update and leave, and lists its errors: everything that the import would refuse by now, quotas, shared SKUs and reserved stock included.',
    }),
});

export type ImportQuery = z.infer<typeof ImportQuery>;

/** Path parameters with an import's id. */
export const ImportParams = z.object({ id: rawText(64, { least: 1 }) });

/** The response to an upload. */
export const ImportStarted = z
  .object({ id: z.string().openapi({ example: 'imp_3kTMd9XcB2LhVq0ZrWy7sFgP' }) })
  .openapi('ImportStarted');

/** A line of the file that failed, or of which a part was ignored. */
export const ShownError = z
  .object({
    line: z.int().openapi({
      description:
        'Counted from 1, the header included, as in a text editor: a cell with line breaks takes several lines, but one row of a spreadsheet.',
    }),
    sku: z.string().nullable().openapi({ description: "The line's SKU; null if it has none." }),
    field: z.string().nullable().openapi({
      description: 'The columns that are wrong, as the file names them; null for the whole line.',
    }),
    message: z.string(),
  })
  .openapi('ImportError');

/** Query parameters of the list of errors. */
export const ImportErrorsQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .default('0')
    .transform(Number)
    .openapi({
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999,
      default: 0,
      description: 'Skips this many errors.',
    }),
  limit: limitUpTo(MAX_PAGE_ERRORS, MAX_PAGE_ERRORS),
});

/** A page of an import's errors. */
export const ImportErrors = z
  .object({
    data: z.array(ShownError),
    next_after: z.int().nullable().openapi({ description: 'The `after` of the next page; null at the end.' }),
  })
  .openapi('ImportErrors');

const count = (description: string) => z.int().openapi({ description });

/** The status of an import. */
export const Import = z
  .object({
    id: z.string(),
    status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    dry_run: z.boolean().openapi({ description: 'Whether the file was only checked.' }),
    rows: count('Rows of the file below its header.'),
    processed: count('Rows processed so far.'),
    created: count('Products created.'),
    updated: count('Products updated.'),
    unchanged: count('Products that were already equal.'),
    failed: count('Lines with an error.'),
    errors: z.array(ShownError).openapi({
      description: `The first ${MAX_LISTED_ERRORS} lines with an error. \`GET /v1/imports/{id}/errors\` has more.`,
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Import');

/** An import in a list, without its errors. */
export const ImportItem = Import.omit({ errors: true }).openapi('ImportItem');

/** A page of imports. */
export const ImportList = z.object({ data: z.array(ImportItem), meta: PageMeta }).openapi('ImportList');

/** Pages and cursors of the list: newest first. */
export const importPages = listPages('imports', z.tuple([z.int(), z.string()]));

/** Query parameters of the list of imports. */
export const ImportListQuery = z.object(importPages.query);

/** A message of the import queue. */
export const ImportMessage = z.object({ tenantId: z.int(), importId: z.string() });
export type ImportMessage = z.infer<typeof ImportMessage>;
