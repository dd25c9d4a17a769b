import { inTime } from '../async/in-time.ts';
import { isOutage } from '../data/database.ts';

/** How long (ms) an overview of all tenants waits for one shard. */
const SHARD_TIMEOUT_MS = 3_000;

/** Returns what a query of one shard returns; null if the shard can't be reached, or takes longer than three seconds. */
export async function askShard<T>(query: () => Promise<T>): Promise<T | null> {
  try {
    return await inTime(SHARD_TIMEOUT_MS, query);
  } catch (error) {
    if (!isOutage(error)) throw error;
    return null;
  }
}
