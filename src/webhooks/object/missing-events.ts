import { type EventGap, eventSizesInGaps, eventsById } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { NewDelivery } from '../delivery/delivery.ts';
import { eventDelivery } from '../delivery/envelope.ts';
import { slicesOf } from '../delivery/fan-out.ts';
import { matchesFilter } from '../filter.ts';
import type { Registration } from '../registrations/endpoint-store.ts';
import { MAX_QUEUE_DELAY_MS } from './schedule.ts';

/** The events that a webhook gets, and since when (ms) it has been subscribed to them. */
export interface SubscribedEvents extends Pick<Registration, 'events' | 'filter'> {
  readonly since: number;
}

/**
 * Yields the deliveries of earlier events of the same resources that the queue has not brought yet, so that an
 * ordered webhook doesn't send a later one before them: in commit order, in slices, as all of them may not fit into
 * memory. Ignores events from before the subscription.
 */
export async function* missingDeliveries(
  ctx: TenantDatabase,
  { events: types, filter, since: subscribedAt }: SubscribedEvents,
  gaps: readonly EventGap[],
): AsyncGenerator<NewDelivery[]> {
  if (gaps.length === 0) return;
  const since = Math.max(subscribedAt, now() - MAX_QUEUE_DELAY_MS);
  // The filter may leave out nearly all of them: then they are read again with each later event.
  for (const slice of slicesOf(await eventSizesInGaps(ctx, gaps, { types, since }))) {
    const ids = slice.map(({ id }) => id);
    const rows = await eventsById(ctx, ids);
    yield rows.filter((row) => matchesFilter(filter, row)).map(eventDelivery);
  }
}
