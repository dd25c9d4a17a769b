import { randomBytes } from 'node:crypto';
import { iso } from '../kernel/core/clock.ts';
import type { OutboxRow } from './tables.ts';

/** An event as webhooks and the feed show it: the envelope of Standard Webhooks. */
export interface EventBody<Type extends string = string> {
  readonly id: string;
  readonly type: Type;
  /** When the event occurred (ISO 8601). */
  readonly timestamp: string;
  readonly data: {
    /** Increases for each resource. */
    readonly sequence: number;
    readonly occurred_at: string;
    readonly [field: string]: unknown;
  };
}

/** Returns the id of an event that the outbox does not store, in the form of those that it does. */
export const newEventId = (): string => `evt_${randomBytes(12).toString('hex')}`;

/** Returns the body of an event; adds `sequence` and `occurred_at` to its data. */
export function eventBody({ id, type, occurredAt, sequence, data }: OutboxRow): EventBody<OutboxRow['type']> {
  const timestamp = iso(occurredAt);
  return { id, type, timestamp, data: { ...data, sequence, occurred_at: timestamp } };
}
