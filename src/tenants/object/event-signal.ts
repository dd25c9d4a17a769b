import { log } from '../../kernel/core/log.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { EventPositions, EventWait, WaitEnd } from './event-waiters.ts';

/** Where a tenant's waiting calls are. */
interface EventPlace {
  readonly env: Env;
  readonly tenantId: number;
}

const objectOf = ({ env, tenantId }: EventPlace) => tenantObject(env.TENANT, { tenantId });

/** Wakes the calls that wait for events of these types. Never fails: a lost wake costs latency only. */
export async function announceEvents(place: EventPlace, positions: EventPositions): Promise<void> {
  try {
    await objectOf(place).eventsRecorded(positions);
  } catch {
    log('events_not_announced', { tenant: place.tenantId });
  }
}

/** Waits until an event is recorded or the time is over. `busy` if the object refuses or can't be reached. */
export async function waitForEvents(place: EventPlace, wait: EventWait): Promise<WaitEnd> {
  try {
    return await objectOf(place).waitForEvents(wait);
  } catch {
    return 'busy';
  }
}
