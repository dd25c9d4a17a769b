import { BoundedMap } from '../../kernel/core/bounded-map.ts';
import { isRecent, MINUTE, now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { IndexCall, IndexedPage, IndexRefusal } from './index-call.ts';

/** How long an isolate doesn't call an index again (ms) after each refusal or failure. */
const PAUSES_MS: Readonly<Record<IndexRefusal | 'failed', number>> = {
  building: 1_000,
  behind: 200,
  no_memory: 200,
  no_texts: 0,
  small: MINUTE,
  too_large: MINUTE,
  failed: 1_000,
};
/** The most tenants that an isolate remembers a pause of. */
const MAX_PAUSES = 10_000;

/** Tenant → when its index refused or failed, and how long it is not asked since then (ms). */
const pauses = new BoundedMap<number, { readonly since: number; readonly duration: number }>(MAX_PAUSES);

/** Asks the tenant's index. Returns null when it refuses or fails; the caller then reads the database. Never throws. */
export async function askIndex(env: Env, call: IndexCall): Promise<IndexedPage | null> {
  const { tenantId } = call;
  const pause = pauses.get(tenantId);
  if (pause && isRecent(pause.since, pause.duration)) return null;
  const answer = await tenantObject(env.LIST_INDEX, { tenantId })
    .ask(call)
    .catch(() => 'failed' as const);
  // The types of remote calls make lists of tuples.
  if (typeof answer !== 'string') return answer as unknown as IndexedPage;
  if (answer === 'failed') log('list_index_failed', { tenant: tenantId });
  pauses.set(tenantId, { since: now(), duration: PAUSES_MS[answer] });
  return null;
}
