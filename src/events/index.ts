export { commit, type Write } from './commit.ts';
export { DeadLettersRetried } from './dead-letters/schemas.ts';
export { forgetDeadLetters, forgetFailures, noteFailures, recordDeadLetters } from './dead-letters/store.ts';
export { eventBody, newEventId } from './envelope.ts';
export {
  type EventsOfPerson,
  eventsOfPerson,
  noEventsAfter,
  personalEvents,
  redactEvents,
  resourcesWith,
} from './erase.ts';
export { readableEvents, unreadable } from './event-access.ts';
export { type EventExamples, exampleEvent } from './feed/examples.ts';
export { type EventData, type EventSchema, eventName, eventSchema, eventSchemas } from './feed/schemas.ts';
export { measureShard } from './measure-shard.ts';
export {
  type EventGap,
  type EventSize,
  eventSizes,
  eventSizesInGaps,
  eventsById,
  firstEvent,
  forgetEvents,
  outboxRow,
  outboxRows,
  type WriteBatch,
} from './outbox.ts';
export { type EventMessage, GatheredRelay, MAX_SEND_BATCH, relayLostEvents } from './relay.ts';
export {
  deadLetters,
  EVENT_TYPES,
  type EventType,
  type OutboxRow,
  outbox,
} from './tables.ts';
