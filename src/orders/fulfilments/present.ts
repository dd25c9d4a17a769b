import { iso } from '../../kernel/core/clock.ts';
import type { Fulfilment } from './schemas.ts';
import type { FulfilmentRow } from './tables.ts';

/** Returns a fulfilment as the API shows it. */
export const presentFulfilment = (row: FulfilmentRow): Fulfilment => ({
  id: row.id,
  status: row.state,
  items: row.items.map(({ lineId, quantity }) => ({ line_id: lineId, quantity })),
  tracking: row.tracking,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
