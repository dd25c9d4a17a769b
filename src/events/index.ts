export { DeadLettersRetried } from './dead-letters/schemas.ts';
export { forgetDeadLetters, forgetFailures, noteFailures, recordDeadLetters } from './dead-letters/store.ts';
export { eventsOfPerson, redactEvents } from './erase.ts';
export {
  batchEventIds,
  type EventMessage,
  type EventSize,
  eventSizes,
  eventsById,
  forgetEvents,
  type NewEvent,
  outboxRow,
  relay,
  relayLater,
  relayLostEvents,
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
