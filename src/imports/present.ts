import type { z } from '@hono/zod-openapi';
import { iso } from '../kernel/core/clock.ts';
import type { ImportError } from './csv/line-errors.ts';
import type { ImportItem, ShownError } from './schemas.ts';
import type { ImportRow } from './tables.ts';

/** Returns an import's API representation without its errors. `receiving` imports are not exposed. */
export const presentImport = (row: Omit<ImportRow, 'errors' | 'header'>): z.infer<typeof ImportItem> => ({
  id: row.id,
  status: row.status === 'receiving' ? 'queued' : row.status,
  dry_run: row.dryRun,
  rows: row.rows,
  processed: row.processed,
  created: row.created,
  updated: row.updated,
  unchanged: row.unchanged,
  failed: row.failed,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

/** Returns an error's API representation; imports of an earlier release stored neither SKU nor field. */
export const presentError = ({ line, sku, field, message }: Stored): z.infer<typeof ShownError> => ({
  line,
  sku: sku ?? null,
  field: field ?? null,
  message,
});
type Stored = Pick<ImportError, 'line' | 'message'> & Partial<ImportError>;
