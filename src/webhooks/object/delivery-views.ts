import { now } from '../../kernel/core/clock.ts';
import type { AttemptView, DeliveryFilter, DeliveryView, SentDelivery } from '../delivery/delivery.ts';
import { MAX_LOGGED_ATTEMPTS } from './delivery-tables.ts';

const VIEW = `id, eventId, type, status, attempts, responseStatus, occurredAt, createdAt, nextAttemptAt,
  deliveredAt`;

/** Returns a page of deliveries with their attempts, and the total. */
export function listDeliveries(
  sql: SqlStorage,
  { status, type, limit, offset, before }: DeliveryFilter,
): { rows: DeliveryView[]; total: number } {
  // Nearly all are delivered: those of another status are fewer than those of an event, and are found by it.
  const isRare = status !== undefined && status !== 'delivered';
  const filters = {
    [type && !isRare ? '+status = ?' : 'status = ?']: status,
    [isRare ? '+type = ?' : 'type = ?']: type,
  };
  const given = Object.entries(filters).flatMap(([filter, value]) => (value ? [{ filter, value }] : []));
  const values = given.map(({ value }) => value);
  const where = ['true', ...given.map(({ filter }) => filter)].join(' AND ');
  const older = before == null ? '' : 'AND id < ?';
  const page = sql.exec<Omit<DeliveryView, 'log'>>(
    `SELECT ${VIEW} FROM deliveries WHERE ${where} ${older} ORDER BY id DESC LIMIT ? OFFSET ?`,
    ...values,
    ...(before == null ? [] : [before]),
    limit,
    offset,
  );
  const rows = page.toArray().map((row) => ({ ...row, log: attemptsOf(sql, row.id) }));
  const count = `SELECT count(*) AS total FROM deliveries WHERE ${where}`;
  return { rows, total: sql.exec<{ total: number }>(count, ...values).one().total };
}

/** Returns a delivery that is attempted no earlier than `until` (ms), if that is to come. */
export const putOff = <View extends DeliveryView>(view: View, until: number): View =>
  view.nextAttemptAt === null || until <= now()
    ? view
    : { ...view, nextAttemptAt: Math.max(view.nextAttemptAt, until) };

/** Finds the delivery of an event; returns `null` if there is none. */
export function findDelivery(sql: SqlStorage, eventId: string): DeliveryView | null {
  const query = `SELECT ${VIEW} FROM deliveries WHERE eventId = ?`;
  const [row] = sql.exec<Omit<DeliveryView, 'log'>>(query, eventId);
  return row ? { ...row, log: attemptsOf(sql, row.id) } : null;
}

/** Returns a delivery with its body; `null` if there is none. */
export function readDelivery(sql: SqlStorage, id: number): SentDelivery | null {
  const query = `SELECT ${VIEW}, body FROM deliveries WHERE id = ?`;
  const [row] = sql.exec<Omit<SentDelivery, 'log'>>(query, id);
  return row ? { ...row, log: attemptsOf(sql, id) } : null;
}

function attemptsOf(sql: SqlStorage, deliveryId: number): AttemptView[] {
  const newest = sql.exec<AttemptView>(
    `SELECT startedAt, endedAt, responseStatus, error, responseBody FROM attempts
     WHERE deliveryId = ? ORDER BY id DESC LIMIT ${MAX_LOGGED_ATTEMPTS}`,
    deliveryId,
  );
  return newest.toArray().reverse();
}
