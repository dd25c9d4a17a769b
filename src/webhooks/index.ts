export {
  type EventMessage,
  eventsById,
  type NewEvent,
  record,
  recorded,
  relay,
  relayLater,
  sweepOutbox,
} from './outbox.ts';
export { EVENT_TYPES, type EventType, type OutboxRow, outbox } from './tables.ts';
