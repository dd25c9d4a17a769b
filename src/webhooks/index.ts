export { DELIVERY_STATUSES } from './delivery/delivery.ts';
export { redactDeliveries } from './delivery/erase.ts';
export { fanOut } from './delivery/fan-out.ts';
export { filterKeysOf } from './filter.ts';
export { WebhookEndpoint } from './object/webhook-endpoint.ts';
export { documentEvents } from './openapi-events.ts';
export { followPlatform, forgetPlatforms, keepPlatform } from './registrations/agent-platforms.ts';
export {
  Deliveries,
  Delivery,
  DeliveryWithRequest,
  Replayed,
  Webhook,
  WebhookWithSecret,
} from './registrations/schemas.ts';
export { deliveryOverview } from './registrations/stats.ts';
export type { AgentProtocol } from './sending/send.ts';
export { guardUrl } from './sending/url-guard.ts';
