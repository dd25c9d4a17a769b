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
export { GatheredRelay } from './gathered-relay.ts';
export { measureShard } from './measure-shard.ts';
export {
  type BatchEvent,
  type EventGap,
  type EventMessage,
  type EventSize,
  eventSizes,
  eventSizesInGaps,
  eventsById,
  firstEvent,
  forgetEvents,
  MAX_SEND_BATCH,
  outboxRow,
  outboxRows,
  relayLater,
  relayLostEvents,
  type WriteBatch,
} from './outbox.ts';
export {
  deadLetters,
  EVENT_TYPES,
  type EventType,
  type OutboxRow,
  outbox,
} from './tables.ts';
