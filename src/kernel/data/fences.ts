import { type Column, type SQL, sql } from 'drizzle-orm';

/**
 * Returns the condition that a row's tenant is settled on this shard: neither arriving, nor held, nor moved away, nor
 * imported. Work over all tenants of a shard skips the others, whose rows are being copied or are an old copy.
 */
export const settled = (column: string | Column = 'tenant_id'): SQL =>
  sql`${typeof column === 'string' ? sql.raw(column) : column} NOT IN (SELECT tenant_id FROM tenant_fences WHERE state <> 'live')`;

/** The errors of a shard that refuses a write: the tenant is about to leave it, or has left. */
const MOVING = /\btenant_(?:moving|moved)\b/;

/** Returns whether a write was refused because its tenant moves; a retry after two seconds succeeds. */
export function isMoving(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (MOVING.test(cause.message)) return true;
  }
  return false;
}
