import { EVENT_TYPES, type EventType } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import type { WebhookRow } from '../tables.ts';

/**
 * Returns every event that a webhook may still send: its subscriptions, and former ones as long as deliveries
 * of them may be stored.
 */
export function sendableEvents({
  events,
  formerEvents,
}: Pick<WebhookRow, 'events' | 'formerEvents'>): EventType[] {
  const stored = EVENT_TYPES.filter((event) => (formerEvents[event] ?? 0) > now());
  return [...new Set([...events, ...stored])];
}
