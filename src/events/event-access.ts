import { type Failed, fail } from '../kernel/core/result.ts';
import type { Scope } from '../kernel/core/scopes.ts';
import type { Caller } from '../kernel/http/context.ts';
import { EVENT_TYPES, type EventType } from './tables.ts';

/** Returns the scope that reads events of this type. */
function scopeOf(event: EventType): Scope {
  if (event.startsWith('order.')) return 'orders:read';
  if (event.startsWith('customer.') || event.startsWith('cart.')) return 'customers:admin';
  return 'catalog:read';
}

/** Returns the events whose data the caller's scopes allow it to read. */
export const readableEvents = ({ scopes }: Caller): EventType[] =>
  EVENT_TYPES.filter((event) => scopes.has(scopeOf(event)));

/** Returns `insufficient_scope` with the first missing scope, or null when all events are readable. */
export function unreadable(
  events: readonly EventType[] | undefined,
  readable: readonly EventType[],
): Failed | null {
  const missing = events?.find((event) => !readable.includes(event));
  return missing ? fail('insufficient_scope', { details: { required_scope: scopeOf(missing) } }) : null;
}
