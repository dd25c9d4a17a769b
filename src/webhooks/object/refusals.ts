import type { EventType } from '../../events/index.ts';
import type { DeliveredType } from '../tables.ts';

/** The webhook was deleted. */
export type Gone = { readonly ok: false; readonly reason: 'gone' };
/** There is no such delivery. */
export type NotFound = { readonly ok: false; readonly reason: 'not_found' };
/** A delivery, unless there is no such one. */
export type Found<Delivery> = { readonly ok: true; readonly delivery: Delivery } | NotFound;
/** Returns a delivery that was looked for. */
export const found = <Delivery>(delivery: Delivery | null): Found<Delivery> =>
  delivery ? { ok: true, delivery } : { ok: false, reason: 'not_found' };
/** The caller lacks the scope that reads this event, so it may not replay it. */
export type Forbidden = { readonly ok: false; readonly reason: 'forbidden'; readonly type: EventType };

/** Returns the first event type that is not readable, or null; any caller may read a ping. */
export function forbidden(types: readonly DeliveredType[], readable: readonly EventType[]): Forbidden | null {
  const type = types.find((one): one is EventType => one !== 'ping' && !readable.includes(one));
  return type ? { ok: false, reason: 'forbidden', type } : null;
}
