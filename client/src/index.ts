export { type Client, createClient } from './client.ts';
export {
  type AnyApiError,
  ApiError,
  type Code,
  type DetailsOf,
  type ErrorCode,
  isApiError,
} from './errors.ts';
export { type FeedEvent, type FollowOptions, followEvents } from './events.ts';
export type { CallOptions, Input, Method, Output, Schemas, WebhookEvent } from './method.ts';
export { currencyDecimals, formatMinorUnits, formatMoney, toMinorUnits } from './money.ts';
export type { Upload } from './operation.ts';
export type { ClientOptions, Session } from './options.ts';
export { type CheckoutReturn, verifyCheckoutReturn } from './signed/checkout-return.ts';
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookVerification,
  WebhookVerificationError,
} from './signed/webhook.ts';
export type { Fetch } from './transport.ts';
