import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../../scripts/dev/server.ts';
import {
  external,
  hosted,
  LINES,
  rateOf,
  ready,
  type Timing,
  tillOf,
  timed,
  type Way,
} from '../../calls/till.ts';
import type { Counts } from '../../counting.ts';
import { type Finding, median, percentile, table } from '../../report.ts';
import { counting, service, tool } from '../../worker.ts';
import { makeWorld, type World } from '../../world/world.ts';

/** Orders whose storage calls are counted, and that are timed: one by one, and so many at once. */
const COUNTED = 20;
const TIMED = 150;
const AT_ONCE = 16;
const ROUNDS = 5;
/** How many times slower than one by one the slowest of many at once may be. */
const MAX_SLOWER = 3;
const WARM_UP = 10;
/** Statements that run after the response: marking events as relayed, and the cart as notified. */
const BESIDE = /^update "(outbox|orders)" set "(relayed_at|cart_notice)"/i;

/** Placing an order: by a tenant's own checkout, and with the payment on the hosted page. */
export async function order(_products: number, _minutes: number, shards: number): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-order-'));
  const world = await makeWorld(folder, 0, shards);
  try {
    const trips = await counts(world);
    return [trips, ...(await times(world))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function counts({ folder, shards, shops: [shop] }: World): Promise<Finding> {
  const worker = await counting(folder, { shards });
  try {
    const till = await tillOf(worker, shop);
    const count = async (way: Way) => {
      for (const place of await ready(till, way, WARM_UP)) await place();
      const orders = await ready(till, way, COUNTED);
      await sleep(500);
      await tool<Counts>(worker, 'counts');
      for (const place of orders) await place();
      await sleep(500);
      const { d1, trips, objects } = await tool<Counts>(worker, 'counts');
      const beside = trips.filter((sql) => BESIDE.test(sql)).length;
      return [d1 - beside, beside, objects].map((sum) => sum / COUNTED);
    };
    const [placed, paid] = [await count(external), await count(hosted)];
    console.log(`\nStorage calls for each order of ${LINES} lines, means of ${COUNTED}`);
    table(
      ['', 'D1 round trips', 'D1 beside the answer', 'calls of objects'],
      [
        ['placed (POST /v1/orders)', ...placed],
        ['placed and paid (hosted page, sandbox)', ...paid],
      ],
    );
    const trips = placed[0] ?? Number.NaN;
    return {
      measure: 'placing an order: D1 round trips',
      reach: '≤ 2',
      figure: String(trips),
      reached: trips <= 2,
    };
  } finally {
    await worker.stop();
  }
}

async function times({ folder, shards, shops: [shop] }: World): Promise<Finding[]> {
  const beside = join(folder, 'bare');
  await migrate(beside);
  const [worker, plain] = [await service(folder, { shards }), await counting(beside)];
  try {
    const till = await tillOf(worker, shop);
    const bare = Array.from({ length: TIMED }, () => () => tool(plain, 'trips'));
    for (const way of [external, hosted]) {
      for (const place of await ready(till, way, WARM_UP)) await place();
    }
    await timed(bare.slice(0, WARM_UP), 1);
    const both: Compared[] = [];
    for (const atOnce of [1, AT_ONCE]) {
      // The hosted page sells by the settings of the moment, so those orders are made ready last.
      const placed = await ready(till, external, TIMED);
      both.push(await compare([bare, placed, await ready(till, hosted, TIMED)], atOnce));
    }
    const [alone = Number.NaN, together = Number.NaN] = both.map(({ p99 }) => p99);
    const times = together / alone;
    return [
      ...both.map(({ finding }) => finding),
      {
        measure: `placing orders: p99 of ${AT_ONCE} at once to that of one by one`,
        reach: `≤ ${MAX_SLOWER} times`,
        figure: `${times.toFixed(1)} times`,
        reached: times <= MAX_SLOWER,
      },
    ];
  } finally {
    await worker.stop();
    await plain.stop();
  }
}

/** What {@link compare} has found, and the p99 of placing an order (ms). */
interface Compared {
  readonly finding: Finding;
  readonly p99: number;
}

/** Times bare round trips, orders placed, and orders placed and paid in turns: a slow moment slows all three. */
async function compare(all: readonly (() => Promise<unknown>)[][], atOnce: number): Promise<Compared> {
  const rounds: Timing[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const timings: Timing[] = [];
    for (const calls of all) {
      const each = calls.length / ROUNDS;
      timings.push(await timed(calls.slice(round * each, (round + 1) * each), atOnce));
    }
    rounds.push(timings);
  }
  const rows = ['two bare round trips', 'placed', 'placed and paid'].map((name, n) => {
    const latencies = rounds.flatMap((timings) => timings[n]?.latencies ?? []);
    const rate = median(rounds.flatMap((timings) => (timings[n] ? [rateOf(timings[n])] : [])));
    return [
      name,
      rate.toFixed(0),
      percentile(latencies, 0.5).toFixed(1),
      percentile(latencies, 0.99).toFixed(1),
    ];
  });
  console.log(`\n${TIMED} orders of ${LINES} lines, ${atOnce} at once`);
  table(['', 'a second', 'p50 ms', 'p99 ms'], rows);
  const [, rate, p50, p99] = rows[1] ?? [];
  const ratio = median(rounds.map(([bare, placed]) => (bare && placed ? rateOf(placed) / rateOf(bare) : 0)));
  const finding: Finding = {
    measure: `placing orders, ${atOnce} at once`,
    reach: 'reported',
    figure: `${rate} a second, p50 ${p50} ms, p99 ${p99} ms; ${ratio.toFixed(2)} of two bare round trips' rate`,
    reached: null,
  };
  return { finding, p99: Number(p99) };
}
