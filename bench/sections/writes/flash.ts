import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, type Client, client } from '../../../scripts/dev/client.ts';
import { type Finding, table } from '../../report.ts';
import { type Measured, service } from '../../worker.ts';
import { makeWorld, type Shop } from '../../world/world.ts';
import { hotSku, product } from './hot-sku.ts';

/** A flash sale: carts that want one unit each, 20,000 or CARTS, and a twentieth as many units. */
const CARTS = Number(process.env.CARTS ?? 20_000);
const UNITS = CARTS / 20;
const SHOPPERS_AT_ONCE = 64;

const HOST = 'shop.example.com';

/** One SKU that everybody wants: changes a second beside another tenant, and a flash sale. */
export async function flash(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-flash-'));
  const {
    shops: [shop, neighbour],
  } = await makeWorld(folder, 0);
  const worker = await service(folder);
  try {
    if (!neighbour) throw new Error('The world has too few shops');
    const both = { busy: worker, calm: worker, shop, neighbour };
    return [...(await hotSku(both)), ...(await sale(worker, shop))];
  } finally {
    await worker.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Runs `work` for each number below `count`, so many at once. Returns what each returned. */
async function each<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const run = async () => {
    for (let n = next++; n < count; n = next++) results.push(await work(n));
  };
  await Promise.all(Array.from({ length: SHOPPERS_AT_ONCE }, run));
  return results;
}

/** Retries calls that the busy machine refused. */
async function retryRefused<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError && error.status >= 500)) throw error;
    }
  }
}

/** Sells few units to many carts, all of which are filled before the sale begins. */
async function sale(worker: Measured, { token, load: tokens }: Shop): Promise<Finding[]> {
  const api = client(worker.url.origin, token);
  await api('PATCH', '/v1/settings', {
    payments: 'sandbox',
    checkout: { allowed_hosts: [HOST], external_url: `https://${HOST}/pay` },
  });
  const product_id = await product(api, 'FLASH', UNITS);
  const shoppers = tokens.map((one) => client(worker.url.origin, one));
  const shopper = (n: number): Client => shoppers[n % shoppers.length] ?? api;
  const carts = await each(CARTS, async (n) => {
    const body = { product_id, quantity: 1, cart_token: null };
    const filled = await retryRefused(() =>
      shopper(n)<{ cart_token: string }>('POST', '/v1/cart/items', body),
    );
    return filled.cart_token;
  });
  const begun = performance.now();
  const refused: Record<string, number> = {};
  const urls = await each(CARTS, async (n) => {
    const body = { cart_token: carts[n], return_url: `https://${HOST}/thanks` };
    try {
      const left = await retryRefused(() =>
        shopper(n)<{ redirect_url: string }>('POST', '/v1/checkout/seamless', body),
      );
      return left.redirect_url;
    } catch (error) {
      const code = error instanceof ApiError ? error.code : String(error);
      refused[code] = (refused[code] ?? 0) + 1;
      return null;
    }
  });
  const seconds = (performance.now() - begun) / 1000;
  const sessions = urls.flatMap((url) => (url === null ? [] : sessionOf(url)));
  const orders = await each(sessions.length, (n) =>
    retryRefused(() => api<{ id: string }>('POST', '/v1/orders', { session: sessions[n] })),
  );
  const sold = new Set(orders.map(({ id }) => id)).size;
  const { data } = await api<{ data: { stock: number }[] }>('POST', '/v1/inventory/adjustments', {
    items: [{ sku: 'FLASH', delta: 0 }],
  });
  const left = data[0]?.stock;
  console.log(`\n${CARTS} carts want ${UNITS} units: ${(CARTS / seconds).toFixed(0)} checkouts a second`);
  table(['sold', 'left', 'refused'], [[sold, left ?? '', JSON.stringify(refused)]]);
  return [
    {
      measure: `a flash sale of ${UNITS} units to ${CARTS} carts sells`,
      reach: String(UNITS),
      figure: `${sold}, ${left} left`,
      reached: sold === UNITS && left === 0,
    },
  ];
}

/** Returns the claims of the session in a redirect URL. */
function sessionOf(url: string): string {
  const token = new URL(url).searchParams.get('session_token') ?? '';
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).session;
}
