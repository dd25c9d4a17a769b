import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { type Client, type ClientOptions, createClient, type Schemas } from '../../../client/src/index.ts';
import type { App } from '../../kernel/http/context.ts';
import type { PageRequest } from '../../web/index.ts';

/** A request of the shop: that of a page, or one that ends with an error page. */
export type ShopRequest = Pick<PageRequest, 'c' | 'fetch'>;

const COOKIES = {
  cart: 'sfe-demo-cart',
  customer: 'sfe-demo-customer',
  checkout: 'sfe-demo-checkout',
  count: 'sfe-demo-count',
} as const;
type Kept = keyof typeof COOKIES;

/** Stores a value in an HttpOnly cookie for 30 days; null deletes the cookie. */
function remember({ c }: ShopRequest, what: Kept, value: string | null): void {
  setCookie(c, COOKIES[what], value ?? '', {
    path: '/demo',
    httpOnly: true,
    sameSite: 'Lax',
    secure: new URL(c.req.url).protocol === 'https:',
    maxAge: value ? 30 * 24 * 3600 : 0,
  });
}

const stored = ({ c }: ShopRequest, what: Kept): string | null => getCookie(c, COOKIES[what]) || null;

/** Remembers the page of the checkout that this browser is sent to. */
export const rememberCheckout = (request: PageRequest, url: string): void =>
  remember(request, 'checkout', url);

/** Returns the address of the hosted page that shows the browser's last order once it is paid, or null. */
export function thanksUrl(request: PageRequest): string | null {
  const url = stored(request, 'checkout');
  return url?.startsWith(`${new URL(request.c.req.url).origin}/checkout/`) ? `${url}/thanks` : null;
}

/** Returns a client of the demo shop's API in this Worker. */
export const demoClient = (
  { req, env }: Context<App>,
  options: Pick<ClientOptions, 'session' | 'onSession'> & Required<Pick<ClientOptions, 'fetch'>>,
): Client =>
  createClient({
    baseUrl: new URL(req.url).origin,
    token: env.DEMO_TOKEN ?? '',
    // The API is in the same Worker.
    retries: 0,
    ...options,
  });

const clients = new WeakMap<ShopRequest, Client>();
const counts = new WeakMap<ShopRequest, number>();

/** Returns the client of a page's shopper, whose tokens are kept in the browser's cookies. */
export function shopOf(request: ShopRequest): Client {
  const known = clients.get(request);
  if (known) return known;
  const client = demoClient(request.c, {
    fetch: request.fetch,
    session: { cartToken: stored(request, 'cart'), customerToken: stored(request, 'customer') },
    onSession: ({ cartToken, customerToken }) => {
      remember(request, 'cart', cartToken);
      remember(request, 'customer', customerToken);
      if (!cartToken) countItems(request, null);
    },
  });
  clients.set(request, client);
  return client;
}

/** Keeps the number of items of the cart as last seen, for the header of pages that don't read the cart. */
export function countItems(request: ShopRequest, cart: Schemas['Cart'] | null): void {
  const count = cart?.total_quantity ?? 0;
  if (count === itemCount(request)) return;
  counts.set(request, count);
  remember(request, 'count', count > 0 ? String(count) : null);
}

/** Returns the number of items in the cart as last seen. */
export const itemCount = (request: ShopRequest): number =>
  counts.get(request) ?? Math.min(Number(stored(request, 'count')) || 0, 1_000_000);
