import { getCookie, setCookie } from 'hono/cookie';
import { type AnyApiError, type Client, createClient, isApiError } from '../../client/src/index.ts';
import type { Answer, FormError, PageRequest } from '../web/index.ts';

const COOKIES = {
  cart: 'sfe-demo-cart',
  customer: 'sfe-demo-customer',
  checkout: 'sfe-demo-checkout',
} as const;
type Token = keyof typeof COOKIES;

/** Stores a token or the checkout's URL in an HttpOnly cookie for 30 days; null deletes the cookie. */
function remember(request: PageRequest, what: Token, token: string | null): void {
  setCookie(request.c, COOKIES[what], token ?? '', {
    path: '/demo',
    httpOnly: true,
    sameSite: 'Lax',
    secure: new URL(request.c.req.url).protocol === 'https:',
    maxAge: token ? 30 * 24 * 3600 : 0,
  });
}

const storedToken = (request: PageRequest, what: Token): string | null =>
  getCookie(request.c, COOKIES[what]) || null;

/** Remembers the page of the checkout that this browser is sent to. */
export const rememberCheckout = (request: PageRequest, url: string): void =>
  remember(request, 'checkout', url);

/** Returns the address of the hosted page that shows the browser's last order once it is paid, or null. */
export function thanksUrl(request: PageRequest): string | null {
  const url = storedToken(request, 'checkout');
  return url?.startsWith(`${new URL(request.c.req.url).origin}/checkout/`) ? `${url}/thanks` : null;
}

const clients = new WeakMap<PageRequest, Client>();

/** Returns the client of a page's shopper, whose tokens are kept in the browser's cookies. */
export function shopOf(request: PageRequest): Client {
  const known = clients.get(request);
  if (known) return known;
  const client = createClient({
    baseUrl: new URL(request.c.req.url).origin,
    token: request.c.env.DEMO_TOKEN ?? '',
    fetch: request.fetch,
    // The API is in the same Worker.
    retries: 0,
    session: { cartToken: storedToken(request, 'cart'), customerToken: storedToken(request, 'customer') },
    onSession: ({ cartToken, customerToken }) => {
      remember(request, 'cart', cartToken);
      remember(request, 'customer', customerToken);
    },
  });
  clients.set(request, client);
  return client;
}

/** Returns the outcome of a call as a value, with the error as a page shows it. */
export async function attempt<T>(call: Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { message, status, code, retryAfterSeconds: retryAfter } = error;
    const errors = Object.fromEntries(
      Object.entries(error.errors).map(([field, messages]) => [field, [...messages]]),
    );
    return {
      ok: false,
      trouble: { message: shopperMessage(error) ?? message, errors, status, code, retryAfter },
    };
  }
}

/**
 * Calls the API as the shopper. If the customer's session has ended, repeats the call as a guest's: the client has
 * dropped the session by then.
 */
export async function attemptAsGuest<T>(call: () => Promise<T>): Promise<Answer<T>> {
  const first = await attempt(call());
  return !first.ok && first.trouble.code === 'invalid_customer_token' ? attempt(call()) : first;
}

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
  if (!error.is('insufficient_stock')) return null;
  const { available = 0, in_cart = 0 } = error.details ?? {};
  if (available <= 0) return 'This is sold out.';
  return `Only ${available} in stock${in_cart > 0 ? `, and ${in_cart} already in your cart` : ''}.`;
}
