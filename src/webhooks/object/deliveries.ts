import type { Attempt, Ending, NewDelivery, TimeRange } from '../delivery/delivery.ts';
import type { DeliveredType } from '../tables.ts';
import { createTables, MAX_LOGGED_ATTEMPTS } from './delivery-tables.ts';
import { Ordering } from './ordering.ts';
import { MAX_QUEUE_DELAY_MS } from './schedule.ts';

const DUE = 'nextAttemptAt IS NOT NULL AND sending IS NULL';
/** Upper bound of deliveries deleted in one run. */
const MAX_DELETED_PER_RUN = 1_000;
/** Deliveries that one statement of a filtered replay changes. */
const MAX_REPLAYED_AT_ONCE = 10_000;
/** The newest attempts whose response bodies are kept, 4 KiB each: 4 MiB in all. */
const MAX_KEPT_RESPONSES = 1_000;

/**
 * The deliveries of one webhook, in its object's SQLite. Every method is synchronous, so its writes are
 * atomic. Times in ms.
 */
export class Deliveries {
  /** The order of the deliveries of each resource, if the webhook has one. */
  readonly ordering: Ordering;
  /** Above this many bytes, old deliveries are deleted early: an object has 10 GB. Lowered by tests. */
  maxBytes = 5 * 1024 ** 3;
  private readonly sql: SqlStorage;

  constructor({ sql, kv }: DurableObjectStorage) {
    this.sql = sql;
    this.ordering = new Ordering(sql, kv);
    createTables(sql);
  }

  /** Releases the deliveries that a crashed instance was sending. Call it only before the first attempt. */
  recover(at: number): void {
    this.sql.exec(`UPDATE attempts SET endedAt = ?, error = 'interrupted' WHERE endedAt IS NULL`, at);
    const released = this.sql.exec<{ resource: string | null }>(
      'UPDATE deliveries SET sending = NULL WHERE sending IS NOT NULL RETURNING resource',
    );
    this.ordering.holdFor(released.toArray());
  }

  /** Adds events not yet stored (by event id), redacted if they were, due at once or held; returns the number added. */
  add(events: readonly NewDelivery[], hold: boolean, at: number): number {
    // An event whose delivery is deleted sooner could come once more.
    if (this.sql.databaseSize > this.maxBytes) this.deleteOldest(at - MAX_QUEUE_DELAY_MS, at);
    const [status, due] = hold ? ['held', null] : ['pending', at];
    const added = events.filter(({ eventId, type, body, occurredAt, resource = null, position = null }) => {
      const inserted = this.sql.exec(
        `INSERT INTO deliveries
           (eventId, type, body, occurredAt, createdAt, status, nextAttemptAt, resource, position)
         VALUES (?1, ?2, coalesce((SELECT body FROM redactions WHERE eventId = ?1), ?3), ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (eventId) DO NOTHING RETURNING id`,
        eventId,
        type,
        body,
        occurredAt,
        at,
        status,
        due,
        resource,
        position,
      );
      return inserted.toArray().length > 0;
    });
    this.ordering.holdFor(added);
    return added.length;
  }

  /** Begins an attempt of the delivery that has been due longest; returns `null` when none is due. */
  begin(at: number): Attempt | null {
    const [due] = this.sql.exec<NewDelivery & { deliveryId: number; tries: number; number: number }>(
      `SELECT id AS deliveryId, eventId, type, body, occurredAt, resource, tries, attempts + 1 AS number
       FROM deliveries WHERE ${DUE} AND nextAttemptAt <= ? ORDER BY nextAttemptAt, id LIMIT 1`,
      at,
    );
    if (!due) return null;
    const { id } = this.sql
      .exec<{ id: number }>(
        'INSERT INTO attempts (deliveryId, startedAt) VALUES (?, ?) RETURNING id',
        due.deliveryId,
        at,
      )
      .one();
    this.sql.exec(
      'UPDATE deliveries SET sending = ?, attempts = attempts + 1 WHERE id = ?',
      id,
      due.deliveryId,
    );
    return { ...due, id, startedAt: at };
  }

  /** Ends an attempt. A delivery that was replayed meanwhile stays due; one that was redacted keeps no response. */
  end(attempt: Attempt, { at, responseStatus, error, responseBody, retryAt }: Ending): void {
    this.sql.exec(
      `UPDATE attempts SET endedAt = ?, responseStatus = ?, error = ?,
         responseBody = (SELECT ? FROM deliveries WHERE id = deliveryId AND body = ?) WHERE id = ?`,
      at,
      responseStatus,
      error,
      responseBody,
      attempt.body,
      attempt.id,
    );
    this.sql.exec(
      'UPDATE attempts SET responseBody = NULL WHERE responseBody IS NOT NULL AND id <= ?',
      attempt.id - MAX_KEPT_RESPONSES,
    );
    const failed = retryAt === null ? 'dead' : 'failed';
    const [status, tries, deliveredAt] = error === null ? ['delivered', 0, at] : [failed, 1, null];
    this.sql.exec(
      `UPDATE deliveries SET status = ?, tries = tries + ?, nextAttemptAt = ?, responseStatus = ?,
         deliveredAt = COALESCE(?, deliveredAt), sending = NULL WHERE id = ? AND sending = ?`,
      status,
      tries,
      retryAt,
      responseStatus,
      deliveredAt,
      attempt.deliveryId,
      attempt.id,
    );
    this.deleteOldestAttempts(attempt);
    // An earlier one may have been replayed, or have arrived, meanwhile.
    this.ordering.holdFor([attempt]);
    this.ordering.release(attempt.resource, at);
  }

