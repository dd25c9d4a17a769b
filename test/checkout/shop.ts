import { env, exports } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { database, rows } from '../../src/kernel/data/database.ts';
import { seeing } from '../cart/shop.ts';
import { runCron } from '../support/maintenance.ts';
import { type Answer, type World, type WorldOptions, world } from '../support/world.ts';

export const RETURN_URL = 'https://shop.example.com/thanks?lang=de';
export const CANCEL_URL = 'https://shop.example.com/cart';
export const ADDRESS = {
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  line1: '12 St James Square',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};

/** A tenant that sells in the sandbox, and whose shop is shop.example.com. */
export const sandboxShop = (options: WorldOptions = {}) =>
  world({
    plan: 'enterprise',
    ...options,
    settings: {
      checkout: { allowed_hosts: ['shop.example.com'] },
      payments: 'sandbox',
      ...options.settings,
    },
  });

/** Makes a product of 10.00 with so much stock. */
export async function product(shop: World, body: object = {}): Promise<Answer> {
  const made = await shop.post('/products', { name: 'Cup', type: 'simple', price: 10, stock: 5, ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made;
}

/** A cart with so many of a product. */
export async function cartWith(shop: World, seen: Answer, quantity = 1, more: object = {}): Promise<string> {
  const body = { product_id: seen.body.id, quantity, ...more };
  const added = await shop.post('/cart/items', body, seeing(seen));
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  return added.body.cart_token;
}

/** Asks for a redirect. */
export const seamless = (shop: World, cart: string, more: object = {}) =>
  shop.post('/checkout/seamless', {
    cart_token: cart,
    return_url: RETURN_URL,
    cancel_url: CANCEL_URL,
    ...more,
  });

/** The path of the checkout page that a cart is sent to. */
export async function checkoutOf(shop: World, cart: string, more: object = {}): Promise<string> {
  const answer = await seamless(shop, cart, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return new URL(answer.body.redirect_url).pathname;
}

/** What a browser gets: status, where it is sent, and the page's text. */
export interface Page {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** The cookies of the shopper's browser, by the page that set them. */
const cookies = new Map<string, string>();
const pageOf = (path: string): string => path.split('/').slice(0, 3).join('/');

/** Sends a request as the shopper's browser would, with its cookies, without following redirects. */
export async function browse(
  path: string,
  form?: Record<string, string>,
  more: RequestInit = {},
): Promise<Page> {
  const cookie = cookies.get(pageOf(path));
  const page = await browseAnew(path, form, {
    ...more,
    headers: { ...(cookie !== undefined && { cookie }), ...more.headers },
  });
  const [set] = page.headers.getSetCookie();
  if (set !== undefined) cookies.set(pageOf(path), set.split(';')[0] ?? '');
  return page;
}

/** Sends a request as a browser that has never been here. */
export async function browseAnew(
  path: string,
  form?: Record<string, string>,
  more: RequestInit = {},
): Promise<Page> {
  const response = await exports.default.fetch(
    new Request(`https://api.example.com${path}`, {
      redirect: 'manual',
      ...(form && {
        method: 'POST',
        body: new URLSearchParams(form).toString(),
      }),
      ...more,
      headers: {
        ...(form && {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://api.example.com',
          'sec-fetch-site': 'same-origin',
        }),
        ...more.headers,
      },
    }),
  );
  return {
    status: response.status,
    location: response.headers.get('location'),
    headers: response.headers,
    text: await response.text(),
  };
}

/** What the page says the total is, to be sent back with the form. */
export const shownTotal = (page: Page): string =>
  /name="shown_total" value="(\d+)"/.exec(page.text)?.[1] ?? '';

/** Presses a button of the checkout page, filled in with an address. */
export async function press(
  path: string,
  action: string,
  fields: Record<string, string> = ADDRESS,
): Promise<Page> {
  const page = await browse(path);
  return browse(path, { ...fields, shown_total: shownTotal(page), action });
}

/** What a return URL says of the order. */
export function returned(page: Page) {
  expect(page.status, page.text).toBe(303);
  const url = new URL(page.location ?? '');
  const said = (name: string) => url.searchParams.get(name) ?? '';
  return {
    url,
    order_id: said('order_id'),
    order_number: said('order_number'),
    status: said('status'),
    ts: said('ts'),
    signature: said('signature'),
  };
}

/** What is on hand and reserved of an item. */
export async function stockOf(item: number) {
  const [row] = await rows<{ on_hand: number; reserved: number }>(
    database(env),
    sql`SELECT on_hand, reserved FROM inventory_items WHERE id = ${item}`,
  );
  return row;
}

/** How many events of each kind a tenant's orders have raised. */
export async function orderEvents(shop: World): Promise<Record<string, number>> {
  const found = await rows<{ type: string; n: number }>(
    database(env),
    sql`SELECT type, count(*) AS n FROM outbox WHERE tenant_id = ${shop.tenantId} AND type LIKE 'order.%'
      GROUP BY type`,
  );
  return Object.fromEntries(found.map(({ type, n }) => [type, n]));
}

/** Runs the minute's cron, and all that it enqueues. */
export async function cron(bindings: Env = env): Promise<void> {
  await runCron({ bindings });
}
