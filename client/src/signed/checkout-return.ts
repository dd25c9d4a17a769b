import type { Schemas } from '../method.ts';
import { fromHex, hmacVerifier, utf8 } from './hmac.ts';

/** The order with which a shopper comes back from checkout. */
export interface CheckoutReturn {
  readonly orderId: string;
  readonly orderNumber: number;
  readonly status: Schemas['Order']['status'];
  /** When the shopper left the checkout (ISO 8601). */
  readonly at: string;
}

/**
 * Verifies the URL that a shopper comes back to from checkout under the tenant's `checkout_secret`. It may lack scheme
 * and host, as Node's `request.url` does. Returns null if its signature is missing or wrong. For servers: a browser
 * must not have the secret.
 */
export async function verifyCheckoutReturn(
  url: string | URL,
  secret: string,
): Promise<CheckoutReturn | null> {
  // Not as a URL: a path such as `//` has no valid host.
  const query = new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(String(url))?.[1]);
  const values = ['order_id', 'order_number', 'status', 'ts'].map((name) => query.get(name) ?? '');
  const verify = await hmacVerifier(utf8(secret));
  if (!(await verify(fromHex(query.get('signature') ?? ''), values.join('.')))) return null;
  const [orderId = '', number, status, seconds] = values;
  return {
    orderId,
    orderNumber: Number(number),
    // The service has signed it.
    status: status as CheckoutReturn['status'],
    at: new Date(Number(seconds) * 1000).toISOString(),
  };
}
