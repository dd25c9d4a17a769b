import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE } from '../../../scripts/build/bundle.ts';
import { type Client, client } from '../../../scripts/dev/client.ts';
import { type Heap, HeapProbe } from '../../heap.ts';
import { get, load, post, type Round } from '../../load.ts';
import { type Finding, median, table } from '../../report.ts';
import { inspected, type Measured } from '../../worker.ts';
import { type Shop, worldOf } from '../../world/world.ts';

/** Products in the shop: more than an isolate's memory holds bodies of. */
const PRODUCTS = 1_000;
/** Carts that are filled and checked out in rotation, with one line item each. */
const CARTS = 200;
/** Requests of one rotation, by their share of the traffic. */
const ROTATION = 2_000;
const SHARES = { browse: 0.8, search: 0.1, cart: 0.08, checkout: 0.02 };
const CONNECTIONS = 64;
/** Requests a second of each connection at least, so that none is opened anew because it was idle for long. */
const LEAST_RATE = 2;
const STEP_SECONDS = 10;
/** Rates to try, as shares of the rate at which all connections are busy. */
const STEPS = [0.1, 0.3, 0.5, 0.7, 0.9, 1.1];
const UNLOADED = 0.1;
const BUSY = 0.7;
const MAX_SLOWDOWN = 3;
const MAX_USED_MIB = 64;
const MAX_COMMITTED_MIB = 96;
/** How much more of the heap may be used in the last quarter than in the second. */
const MAX_GROWTH = 1.1;
const SAMPLE_MS = 1_000;

/**
 * Traffic as shops have it (80 % browse, 10 % search, 8 % cart, 2 % checkout) at rising rates, and the Worker's heap
 * while it goes on for `minutes` beside an import of `products` products.
 */
export async function traffic(products: number, minutes: number): Promise<Finding[]> {
  const { folder, shops } = await worldOf(PRODUCTS);
  const [shop] = shops;
  const worker = await inspected(folder);
  try {
    const requests = await requestsTo(worker, shop);
    const plan = { ...worker.address, requests, connections: CONNECTIONS, seconds: STEP_SECONDS };
    await load(plan);
    const full = await load(plan);
    const saturation = full.answered / full.seconds;
    const rounds = new Map<number, Round>();
    const at = (rate: number) => ({
      ...plan,
      rate,
      connections: Math.min(CONNECTIONS, Math.ceil(rate / LEAST_RATE)),
    });
    for (const step of STEPS) rounds.set(step, await load(at(saturation * step)));
    const heap = await heapDuring(worker, async () => {
      const import_ = startImport(worker, shop, products);
      await load({ ...at(saturation * BUSY), seconds: minutes * 60 });
      await import_;
    });
    return [...reportRates(saturation, rounds, full), ...reportHeap(heap, minutes)];
  } finally {
    await worker.stop();
  }
}

/** Returns the requests of one rotation, evenly mixed, spread over the shop's applications. */
async function requestsTo(worker: Measured, shop: Shop): Promise<string[]> {
  const api = client(worker.url.origin, shop.token);
  const hosts = { checkout: { allowed_hosts: ['shop.example.com'] }, payments: 'sandbox' };
  await api('PATCH', '/v1/settings', hosts);
  const { data } = await api<{ data: { id: number }[] }>('GET', '/v1/products?limit=100');
  const cup = { name: 'Cup', type: 'simple', price: 10, stock: 1_000_000 };
  const { id } = await api<{ id: number }>('POST', '/v1/products', {
    ...cup,
    name: `Cup ${worker.url.port}`,
  });
  const carts = await fill(api, id);
  const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T; // never an empty list
  const kinds: Record<keyof typeof SHARES, (n: number, auth: Record<string, string>) => string> = {
    browse: (n, auth) =>
      get(n % 4 ? `/v1/products/${at(data, n).id}` : `/v1/products?page=${1 + (n % 7)}`, auth),
    search: (n, auth) => get(`/v1/search?q=${at(['cotton', 'mug', 'lamp', 'oak+chair'], n)}`, auth),
    cart: (n, auth) =>
      n % 2
        ? get(`/v1/cart/${at(carts, n)}`, auth)
        : post('/v1/cart/items', auth, { product_id: id, quantity: 1, cart_token: at(carts, n) }),
    checkout: (n, auth) =>
      post('/v1/checkout/seamless', auth, {
        cart_token: at(carts, n),
        return_url: 'https://shop.example.com/thanks',
      }),
  };
  const made = Object.entries(SHARES).flatMap(([kind, share]) =>
    Array.from({ length: ROTATION * share }, (_, n) => ({ kind: kind as keyof typeof SHARES, n, share })),
  );
  // The n-th of a kind comes where the n-th of so many would: each second has a little of all.
  made.sort((a, b) => a.n / a.share - b.n / b.share);
  return made.map(({ kind, n }, i) => kinds[kind](n, { Authorization: `Bearer ${at(shop.load, i)}` }));
}

