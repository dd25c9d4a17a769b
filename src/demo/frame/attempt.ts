import { type AnyApiError, type CallOptions, isApiError } from '../../../client/src/index.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { type Answer, type FormError, onceOf, type PageRequest } from '../../web/index.ts';
import { codeReason } from './code-reason.ts';

/** Returns the outcome of a call as a value, with the error as a page shows it. */
export async function attempt<T>(call: Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { errors, status, code, retryAfterSeconds: retryAfter } = error;
    const message = shopperMessage(error) ?? error.message;
    return { ok: false, formError: { message, errors, status, code, retryAfter } };
  }
}

/**
 * Calls the API as the shopper. If the customer's session has ended, repeats the call as a guest's: the client has
 * dropped the session by then.
 */
export async function attemptAsGuest<T>(call: () => Promise<T>): Promise<Answer<T>> {
  const first = await attempt(call());
  return !first.ok && first.formError.code === 'invalid_customer_token' ? attempt(call()) : first;
}

/** Returns the idempotency key of a form; undefined without one. Hashed: a form's field may hold what no header can. */
export function onceKey(request: PageRequest): string | undefined {
  const once = onceOf(request);
  return once === undefined ? undefined : sha256(once);
}

/** Returns the options of a call with this idempotency key, or without one. */
export const withKey = (key: string | undefined): CallOptions =>
  key === undefined ? {} : { idempotencyKey: key };

/** Returns the options that make one call of a form that is sent twice. */
export const sentOnce = (request: PageRequest): CallOptions => withKey(onceKey(request));

/** Returns whether a cart is no longer usable: expired, another customer's, or locked by an order. */
export const isLost = ({ code = '' }: FormError): boolean =>
  ['cart_not_found', 'cart_expired', 'cart_locked'].includes(code);

/** Returns a message for shoppers, where the API's is for developers. */
function shopperMessage(error: AnyApiError): string | null {
  if (error.is('slot_unavailable')) {
    return 'This time does not have enough places left. Choose another time.';
  }
  if (error.is('cart_locked')) {
    return 'This cart is locked by an order. Start a new cart to continue shopping.';
  }
  if (error.is('price_changed')) return 'The total has risen. Check the cart, and go to checkout again.';
  if (error.is('coupon_not_applicable')) return `This code ${codeReason(error.details ?? {})}.`;
  if (!error.is('insufficient_stock')) return null;
  const { available = 0, in_cart = 0 } = error.details ?? {};
  if (available <= 0) return 'This is sold out.';
  return `Only ${available} in stock${in_cart > 0 ? `, and ${in_cart} already in your cart` : ''}.`;
}
