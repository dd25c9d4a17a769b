export { type Committed, commit, type Write } from './commit.ts';
export { DeadLettersRetried } from './dead-letters/schemas.ts';
export { forgetDeadLetters, forgetFailures, noteFailures, recordDeadLetters } from './dead-letters/store.ts';
export { eventsOfPerson, personalEvents, redactEvents } from './erase.ts';
export {
  type EventMessage,
  type EventSize,
  eventSizes,
  eventsById,
  forgetEvents,
  MAX_SEND_BATCH,
  type NewEvent,
  outboxRow,
  outboxRows,
  relay,
  relayLostEvents,
  type WriteBatch,
} from './outbox.ts';
export {
  deadLetters,
  EVENT_TYPES,
  type EventType,
  type OutboxRow,
  outbox,
  QUEUES,
  type QueueName,
} from './tables.ts';