async function fill(api: Client, product_id: number): Promise<string[]> {
  const one = async () =>
    (
      await api<{ cart_token: string }>('POST', '/v1/cart/items', {
        product_id,
        quantity: 1,
        cart_token: null,
      })
    ).cart_token;
  const made: string[] = [];
  while (made.length < CARTS) made.push(...(await Promise.all(Array.from({ length: 8 }, one))));
  return made;
}

/** Uploads a file of products and waits until all are imported. */
async function startImport(worker: Measured, { token }: Shop, products: number): Promise<void> {
  const lines = Array.from(
    { length: products },
    (_, n) => `traffic-${n},Thing ${n},Acme,${1 + (n % 90)}.5,7`,
  );
  const answer = await fetch(new URL('/v1/imports/products', worker.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
    body: ['Handle,Title,Vendor,Variant Price,Variant Inventory Qty', ...lines, ''].join('\n'),
  });
  if (answer.status !== 202) throw new Error(`The import answered ${answer.status} ${await answer.text()}`);
  const { id } = JSON.parse(await answer.text());
  const api = client(worker.url.origin, token);
  for (let status = 'queued'; status === 'queued' || status === 'running'; await sleep(SAMPLE_MS)) {
    status = (await api<{ status: string }>('GET', `/v1/imports/${id}`)).status;
  }
}

/** The Worker's heap every second while something went on, and without garbage before and after it. */
interface HeapDuring {
  readonly samples: readonly Heap[];
  readonly before: Heap;
  readonly after: Heap;
}

async function heapDuring(worker: Measured, work: () => Promise<void>): Promise<HeapDuring> {
  const probe = await HeapProbe.of(worker.miniflare, SERVICE.worker);
  const inUse = async () => {
    await probe.collect();
    return probe.read();
  };
  const before = await inUse();
  const samples: Heap[] = [];
  let over = false;
  const sampling = (async () => {
    for (; !over; await sleep(SAMPLE_MS)) samples.push(await probe.read());
  })();
  await work();
  over = true;
  await sampling;
  const after = await inUse();
  probe.close();
  return { samples, before, after };
}

const failures = ({ others }: Round): string => JSON.stringify(others);
/** Responses of 5xx that are not the deliberate 503. */
const errors = (round: Round): number =>
  Object.entries(round.others).reduce(
    (sum, [status, count]) => sum + (/^5/.test(status) && status !== '503' ? count : 0),
    0,
  );

function reportRates(saturation: number, rounds: ReadonlyMap<number, Round>, full: Round): Finding[] {
  console.log(
    `\n80 % browse, 10 % search, 8 % cart, 2 % checkout; saturated at ${saturation.toFixed(0)} a second`,
  );
  table(
    ['of saturation', 'a second', 'p50 ms', 'p99 ms', 'other than 200'],
    [...rounds].map(([step, round]) => [
      `${Math.round(step * 100)} %`,
      (round.answered / round.seconds).toFixed(0),
      round.p50.toFixed(1),
      round.p99.toFixed(1),
      failures(round),
    ]),
  );
  const [idle, busy] = [rounds.get(UNLOADED)?.p99 ?? 0, rounds.get(BUSY)?.p99 ?? 0];
  const failed = [full, ...rounds.values()].reduce((sum, round) => sum + errors(round), 0);
  return [
    {
      measure: `mixed traffic: p99 at ${BUSY * 100} % of saturation to unloaded`,
      reach: `≤ ${MAX_SLOWDOWN} times`,
      figure: `${(busy / idle).toFixed(1)} times (${busy.toFixed(1)} ms to ${idle.toFixed(1)} ms)`,
      reached: busy <= idle * MAX_SLOWDOWN,
    },
    {
      measure: 'mixed traffic up to and above saturation: 5xx other than 503',
      reach: '0',
      figure: String(failed),
      reached: failed === 0,
    },
  ];
}

function reportHeap({ samples, before, after }: HeapDuring, minutes: number): Finding[] {
  const most = (of: (heap: Heap) => number) => Math.max(...samples.map(of));
  const [used, committed] = [most((heap) => heap.used), most((heap) => heap.committed)];
  const quarter = (n: number) =>
    median(samples.slice((samples.length * n) / 4, (samples.length * (n + 1)) / 4).map((heap) => heap.used));
  const growth = quarter(3) / quarter(1);
  return [
    {
      measure: `heap in ${minutes} minutes of it, an import beside: used, committed`,
      reach: `≤ ${MAX_USED_MIB}, ≤ ${MAX_COMMITTED_MIB} MiB`,
      figure: `${used.toFixed(0)}, ${committed.toFixed(0)} MiB`,
      reached: used <= MAX_USED_MIB && committed <= MAX_COMMITTED_MIB,
    },
    {
      measure: 'the same: used in the last quarter to the second',
      reach: `≤ ${MAX_GROWTH} times`,
      figure: `${growth.toFixed(2)} times`,
      reached: growth <= MAX_GROWTH,
    },
    {
      measure: 'the same: used without garbage, before and after',
      reach: 'reported',
      figure: `${before.used.toFixed(0)}, ${after.used.toFixed(0)} MiB`,
      reached: null,
    },
  ];
}