  /** Deletes the attempts of an often replayed delivery but the last {@link MAX_LOGGED_ATTEMPTS}. */
  private deleteOldestAttempts({ deliveryId, number }: Attempt): void {
    if (number <= MAX_LOGGED_ATTEMPTS) return;
    this.sql.exec(
      `DELETE FROM attempts WHERE deliveryId = ?1 AND id <= (SELECT id FROM attempts WHERE deliveryId = ?1
         ORDER BY id DESC LIMIT 1 OFFSET ${MAX_LOGGED_ATTEMPTS})`,
      deliveryId,
    );
  }

  /** Undoes {@link begin} for an attempt that was never sent. */
  undoBegin(attempt: Attempt): void {
    this.sql.exec('DELETE FROM attempts WHERE id = ?', attempt.id);
    this.sql.exec(
      `UPDATE deliveries SET attempts = attempts - 1, sending = iif(sending = ?1, NULL, sending) WHERE id = ?2`,
      attempt.id,
      attempt.deliveryId,
    );
    this.ordering.holdFor([attempt]);
  }

  /** Returns when the next attempt is due, or `null`; ignores deliveries in flight. */
  nextDue(): number | null {
    const min = `SELECT min(nextAttemptAt) AS due FROM deliveries WHERE ${DUE}`;
    return this.sql.exec<{ due: number | null }>(min).one().due;
  }

  /** Makes a delivery due again at the start of the schedule. */
  replay(id: number, at: number): void {
    this.replayWhere('id = ?', [id], at);
    const delivery = 'SELECT resource FROM deliveries WHERE id = ?';
    this.ordering.holdFor(this.sql.exec<{ resource: string | null }>(delivery, id).toArray());
  }

  /**
   * Does the same for every event from `from` to `to`, both included; returns their number. With `isWanted`
   * only for those whose body (JSON) it accepts.
   */
  replayRange({ from, to }: TimeRange, at: number, isWanted?: (body: string) => boolean): number {
    const replayed = isWanted
      ? this.replayWanted({ from, to }, at, isWanted)
      : this.replayWhere('occurredAt BETWEEN ? AND ?', [from, to], at);
    this.ordering.holdAll();
    return replayed;
  }

  private replayWanted({ from, to }: TimeRange, at: number, isWanted: (body: string) => boolean): number {
    const query = 'SELECT id, body FROM deliveries WHERE occurredAt BETWEEN ? AND ?';
    const ids: number[] = [];
    for (const { id, body } of this.sql.exec<{ id: number; body: string }>(query, from, to)) {
      if (isWanted(body)) ids.push(id);
    }
    for (let start = 0; start < ids.length; start += MAX_REPLAYED_AT_ONCE) {
      const some = JSON.stringify(ids.slice(start, start + MAX_REPLAYED_AT_ONCE));
      this.replayWhere('id IN (SELECT value FROM json_each(?))', [some], at);
    }
    return ids.length;
  }

  /** Returns the types of the events from `from` to `to`, both included. */
  typesOf({ from, to }: TimeRange): DeliveredType[] {
    const types = 'SELECT DISTINCT type FROM deliveries WHERE occurredAt BETWEEN ? AND ?';
    const found = this.sql.exec<{ type: DeliveredType }>(types, from, to);
    return found.toArray().map(({ type }) => type);
  }

  /** Makes deliveries due, those too that are behind an earlier one of their resource: hold them next. */
  private replayWhere(condition: string, values: (number | string)[], at: number): number {
    this.sql.exec(
      `UPDATE deliveries SET status = 'pending', tries = 0, nextAttemptAt = ?, sending = NULL, waiting = 0
       WHERE ${condition}`,
      at,
      ...values,
    );
    return this.sql.exec<{ count: number }>('SELECT changes() AS count').one().count;
  }

  /**
   * Deletes redactions before `before`, and the oldest deliveries accepted before it with their attempts, a bounded
   * number. What waited for one of them is due at `at`.
   */
  deleteOlderThan(before: number, at: number): void {
    this.deleteOldest(before, at);
    this.sql.exec('DELETE FROM redactions WHERE redactedAt < ?', before);
  }

  private deleteOldest(before: number, at: number): void {
    const old = `SELECT id FROM deliveries WHERE createdAt < ? ORDER BY createdAt, id LIMIT ${MAX_DELETED_PER_RUN}`;
    const resources = this.ordering.isOn ? this.ordering.resourcesOf(old, before) : [];
    this.sql.exec(`DELETE FROM attempts WHERE deliveryId IN (${old})`, before);
    this.sql.exec(`DELETE FROM deliveries WHERE id IN (${old})`, before);
    for (const resource of resources) this.ordering.release(resource, at);
  }

  /** Returns when the oldest delivery was accepted, or the oldest redaction made; `null` without any. */
  oldest(): number | null {
    const oldest = `SELECT min(at) AS at FROM (SELECT min(createdAt) AS at FROM deliveries
      UNION ALL SELECT min(redactedAt) FROM redactions)`;
    return this.sql.exec<{ at: number | null }>(oldest).one().at;
  }
}
