import { z } from '@hono/zod-openapi';
import { PageMeta, pageQuery } from '../kernel/core/pagination.ts';
import { rawText } from '../kernel/core/text.ts';

/** A file may have this many bytes. */
export const MAX_FILE = 32 * 1024 * 1024;
/** The first lines with an error that are kept and returned; all are counted. */
export const MAX_ERRORS = 100;

export const ImportQuery = z.object({
  stock: z.enum(['set']).optional().openapi({
    description: '`set` writes the quantities to products that exist as well; else only to new ones.',
  }),
});

export const ImportParams = z.object({ id: rawText(64, { least: 1 }) });

/** What the upload of a file is answered with. */
export const ImportStarted = z
  .object({ id: z.string().openapi({ example: 'imp_3kTMd9XcB2LhVq0ZrWy7sFgP' }) })
  .openapi('ImportStarted');

const count = (description: string) => z.int().openapi({ description });

/** How far an import has come. */
export const Import = z
  .object({
    id: z.string(),
    status: z.enum(['queued', 'running', 'done', 'failed']),
    rows: count('Lines of the file below its header.'),
    processed: count('Lines that are done.'),
    created: count('Products that were made.'),
    updated: count('Products that were changed.'),
    unchanged: count('Products that were so already.'),
    failed: count('Lines with an error.'),
    errors: z
      .array(z.object({ line: z.int(), message: z.string() }))
      .openapi({ description: `The first ${MAX_ERRORS} lines with an error.` }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Import');

/** An import as it is listed. */
export const ImportItem = Import.omit({ errors: true }).openapi('ImportItem');

export const ImportList = z.object({ data: z.array(ImportItem), meta: PageMeta }).openapi('ImportList');

export const ImportListQuery = z.object(pageQuery);

/** What the queue carries. */
export const ImportMessage = z.object({ tenantId: z.int(), importId: z.string() });
export type ImportMessage = z.infer<typeof ImportMessage>;
