import { sql } from 'drizzle-orm';
import { DAY, now } from '../../../kernel/core/clock.ts';
import { deletes } from '../../../kernel/data/chore.ts';
import { listChanges } from './tables.ts';

/** Retention of changes (ms): a day longer than an index may be behind. */
const RETENTION_MS = 4 * DAY;

/** How many of the oldest changes a statement looks at. */
const MAX_OLDEST = 1_000;

/** Sweep of changes which every index has read. */
export const forgetListChanges = deletes(
  listChanges,
  // The ids are in the order of the changes, so that no index by age is needed.
  () => sql`id IN (SELECT id FROM (SELECT id, version FROM list_changes ORDER BY id LIMIT ${MAX_OLDEST})
    WHERE version < ${now() - RETENTION_MS})`,
);
