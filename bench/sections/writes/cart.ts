import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adds, auth, type Cart, carts, LINES, reads, type Stall, stallOf } from '../../calls/stall.ts';
import { type Baseline, contest, repeatable } from '../../contest.ts';
import type { Counts } from '../../counting.ts';
import { ask, get, load, post, type Round } from '../../load.ts';
import { type Finding, table } from '../../report.ts';
import { answeringObject, bareObject, counting, service, tool } from '../../worker.ts';
import { makeWorld } from '../../world/world.ts';

/** Carts that are filled and read in rotation. */
const CARTS = 64;
/** One cart under fire, and many. */
const CLIENTS = 50;
const CROWD = 1_000;
const SECONDS = 5;

/** Carts beside a bare Worker with one Durable Object call; one cart hammered; a thousand at once. */
export async function cart(_products: number, _minutes: number, shards: number): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cart-'));
  const {
    shops: [shop],
  } = await makeWorld(folder, 0, shards);
  try {
    return [
      ...(await calls(await stallOf(await counting(folder, { shards }), shop))),
      ...(await duels(await stallOf(await service(folder, { shards }), shop), join(folder, 'bare'))),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Counts the storage calls of a warm add and a warm read. */
async function calls(stall: Stall): Promise<Finding[]> {
  const { worker, shop } = stall;
  try {
    const tokens = await carts(stall, 8);
    const busy = shop.load.slice(0, 4);
    const findings: Finding[] = [];
    for (const [name, requests] of [
      ['add to cart', adds(stall, tokens, busy)],
      ['read a cart', reads(tokens, busy)],
    ] as const) {
      const plan = { ...worker.address, requests, connections: 4, rate: 200 };
      await load({ ...plan, seconds: 2 });
      await tool<Counts>(worker, 'counts');
      const { answered } = await load({ ...plan, seconds: 5 });
      const { d1, kv, limiter, log, objects } = await tool<Counts>(worker, 'counts');
      console.log(`\nStorage calls of ${answered} times: ${name}, 200 a second`);
      table(['D1', 'KV', 'RateLimiter', 'request log', 'other objects'], [[d1, kv, limiter, log, objects]]);
      findings.push({
        measure: `${name}, warm: object, D1 and KV calls each`,
        reach: '1, 0 and 0',
        figure: [objects, d1, kv].map((count) => count / answered).join(', '),
        reached: objects === answered && d1 + kv === 0,
      });
    }
    return findings;
  } finally {
    await worker.stop();
  }
}

/** Adds and reads beside Workers with an object that stores and sends the same cart, or something small. */
async function duels(stall: Stall, folder: string): Promise<Finding[]> {
  const { worker: ours, shop } = stall;
  const tokens = await carts(stall, CARTS);
  const [token] = tokens;
  const [same, small] = [
    await answeringObject(
      join(folder, 'same'),
      repeatable(await ask(ours, `/v1/cart/${token}`, auth(shop.token))),
    ),
    await bareObject(join(folder, 'small')),
  ];
  const beside = (requests: readonly string[], plain: readonly string[]): Baseline[] => [
    { name: 'an object, same answer', worker: same, requests, reach: 0.9 },
    { name: 'an object, small answer', worker: small, requests: plain, reach: null },
  ];
  const half = shop.load.length / 2;
  const few = shop.load.slice(0, 16);
  const wish = { product_id: 1, quantity: 1, cart_token: token };
  const added = (one: string) => post(`/${one}`, {}, wish);
  try {
    return [
      ...(await contest({
        name: 'POST /v1/cart/items',
        ours,
        baselines: beside(adds(stall, tokens, few), tokens.map(added)),
        requests: (busy) => adds(stall, tokens, busy),
        tokens: shop.load.slice(half),
      })),
      ...(await contest({
        name: 'GET /v1/cart/{cart_token}',
        ours,
        // What the adds above have stored.
        baselines: beside(
          reads(tokens, few),
          tokens.map((one) => get(`/${one}`)),
        ),
        requests: (busy) => reads(tokens, busy),
        tokens: shop.load.slice(0, half),
      })),
      ...(await crowds(stall)),
    ];
  } finally {
    for (const worker of [same, small, ours]) await worker.stop();
  }
}

/** One cart under the fire of many clients, and many carts under the fire of as many. */
async function crowds(stall: Stall): Promise<Finding[]> {
  const fire = (tokens: readonly string[]): Promise<Round> =>
    load({
      ...stall.worker.address,
      requests: adds(stall, tokens, stall.shop.load),
      seconds: SECONDS,
      connections: CLIENTS,
    });
  const [token = ''] = await carts(stall, 1);
  const one = await fire([token]);
  const { items } = await stall.api<Cart>('GET', `/v1/cart/${token}`);
  const added = items.reduce((sum, { quantity }) => sum + quantity, 0) - LINES;
  const many = await fire(await carts(stall, CROWD));
  const rate = ({ answered, seconds }: Round) => Math.round(answered / seconds);
  console.log(`\nAdding to carts for ${SECONDS} s, ${CLIENTS} clients`);
  table(
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors'],
    [
      ['one cart', rate(one), one.p50.toFixed(1), one.p99.toFixed(1), JSON.stringify(one.others)],
      [`${CROWD} carts`, rate(many), many.p50.toFixed(1), many.p99.toFixed(1), JSON.stringify(many.others)],
    ],
  );
  const errors = Object.values(one.others).reduce((sum, count) => sum + count, 0);
  return [
    {
      measure: `one cart, ${CLIENTS} clients: adds lost, errors`,
      reach: '0, 0',
      figure: `${one.answered - added}, ${errors}`,
      reached: added === one.answered && errors === 0,
    },
    { measure: 'the same: p99', reach: '', figure: `${one.p99.toFixed(1)} ms`, reached: null },
    {
      measure: `${CROWD} carts at once: rate to one cart's`,
      reach: '',
      figure: `${rate(many)} to ${rate(one)} a second`,
      reached: null,
    },
  ];
}
