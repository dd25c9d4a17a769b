import type { z } from '@hono/zod-openapi';
import { iso } from '../kernel/core/clock.ts';
import type { AuditRecord } from './schemas.ts';
import type { AuditRow } from './tables.ts';

/** Returns an entry as the API shows it. */
export const presentEntry = (row: AuditRow): z.input<typeof AuditRecord> => ({
  id: row.id,
  at: iso(row.at),
  actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
  action: row.action,
  subject: { kind: row.subjectKind, id: row.subjectId, name: row.subjectName },
  changes: [...row.changes],
  request_id: row.requestId,
});
