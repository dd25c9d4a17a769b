import { getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { FormError, PageRequest } from '../web/index.ts';

const COOKIES = { cart: 'sfe-demo-cart', customer: 'sfe-demo-customer' } as const;
type Token = keyof typeof COOKIES;

/** Keeps a token of the API in the shopper's browser for 30 days, where no script can read it; null forgets it. */
export function remember(request: PageRequest, what: Token, token: string | null): void {
  setCookie(request.c, COOKIES[what], token ?? '', {
    path: '/demo',
    httpOnly: true,
    sameSite: 'Lax',
    secure: new URL(request.c.req.url).protocol === 'https:',
    maxAge: token ? 30 * 24 * 3600 : 0,
  });
}

/** The token that the shopper's browser has brought, or null. */
export const brought = (request: PageRequest, what: Token): string | null =>
  getCookie(request.c, COOKIES[what]) || null;

/** Keeps a cart that was just begun, and makes it the customer's who is signed in; a guest's it can stay. */
export async function begin(request: PageRequest, cart: string): Promise<void> {
  remember(request, 'cart', cart);
  const customer = brought(request, 'customer');
  if (!customer) return;
  await request.shop({ method: 'PUT', path: '/v1/customers/me/cart', customer, body: { cart_token: cart } });
}

/** Whether a cart is of no use any more: expired, somebody else's by now, or ordered. */
export const isLost = ({ code = '' }: FormError): boolean =>
  ['cart_not_found', 'cart_expired', 'cart_locked'].includes(code);

const Short = z.object({ available: z.number(), in_cart: z.number() });

/** The same trouble, in words for a shopper. */
export const inWords = (trouble: FormError): { trouble: FormError } => ({
  trouble: { ...trouble, message: wordsFor(trouble) ?? trouble.message },
});

function wordsFor({ code, details }: FormError): string | null {
  if (code === 'slot_unavailable') return 'There are not so many places left then. Choose another time.';
  if (code === 'cart_locked') return 'This cart has become an order. Begin a new one to go on shopping.';
  const short = Short.safeParse(details);
  if (code !== 'insufficient_stock' || !short.success) return null;
  const { available, in_cart } = short.data;
  if (available <= 0) return 'This is sold out.';
  return `There are only ${available} of this${in_cart > 0 ? `, and ${in_cart} in your cart already` : ''}.`;
}
