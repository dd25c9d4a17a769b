import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../../../scripts/dev/client.ts';
import { bump } from '../../calls/cold.ts';
import type { Counts } from '../../counting.ts';
import { ask } from '../../load.ts';
import { type Finding, median, table } from '../../report.ts';
import { bareD1, counting, type Measured, service, tool } from '../../worker.ts';
import { type Shop, type World, worldOf } from '../../world/world.ts';

const WARM_UPS = 10;
const SAMPLES = 100;
const MOST = 1.3;
/** How long (ms) after a read the baseline is asked: what the service does after its response must not slow it. */
const PAUSE_MS = 20;

/** The request body that makes the baseline run what a cold read runs, by the read's path. */
type Batches = Readonly<Record<string, string>>;

/** Cold reads beside a Worker that runs the same statements as one batch, on a copy of the same data. */
export async function cold(products: number, _minutes: number, shards: number): Promise<Finding[]> {
  const world = await worldOf(products, shards);
  const copy = mkdtempSync(join(tmpdir(), 'bench-cold-'));
  try {
    const batches = await batchesOf(world);
    cpSync(world.folder, copy, { recursive: true });
    const [ours, plain] = [await service(world.folder, { shards }), await bareD1(copy, shards)];
    try {
      return await compare(ours, plain, world.shops[0], batches);
    } finally {
      await ours.stop();
      await plain.stop();
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Returns the statements of cold reads of a product and of a list. */
async function batchesOf({ folder, shards, shops: [shop] }: World): Promise<Batches> {
  const worker = await counting(folder, { shards });
  try {
    const list = '/v1/products?limit=20';
    const { data } = await client(worker.url.origin, shop.token)<{ data: { id: number }[] }>('GET', list);
    const batches: Record<string, string> = {};
    for (const path of [`/v1/products/${data[0]?.id}`, list]) {
      const headers = await bump(worker, shop);
      await tool<Counts>(worker, 'counts');
      await ask(worker, path, headers);
      const { queries, d1 } = await tool<Counts>(worker, 'counts');
      if (d1 !== 1) throw new Error(`${path} took ${d1} round trips.`);
      batches[path] = JSON.stringify(queries);
    }
    return batches;
  } finally {
    await worker.stop();
  }
}

async function compare(ours: Measured, plain: Measured, shop: Shop, batches: Batches): Promise<Finding[]> {
  const took: Record<string, { ours: number[]; plain: number[] }> = {};
  for (let sample = -WARM_UPS; sample < SAMPLES; sample++) {
    const headers = await bump(ours, shop);
    for (const [path, batch] of Object.entries(batches)) {
      took[path] ??= { ours: [], plain: [] };
      const { ms, status } = await ask(ours, path, headers);
      await sleep(PAUSE_MS);
      const bare = await ask(plain, '/', {}, batch);
      if (status !== 200 || bare.status !== 200) throw new Error(`${path}: ${status}, ${bare.body}`);
      if (sample < 0) continue;
      took[path].ours.push(ms);
      took[path].plain.push(bare.ms);
    }
  }
  const rows = Object.entries(took).map(([path, times]) => {
    const [one, other] = [median(times.ours), median(times.plain)];
    return { path, one, other, ratio: one / other };
  });
  console.log(`\nCold reads beside a bare batch of the same statements, p50 of ${SAMPLES} in ms`);
  table(
    ['', 'Storefront Edge', 'bare batch', 'ratio'],
    rows.map(({ path, one, other, ratio }) => [path, one.toFixed(2), other.toFixed(2), ratio.toFixed(2)]),
  );
  const worst = Math.max(...rows.map(({ ratio }) => ratio));
  return [
    {
      measure: 'cold read to a bare D1 batch of the same statements',
      reach: `≤ ${MOST} times`,
      figure: `${worst.toFixed(2)} times`,
      reached: worst <= MOST,
    },
  ];
}
