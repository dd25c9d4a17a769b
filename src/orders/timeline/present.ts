import { iso } from '../../kernel/core/clock.ts';
import type { OrderTimeline } from './schemas.ts';
import type { TimelineRow } from './tables.ts';

/** Returns a timeline as the API shows it. */
export const presentTimeline = (entries: readonly TimelineRow[]): OrderTimeline => ({
  data: entries.map(({ at, type, actorKind, actorId, details }) => ({
    at: iso(at),
    type,
    by: { kind: actorKind, ...(actorId !== null && { id: actorId }) },
    details,
  })),
});
