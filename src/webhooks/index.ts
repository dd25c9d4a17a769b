export { DELIVERY_STATUSES } from './delivery.ts';
export { documentEvents } from './document.ts';
export { fanOut, recordDead } from './fanout.ts';
export { Endpoint } from './object.ts';
export {
  type EventMessage,
  eventsById,
  forgetEvents,
  record,
  recorded,
  relay,
  relayLater,
  sweepOutbox,
} from './outbox.ts';
export { deliveryOverview } from './overview.ts';
export { Deliveries, Webhook, WebhookWithSecret } from './schemas.ts';
export { forgetDeadLetters } from './store.ts';
export { EVENT_TYPES, type EventType, type OutboxRow } from './tables.ts';
