import { type SQL, sql } from 'drizzle-orm';

/**
 * SQL that tells whether the feed's item `i` can be bought: it has stock or is sold without. Stock of bundles counts
 * members that are sold without; that of bookings has no other policy.
 */
export const ITEM_IN_STOCK: SQL = sql`(i.on_hand > i.reserved
  OR (i.derived NOT IN ('bundled', 'booking') AND i.policy <> 'deny'))`;
