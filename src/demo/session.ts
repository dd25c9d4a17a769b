import { getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { FormError, PageRequest } from '../web/index.ts';

const COOKIES = { cart: 'sfe-demo-cart', customer: 'sfe-demo-customer' } as const;
type Token = keyof typeof COOKIES;

/** Stores an API token in an HttpOnly cookie for 30 days; null deletes the cookie. */
export function remember(request: PageRequest, what: Token, token: string | null): void {
  setCookie(request.c, COOKIES[what], token ?? '', {
    path: '/demo',
    httpOnly: true,
    sameSite: 'Lax',
    secure: new URL(request.c.req.url).protocol === 'https:',
    maxAge: token ? 30 * 24 * 3600 : 0,
  });
}

/** Returns the token from the browser's cookie, or null. */
export const storedToken = (request: PageRequest, what: Token): string | null =>
  getCookie(request.c, COOKIES[what]) || null;

/** Stores the token of a new cart, and assigns the cart to the signed-in customer, if any. */
export async function begin(request: PageRequest, cart: string): Promise<void> {
  remember(request, 'cart', cart);
  const customer = storedToken(request, 'customer');
  if (!customer) return;
  await request.shop({ method: 'PUT', path: '/v1/customers/me/cart', customer, body: { cart_token: cart } });
}

/** Returns whether a cart is no longer usable: expired, another customer's, or locked by an order. */
export const isLost = ({ code = '' }: FormError): boolean =>
  ['cart_not_found', 'cart_expired', 'cart_locked'].includes(code);

const StockShortage = z.object({ available: z.number(), in_cart: z.number() });

/** Returns the error with a message for shoppers. */
export const shopperError = (trouble: FormError): { trouble: FormError } => ({
  trouble: { ...trouble, message: shopperMessage(trouble) ?? trouble.message },
});

function shopperMessage({ code, details }: FormError): string | null {
  if (code === 'slot_unavailable') return 'This time does not have enough places left. Choose another time.';
  if (code === 'cart_locked')
    return 'This cart is locked by an order. Start a new cart to continue shopping.';
  const shortage = StockShortage.safeParse(details);
  if (code !== 'insufficient_stock' || !shortage.success) return null;
  const { available, in_cart } = shortage.data;
  if (available <= 0) return 'This is sold out.';
  return `Only ${available} in stock${in_cart > 0 ? `, and ${in_cart} already in your cart` : ''}.`;
}
