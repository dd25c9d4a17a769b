import { NetworkThrottle } from '../../kernel/http/network-throttle.ts';
import type { Ticket } from './cookie.ts';

/**
 * Requests of pages by session. Each reads the directory and its tenant's shard, past every cache, also in a session that
 * has ended, whose cookie stays valid. No reader and no script of a page comes near ten a second.
 */
const pages = new NetworkThrottle({ burst: 2_000, intervalMs: 100 });

/** Counts a request of a page in a session; returns how long (s) to wait after too many in this isolate, else 0. */
export function secondsToNextPage({ id }: Ticket): number {
  const wait = pages.retryAfter(id);
  if (wait === 0) pages.record(id);
  return wait;
}
