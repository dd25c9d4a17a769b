export { DeadLettersRetried } from './dead-letter-routes.ts';
export { forgetDeadLetters, forgetFailures, noteFailures, recordDead } from './dead-letters.ts';
export { DELIVERY_STATUSES } from './delivery.ts';
export { documentEvents } from './document.ts';
export { eventsOfPerson, redactDeliveries, redactEvents } from './erase.ts';
export { fanOut } from './fanout.ts';
export { Endpoint } from './object.ts';
export {
  type EventMessage,
  forgetEvents,
  record,
  recorded,
  relay,
  relayLater,
  relayLostEvents,
} from './outbox.ts';
export { deliveryOverview } from './overview.ts';
export { Deliveries, Webhook, WebhookWithSecret } from './schemas.ts';
export { EVENT_TYPES, type EventType, QUEUES, type QueueName } from './tables.ts';
