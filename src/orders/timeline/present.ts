import { iso } from '../../kernel/core/clock.ts';
import type { OrderTimeline } from './schemas.ts';
import type { TimelineRow } from './tables.ts';

/** Returns an entry of a timeline as the API shows it. */
export const presentEntry = ({
  at,
  type,
  actorKind,
  actorId,
  details,
}: TimelineRow): OrderTimeline['data'][number] => ({
  at: iso(at),
  type,
  by: { kind: actorKind, ...(actorId !== null && { id: actorId }) },
  details,
});

/** Returns a timeline as the API shows it. */
export const presentTimeline = (entries: readonly TimelineRow[]): OrderTimeline => ({
  data: entries.map(presentEntry),
});
