import { EVENT_TYPES, type EventType } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import type { Scope } from '../../kernel/core/scopes.ts';
import type { Caller } from '../../kernel/http/context.ts';
import type { WebhookRow } from '../tables.ts';

/** Returns the scope that reading an event of this type needs. */
const scopeOf = (event: EventType): Scope =>
  event.startsWith('order.')
    ? 'orders:read'
    : event.startsWith('customer.')
      ? 'customers:admin'
      : 'catalog:read';

/** Returns the events whose data the caller's scopes allow it to read. */
export const readableEvents = ({ scopes }: Caller): EventType[] =>
  EVENT_TYPES.filter((event) => scopes.has(scopeOf(event)));

/** Returns `insufficient_scope`, naming the first scope that is missing to read these events, or null. */
export function unreadable(
  events: readonly EventType[] | undefined,
  readable: readonly EventType[],
): Failed | null {
  const missing = events?.find((event) => !readable.includes(event));
  return missing ? fail('insufficient_scope', { details: { required_scope: scopeOf(missing) } }) : null;
}

/**
 * Returns every event that a webhook may still send: what it subscribes to, and what it did subscribe to for as
 * long as deliveries of it may be stored.
 */
export function sendableEvents({ events, formerEvents }: WebhookRow): EventType[] {
  const stored = EVENT_TYPES.filter((event) => (formerEvents[event] ?? 0) > now());
  return [...new Set([...events, ...stored])];
}
