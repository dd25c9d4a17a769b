import { type Client, client } from '../../scripts/dev/client.ts';
import type { Measured } from '../worker.ts';
import type { Shop } from '../world/world.ts';

/** Lines of each order. */
export const LINES = 3;

const HOST = 'shop.example.com';
const BUYER = {
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  line1: '12 St James Square',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};

/** A shop that sells three products, and how to get to its orders. */
export interface Till {
  readonly api: Client;
  readonly products: readonly number[];
}

export async function tillOf(worker: Measured, { token }: Shop): Promise<Till> {
  const api = client(worker.url.origin, token);
  const products: number[] = [];
  for (let n = 1; n <= LINES; n++) {
    const name = `Cup ${n} ${worker.url.port}`;
    const cup = { name, type: 'simple', price: 10, stock: 1_000_000 };
    products.push((await api<{ id: number }>('POST', '/v1/products', cup)).id);
  }
  return { api, products };
}

/** Where orders are placed from now on: on the hosted page, or in the tenant's own checkout. */
const sellAt = ({ api }: Till, page: string | null) =>
  api('PATCH', '/v1/settings', {
    payments: 'sandbox',
    checkout: { allowed_hosts: [HOST], external_url: page },
  });

/** Fills a cart and starts checkout. Returns the redirect URL. */
async function depart({ api, products }: Till): Promise<URL> {
  let cart: string | null = null;
  for (const product_id of products) {
    const line: object = { product_id, quantity: 1, cart_token: cart };
    cart = (await api<{ cart_token: string }>('POST', '/v1/cart/items', line)).cart_token;
  }
  const body = { cart_token: cart, return_url: `https://${HOST}/thanks` };
  return new URL((await api<{ redirect_url: string }>('POST', '/v1/checkout/seamless', body)).redirect_url);
}

/** Prepares an order in the tenant's own checkout. Returns the function that places it. */
export async function external(till: Till): Promise<() => Promise<unknown>> {
  const token = (await depart(till)).searchParams.get('session_token') ?? '';
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return () => till.api('POST', '/v1/orders', { session: claims.session });
}

/** Prepares an order on the hosted page. Returns the function that places and pays it. */
export async function hosted(till: Till): Promise<() => Promise<unknown>> {
  const page = await depart(till);
  const total = /name="shown_total" value="(\d+)"/.exec(await (await fetch(page)).text())?.[1] ?? '';
  const body = new URLSearchParams({ ...BUYER, shown_total: total, action: 'pay' });
  return async () => {
    const answer = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    if (!answer.headers.get('location')?.includes('status=paid')) {
      throw new Error(`The order was not paid: ${answer.status} ${await answer.text()}`);
    }
  };
}

export type Way = (till: Till) => Promise<() => Promise<unknown>>;

export async function ready(till: Till, way: Way, count: number): Promise<(() => Promise<unknown>)[]> {
  await sellAt(till, way === external ? `https://${HOST}/pay` : null);
  const all: (() => Promise<unknown>)[] = [];
  const work = async () => {
    while (all.length < count) all.push(await way(till));
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return all.slice(0, count);
}

/** The result of a series of calls. Latencies are in ms. */
export interface Timing {
  readonly latencies: readonly number[];
  readonly seconds: number;
}

export const rateOf = ({ latencies, seconds }: Timing): number => latencies.length / seconds;

export async function timed(calls: readonly (() => Promise<unknown>)[], atOnce: number): Promise<Timing> {
  const latencies: number[] = [];
  const rest = calls.values();
  const work = async () => {
    for (const call of rest) {
      const begun = performance.now();
      await call();
      latencies.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  return { latencies, seconds: (performance.now() - begun) / 1000 };
}
