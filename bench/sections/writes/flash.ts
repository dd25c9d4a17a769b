import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, type Client, client } from '../../../scripts/dev/client.ts';
import { load, type Plan, post, type Round } from '../../load.ts';
import { type Finding, median, table } from '../../report.ts';
import { type Apart, type Measured, service, VARS } from '../../worker.ts';
import { makeWorld, type Shop } from '../../world/world.ts';

/** Changes a second of one SKU, and how long they are sent. */
const CHANGES_PER_SECOND = 1_000;
const SECONDS = 10;
const CONNECTIONS = 128;
/** Applications that change the SKU; each may send 100 requests a second. */
const WRITERS = 16;
/** Changes a second of the other tenant's own SKU. */
const NEIGHBOUR_RATE = 20;
/** Rounds of the other tenant, of which the median counts: a p99 of one is that of its third slowest of 200 changes. */
const NEIGHBOUR_ROUNDS = 5;
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
    const both = { busy: worker, calm: worker };
    return [...(await hotSku(both, shop, neighbour)), ...(await sale(worker, shop))];
  } finally {
    await worker.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Creates a product with a stock in a shop; returns its id. */
async function product(api: Client, sku: string, stock: number): Promise<number> {
  const body = { name: sku, sku, type: 'simple', price: 10, stock };
  return (await api<{ id: number }>('POST', '/v1/products', body)).id;
}

const adjustment = (token: string, sku: string): string =>
  post('/v1/inventory/adjustments', { Authorization: `Bearer ${token}` }, { items: [{ sku, delta: -1 }] });

async function writers(worker: Measured, { slug }: Shop): Promise<string[]> {
  const admin = client(worker.url.origin, VARS.SUPER_ADMIN_TOKEN);
  const tokens: string[] = [];
  while (tokens.length < WRITERS) {
    const body = { name: `writer ${tokens.length}`, kind: 'integration' };
    tokens.push(
      (await admin<{ token: string }>('POST', `/admin/v1/tenants/${slug}/applications`, body)).token,
    );
  }
  return tokens;
}

/** The other tenant quiet, and beside the changes of one SKU. */
interface NeighbourRound {
  readonly quiet: Round;
  readonly paced: Round;
  readonly slowed: Round;
}

/** One shop's SKU changes at the service `busy`, another's at `calm`, which may be the same process. */
export async function hotSku(
  { busy: worker, calm: beside }: Pick<Apart, 'busy' | 'calm'>,
  shop: Shop,
  neighbour: Shop,
): Promise<Finding[]> {
  const api = client(worker.url.origin, shop.token);
  const [stock, plenty] = [10_000_000, 1_000_000];
  const hot = await product(api, 'HOT', stock);
  await product(client(beside.url.origin, neighbour.token), 'CALM', plenty);
  const requests = (await writers(worker, shop)).map((token) => adjustment(token, 'HOT'));
  const all = { ...worker.address, requests, seconds: SECONDS, connections: CONNECTIONS };
  const own = [adjustment(neighbour.token, 'CALM')];
  const calm = { ...beside.address, requests: own, seconds: SECONDS, connections: 4, rate: NEIGHBOUR_RATE };
  /** CPU time of a change (ms), which the load of the machine doesn't lengthen as it does the rate. */
  const cpuOf = async (connections: number): Promise<number> => {
    const before = worker.cpu();
    const { answered } = await load({ ...all, connections });
    return ((worker.cpu() - before) * 1_000) / answered;
  };
  const rounds = await neighbourRounds(all, calm);
  const most = await load(all);
  const [alone, grouped] = [await cpuOf(1), await cpuOf(CONNECTIONS)];
  const { stock: left } = await api<{ stock: number }>('GET', `/v1/products/${hot}`);
  printRounds(most, rounds);
  console.log(`Stock of the SKU as reads show it: ${left} of ${stock}`);
  console.log(`CPU time of a change: ${alone.toFixed(2)} ms alone, ${grouped.toFixed(2)} ms in groups`);
  return [
    ...findingsOf(most, rounds),
    {
      measure: 'CPU time of a change in groups, to one alone',
      reach: 'reported',
      figure: (grouped / alone).toFixed(2),
      reached: null,
    },
  ];
}

/** Sends the other tenant's changes quiet and beside those of the SKU, in turn. */
async function neighbourRounds(all: Plan, calm: Plan): Promise<NeighbourRound[]> {
  await load({ ...all, seconds: 2 });
  await load({ ...calm, seconds: 2 });
  const rounds: NeighbourRound[] = [];
  while (rounds.length < NEIGHBOUR_ROUNDS) {
    const quiet = await load(calm);
    const [paced, slowed] = await Promise.all([load({ ...all, rate: CHANGES_PER_SECOND }), load(calm)]);
    rounds.push({ quiet, paced, slowed });
  }
  return rounds;
}

function printRounds(most: Round, rounds: readonly NeighbourRound[]): void {
  console.log(`\nChanges of one SKU for ${SECONDS} s, beside ${NEIGHBOUR_RATE} a second of another tenant`);
  const row = (name: string, { answered, seconds, p50, p99, others }: Round) => [
    ...[name, (answered / seconds).toFixed(0), p50.toFixed(1), p99.toFixed(1), JSON.stringify(others)],
  ];
  table(
    ['', 'a second', 'p50 ms', 'p99 ms', 'other statuses'],
    [
      row('one SKU, as fast as it goes', most),
      ...rounds.flatMap(({ quiet, paced, slowed }) => [
        row('the other tenant, quiet', quiet),
        row('the other tenant, beside them', slowed),
        row(`one SKU, ${CHANGES_PER_SECOND} a second sent`, paced),
      ]),
    ],
  );
}

function findingsOf(most: Round, rounds: readonly NeighbourRound[]): Finding[] {
  const rate = most.answered / most.seconds;
  const quiet = median(rounds.map((round) => round.quiet.p99));
  const slowed = median(rounds.map((round) => round.slowed.p99));
  return [
    {
      measure: 'changes a second of one SKU',
      reach: `≥ ${CHANGES_PER_SECOND}`,
      figure: rate.toFixed(0),
      reached: rate >= CHANGES_PER_SECOND,
    },
    {
      measure: "another tenant's p99 beside them, to quiet",
      reach: '≤ 1.5',
      figure: `${(slowed / quiet).toFixed(2)} (${slowed.toFixed(1)} to ${quiet.toFixed(1)} ms)`,
      reached: slowed / quiet <= 1.5,
    },
  ];
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
