import type { EventGap } from '../../events/index.ts';
import type { Registration } from '../registrations/endpoint-store.ts';
import { OPEN } from './delivery-tables.ts';

/** Returns the condition that an earlier event of the same resource is in this state. */
const earlierWith = (state: string) => `EXISTS (SELECT 1 FROM deliveries earlier
  WHERE earlier.resource = deliveries.resource AND earlier.position < deliveries.position AND earlier.${state})`;
/** Condition: an earlier event of the same resource is still open. */
const IS_BEHIND = `(${earlierWith('nextAttemptAt IS NOT NULL')} OR ${earlierWith('waiting = 1')})`;

/** What a webhook is subscribed to, as text, and since when (ms). */
type Subscribed = { readonly to: string; readonly since: number };

/**
 * Orders the deliveries of one webhook by resource: of the open deliveries of a resource, only the earliest is
 * ever due; the others wait. Synchronous, so that a delivery's end and the next one's release are one write.
 */
export class Ordering {
  constructor(
    private readonly sql: SqlStorage,
    private readonly kv: SyncKvStorage,
  ) {}

  /** Whether the webhook is ordered, as last applied. */
  get isOn(): boolean {
    return this.kv.get<boolean>('ordered') ?? false;
  }

  /** Since when (ms) the webhook has been subscribed to its events with its filter, as last applied. */
  get subscribedSince(): number {
    return this.kv.get<Subscribed>('subscribed')?.since ?? 0;
  }

  /** Applies the registration's setting to the deliveries that are open, and remembers since when it has its subscription. */
  apply({ ordered, events, filter, updatedAt }: Registration, at: number): void {
    const to = JSON.stringify([events, filter]);
    if (this.kv.get<Subscribed>('subscribed')?.to !== to)
      this.kv.put<Subscribed>('subscribed', { to, since: updatedAt });
    if (ordered === this.isOn) return;
    this.kv.put('ordered', ordered);
    if (ordered) this.holdAll();
    else this.sql.exec('UPDATE deliveries SET waiting = 0, nextAttemptAt = ? WHERE waiting = 1', at);
  }

  /** Holds every due delivery that is behind another one of its resource. */
  holdAll(): void {
    if (this.isOn) this.hold('true');
  }

  /** Does the same for the resources of these deliveries, which were added or are due again. A ping has none. */
  holdFor(deliveries: readonly { readonly resource?: string | null }[]): void {
    if (!this.isOn) return;
    for (const resource of new Set(deliveries.map((one) => one.resource)))
      if (resource != null) this.hold('resource = ?', resource);
  }

  private hold(which: string, ...values: string[]): void {
    this.sql.exec(
      `UPDATE deliveries SET waiting = 1, nextAttemptAt = NULL
       WHERE ${which} AND nextAttemptAt IS NOT NULL AND sending IS NULL AND ${IS_BEHIND}`,
      ...values,
    );
  }

  /** Makes the earliest open delivery of a resource due, if it waits. */
  release(resource: string | null | undefined, at: number): void {
    if (resource == null) return;
    this.sql.exec(
      `UPDATE deliveries SET waiting = 0, nextAttemptAt = ? WHERE NOT ${IS_BEHIND} AND id = (
         SELECT id FROM deliveries WHERE resource = ? AND waiting = 1 ORDER BY position LIMIT 1)`,
      at,
      resource,
    );
  }

  /** Returns the resources of the open deliveries among these ids (a query). */
  resourcesOf(ids: string, ...values: number[]): string[] {
    const query = `SELECT DISTINCT resource FROM deliveries WHERE id IN (${ids}) AND ${OPEN}`;
    const found = this.sql.exec<{ resource: string | null }>(query, ...values).toArray();
    return found.flatMap(({ resource }) => resource ?? []);
  }

  /** Returns where events may be missing before these: from each resource's last known position on. */
  gapsBefore(events: readonly { readonly resource?: string; readonly position?: number }[]): EventGap[] {
    return events.flatMap(({ resource, position }) => {
      if (resource === undefined || position === undefined) return [];
      const known = this.sql.exec<{ after: number | null }>(
        'SELECT max(position) AS after FROM deliveries WHERE resource = ? AND position < ?',
        resource,
        position,
      );
      return [{ resource, after: known.one().after ?? 0, before: position }];
    });
  }
}
