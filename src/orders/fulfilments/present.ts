import { iso, isoOrNull } from '../../kernel/core/clock.ts';
import type { Fulfilment } from './schemas.ts';
import type { FulfilmentRow } from './tables.ts';

/** Returns when a fulfilment was delivered or cancelled (ms), in rows of earlier versions its last change; null before. */
export const endOf = ({ state, endedAt, updatedAt }: FulfilmentRow): number | null =>
  state === 'shipped' ? null : (endedAt ?? updatedAt);

/** Returns a fulfilment as the API shows it. */
export const presentFulfilment = (row: FulfilmentRow): Fulfilment => ({
  id: row.id,
  status: row.state,
  items: row.items.map(({ lineId, quantity }) => ({ line_id: lineId, quantity })),
  tracking: row.tracking,
  delivered_at: isoOrNull(row.state === 'delivered' ? endOf(row) : null),
  cancelled_at: isoOrNull(row.state === 'cancelled' ? endOf(row) : null),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
