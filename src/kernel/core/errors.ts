/**
 * Every error of the API: its HTTP status and its default message.
 * The OpenAPI document, the types and the responses are derived from this table.
 */
export const ERRORS = {
  invalid_json: [400, 'The body is not valid JSON.'],
  unauthorized: [401, 'The application token is missing, wrong or passive.'],
  invalid_credentials: [401, 'The e-mail or the password is wrong.'],
  invalid_customer_token: [401, 'The customer session is missing, wrong or has ended.'],
  invalid_signature: [401, 'The signature is missing, wrong or too old.'],
  insufficient_scope: [403, 'The token lacks the scope that this call needs.'],
  plan_not_allowed: [403, "The tenant's plan does not include this call."],
  origin_not_allowed: [403, 'The token may not be used from this origin.'],
  tenant_suspended: [403, 'The tenant is suspended.'],
  not_found: [404, 'There is nothing at this address.'],
  tenant_not_found: [404, 'There is no such tenant.'],
  application_not_found: [404, 'There is no such application.'],
  import_not_found: [404, 'There is no such import.'],
  product_not_found: [404, 'There is no such product.'],
  category_not_found: [404, 'There is no such category.'],
  cart_not_found: [404, 'There is no such cart.'],
  cart_item_not_found: [404, 'There is no such line in the cart.'],
  customer_not_found: [404, 'There is no such customer.'],
  address_not_found: [404, 'There is no such address.'],
  webhook_not_found: [404, 'There is no such webhook.'],
  delivery_not_found: [404, 'There is no such delivery.'],
  dead_letter_not_found: [404, 'There is no such dead letter.'],
  order_not_found: [404, 'There is no such order.'],
  fulfilment_not_found: [404, 'The order has no such fulfilment.'],
  coupon_not_found: [404, 'There is no such coupon.'],
  promotion_not_found: [404, 'There is no such promotion.'],
  feed_not_found: [404, 'There is no such product feed.'],
  media_not_found: [404, 'There is no such image.'],
  session_not_found: [404, 'There is no such checkout session.'],
  move_not_found: [404, 'The tenant has no such move.'],
  method_not_allowed: [405, 'This address does not take that method.'],
  request_timeout: [408, 'The body took too long to arrive.'],
  insufficient_stock: [409, 'There is not enough stock.'],
  email_taken: [409, 'There is an account with this e-mail already.'],
  sku_taken: [409, 'Another product or variant has this SKU.'],
  slug_taken: [409, 'The slug is taken.'],
  cart_empty: [409, 'The cart is empty.'],
  cart_locked: [409, 'The cart has an order and cannot be changed.'],
  price_changed: [409, 'The total has risen since the cart was last seen; read the cart again.'],
  slot_unavailable: [409, 'The slot does not have enough free places.'],
  shipping_unavailable: [409, "No shipping method delivers these items to the cart's country."],
  total_not_chargeable: [409, "The shop's payment provider cannot charge this total."],
  coupon_not_applicable: [409, 'The coupon does not apply to this cart.'],
  quota_exceeded: [409, "The tenant's plan allows no more of these."],
  host_taken: [409, 'Another tenant has this host.'],
  code_taken: [409, 'Another promotion has this code.'],
  reference_taken: [409, 'Another order has a payment with this reference.'],
  order_not_refundable: [409, 'There is nothing to refund.'],
  refund_too_large: [409, 'The refund is more than what is left.'],
  order_not_cancellable: [409, 'The order can no longer be cancelled.'],
  order_not_fulfillable: [409, 'The order has nothing that can be fulfilled now.'],
  fulfilment_cancelled: [409, 'The fulfilment is cancelled and cannot be changed.'],
  idempotency_in_progress: [409, 'A call with this Idempotency-Key is still running; try again later.'],
  media_in_use: [409, 'A product, a category or the theme shows the image.'],
  move_running: [409, 'The tenant is moving, or two others are.'],
  move_over: [409, 'The move can no longer be cancelled or undone.'],
  conflict: [409, 'Another request changed the same resource at the same time; try again.'],
  cart_expired: [410, 'The cart has expired; start a new one.'],
  cursor_expired: [410, 'The cursor is older than the events that are kept; start again with after=latest.'],
  precondition_failed: [412, 'The resource has changed since it was read; read it again.'],
  payload_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'The body is compressed, or not declared as the media type this call takes.'],
  validation_error: [422, 'The input is not valid.'],
  invalid_image: [422, 'The file is not a complete image, or has too many pixels.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another body.'],
  rate_limited: [429, 'Too many requests this minute.'],
  internal_error: [500, 'Something went wrong on our side.'],
  unavailable: [503, 'The service cannot answer right now; try again.'],
} as const satisfies Record<string, readonly [number, string]>;

/** A code of {@link ERRORS}. Clients branch on it, so it never changes. */
export type ErrorCode = keyof typeof ERRORS;

/** A failure as modules return it: a value, never thrown, and independent of HTTP. */
export interface Failure {
  readonly code: ErrorCode;
  /** Overrides the default message of {@link ERRORS}. */
  readonly message?: string;
  /** Field path → messages (with `validation_error`). */
  readonly errors?: Readonly<Record<string, string[]>>;
  /** Machine-readable details that belong to the code. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds to wait before a retry. Sent as `Retry-After` (RFC 9110, 10.2.3). */
  readonly retryAfter?: number;
}
