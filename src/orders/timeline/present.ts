import { iso } from '../../kernel/core/clock.ts';
import type { OrderTimeline } from './schemas.ts';
import type { TimelineRow } from './tables.ts';

/** Returns an entry of a timeline as the API shows it. */
export const presentEntry = (row: TimelineRow): OrderTimeline['data'][number] => ({
  at: iso(row.at),
  type: row.type,
  by: { kind: row.actorKind, ...(row.actorId !== null && { id: row.actorId }) },
  details: row.details,
});
