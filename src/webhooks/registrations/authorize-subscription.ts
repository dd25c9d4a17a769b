import { EVENT_TYPES, type EventType } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import type { Scope } from '../../kernel/core/scopes.ts';
import type { Caller } from '../../kernel/http/context.ts';
import type { WebhookRow } from '../tables.ts';

/** Returns the scope that reads events of this type. */
const scopeOf = (event: EventType): Scope =>
  event.startsWith('order.')
    ? 'orders:read'
    : event.startsWith('customer.')
      ? 'customers:admin'
      : 'catalog:read';

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

/**
 * Returns every event that a webhook may still send: its subscriptions, and former ones as long as deliveries
 * of them may be stored.
 */
export function sendableEvents({ events, formerEvents }: WebhookRow): EventType[] {
  const stored = EVENT_TYPES.filter((event) => (formerEvents[event] ?? 0) > now());
  return [...new Set([...events, ...stored])];
}
