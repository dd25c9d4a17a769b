import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from '../../../scripts/dev/client.ts';
import { adds, auth, carts, reads, stallOf } from '../../calls/stall.ts';
import { external, rateOf, ready, tillOf, timed } from '../../calls/till.ts';
import { coldInTurns, type Side, sideOf, worstRatio } from '../../calls/turns.ts';
import { contest } from '../../contest.ts';
import { get } from '../../load.ts';
import { type Finding, median, table } from '../../report.ts';
import { makeWorld } from '../../world/world.ts';

const PRODUCTS = 1_000;
const COLD_SAMPLES = 100;
const CARTS = 64;
/** Rounds of orders on each side, after one to warm up; orders of a round, and how many of them at once. */
const ROUNDS = 10;
const ORDERS = 40;
const AT_ONCE = 16;
/** The least rate of two shards to that of one. */
const LEAST = 0.97;

type Sides = readonly [one: Side, two: Side];

/** The hot path, cold reads, carts and orders of a shop on the second of two shards, beside the same on one shard. */
export async function shards(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-shards-'));
  const running: Side[] = [];
  try {
    const side = async (count: number) => {
      const made = await sideOf(
        await makeWorld(join(folder, `${count}`), PRODUCTS, count),
        `shards: ${count}`,
      );
      running.push(made);
      return made;
    };
    const sides: Sides = [await side(1), await side(2)];
    return [
      ...(await hotProducts(sides)),
      ...(await coldReads(sides)),
      ...(await cartCalls(sides)),
      await orders(sides),
    ];
  } finally {
    for (const { worker } of running) await worker.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Returns the paths of the first products of a side's shop. */
export async function productPaths({ worker, shopOf }: Side, sample = 0): Promise<string[]> {
  const api = client(worker.url.origin, shopOf(sample).token);
  const { data } = await api<{ data: { id: number }[] }>('GET', '/v1/products?limit=20');
  return data.map(({ id }) => `/v1/products/${id}`);
}

/** Compares the rates of two sides, each with requests of all its applications. */
function inTurns(
  name: string,
  [one, two]: Sides,
  requestsOf: (side: Side, tokens: readonly string[]) => readonly string[],
): Promise<Finding[]> {
  return contest({
    name,
    ours: two.worker,
    baselines: [
      {
        name: one.label,
        worker: one.worker,
        requests: requestsOf(one, one.shopOf(0).load),
        reach: LEAST,
      },
    ],
    requests: (tokens) => requestsOf(two, tokens),
    tokens: two.shopOf(0).load,
    allBusy: true,
  });
}

async function hotProducts(sides: Sides): Promise<Finding[]> {
  const paths = new Map<Side, string[]>();
  for (const side of sides) paths.set(side, await productPaths(side));
  return inTurns('two shards, GET /v1/products/{id}', sides, (side, tokens) =>
    (paths.get(side) ?? []).flatMap((path) => tokens.map((token) => get(path, auth(token)))),
  );
}

async function coldReads(sides: Sides): Promise<Finding[]> {
  const paths = new Map<Side, Readonly<Record<string, string>>>();
  for (const side of sides) {
    const [product = ''] = await productPaths(side);
    paths.set(side, { 'a product': product, 'a list': '/v1/products?limit=20' });
  }
  const rows = await coldInTurns({
    sides,
    samples: COLD_SAMPLES,
    paths: async (side) => paths.get(side) ?? {},
  });
  const worst = worstRatio(rows);
  return [
    {
      measure: 'two shards, cold reads: time to one shard',
      reach: `≤ ${(2 - LEAST).toFixed(2)} times`,
      figure: `${worst.toFixed(2)} times`,
      reached: worst <= 2 - LEAST,
    },
  ];
}

async function cartCalls(sides: Sides): Promise<Finding[]> {
  const stalls = new Map<Side, { stall: Awaited<ReturnType<typeof stallOf>>; tokens: string[] }>();
  for (const side of sides) {
    const stall = await stallOf(side.worker, side.shopOf(0));
    stalls.set(side, { stall, tokens: await carts(stall, CARTS) });
  }
  const added = await inTurns('two shards, POST /v1/cart/items', sides, (side, busy) => {
    const { stall, tokens } = stalls.get(side) ?? {};
    return stall && tokens ? adds(stall, tokens, busy) : [];
  });
  const read = await inTurns('two shards, GET /v1/cart/{cart_token}', sides, (side, busy) =>
    reads(stalls.get(side)?.tokens ?? [], busy),
  );
  return [...added, ...read];
}

/** Places orders on both in turn, so many at once. */
async function orders(sides: Sides): Promise<Finding> {
  const prepared: (() => Promise<unknown>)[][] = [];
  for (const { worker, shopOf } of sides) {
    prepared.push(await ready(await tillOf(worker, shopOf(0)), external, (ROUNDS + 1) * ORDERS));
  }
  const rates: number[][] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const pair: number[] = [];
    for (const calls of prepared) {
      pair.push(rateOf(await timed(calls.slice(round * ORDERS, (round + 1) * ORDERS), AT_ONCE)));
    }
    if (round > 0) rates.push(pair);
  }
  const middle = (place: number) => median(rates.map((pair) => pair[place] ?? Number.NaN));
  const ratio = median(rates.map(([one = Number.NaN, two = Number.NaN]) => two / one));
  console.log(`\nPlacing orders, ${AT_ONCE} at once, ${ROUNDS} rounds of ${ORDERS} in turn`);
  table(
    ['', 'a second'],
    sides.map(({ label }, place) => [label, middle(place).toFixed(0)]),
  );
  return {
    measure: 'two shards, placing orders: rate to one shard',
    reach: `≥ ${LEAST}`,
    figure: ratio.toFixed(2),
    reached: ratio >= LEAST,
  };
}
