import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../../../scripts/dev/client.ts';
import { external, ready, type Till, tillOf, timed } from '../../calls/till.ts';
import { type Finding, percentile, table } from '../../report.ts';
import { type Measured, service } from '../../worker.ts';
import { copyOf, makeWorld, type Shop, type World } from '../../world/world.ts';
import { catalogue } from '../writes/import.ts';

/** Imports that one tenant runs at once, and products of each file. */
const IMPORTS = 3;
const PRODUCTS = 4_000;
/** Orders that the other tenant places one after the other: quiet, and at most beside the imports, while these last. */
const QUIET = 40;
const BESIDE = 160;
const WARM_UP = 10;
/** The shares of a database's time that background work may take (`BACKGROUND_SHARE`): no limit, the default, less. */
const SHARES = ['1', '0.5', '0.1'];

/** The files that one tenant imports at once. */
export const stormFiles = (): string[] =>
  Array.from({ length: IMPORTS }, (_, file) => catalogue(file * PRODUCTS, PRODUCTS));

/** The other tenant's latencies (ms), quiet and beside the imports, and the imports' products a second. */
interface Storm {
  readonly share: string;
  readonly quiet: readonly number[];
  readonly beside: readonly number[];
  readonly productsPerSecond: number;
}

/** One tenant's import storm beside another's orders, with different budgets of database time for background work. */
export async function storm(): Promise<Finding[]> {
  const files = stormFiles();
  const world = await makeWorld(mkdtempSync(join(tmpdir(), 'bench-storm-')), 0);
  const storms: Storm[] = [];
  try {
    for (const share of SHARES) {
      const copy = copyOf(world);
      const platform = await begin(copy, share);
      storms.push({ share, ...(await play(platform, files)) });
      await platform.worker.stop();
    }
  } finally {
    rmSync(world.folder, { recursive: true });
  }
  return report(storms);
}

function report(storms: readonly Storm[]): Finding[] {
  console.log(
    `\nOrders one after the other, beside ${IMPORTS} imports of ${PRODUCTS} products by another tenant`,
  );
  table(
    ['database time for imports', 'orders', 'p50 ms', 'p99 ms', 'quiet p50 ms', 'imported products a second'],
    storms.map(({ share, quiet, beside, productsPerSecond }) => [
      `at most ${share}`,
      beside.length,
      ...[percentile(beside, 0.5), percentile(beside, 0.99), percentile(quiet, 0.5)].map((ms) =>
        ms.toFixed(1),
      ),
      productsPerSecond.toFixed(0),
    ]),
  );
  const slower = storms.map(({ quiet, beside }) => percentile(beside, 0.5) / percentile(quiet, 0.5));
  const [free = Number.NaN] = slower;
  const least = slower.at(-1) ?? Number.NaN;
  return [
    {
      measure: `orders beside imports to quiet, median: with a share of ${SHARES.join(', ')}`,
      reach: `less with ${SHARES.at(-1)} than with ${SHARES[0]}`,
      figure: slower.map((ratio) => ratio.toFixed(1)).join(', '),
      reached: least < free,
    },
  ];
}

/** A running service, the shop that imports, and the other one's till. */
export interface Platform {
  readonly worker: Measured;
  readonly stormy: Shop;
  readonly till: Till;
}

async function begin({ folder, shops: [stormy, calm] }: World, share: string): Promise<Platform> {
  const worker = await service(folder, { vars: { BACKGROUND_SHARE: share } });
  if (!calm) throw new Error('The world has too few shops');
  return { worker, stormy, till: await tillOf(worker, calm) };
}

/** Plays the storm: orders quiet, then beside the imports. */
export async function play(
  { worker, stormy, till }: Platform,
  files: readonly string[],
): Promise<Omit<Storm, 'share'>> {
  const orders = await ready(till, external, WARM_UP + QUIET + BESIDE);
  await timed(orders.splice(0, WARM_UP), 1);
  const quiet = await timed(orders.splice(0, QUIET), 1);
  let importing = true;
  const imports = runImports(worker.url, stormy, files).finally(() => {
    importing = false;
  });
  const beside: number[] = [];
  for (const order of orders) if (importing) beside.push(...(await timed([order], 1)).latencies);
  const seconds = await imports;
  return {
    quiet: quiet.latencies,
    beside,
    productsPerSecond: (IMPORTS * PRODUCTS) / seconds,
  };
}

/** Uploads the files of one tenant at once, and waits until all are imported. Returns the seconds that took. */
async function runImports(url: URL, { token }: Shop, files: readonly string[]): Promise<number> {
  const api = client(url.origin, token);
  const begun = performance.now();
  await Promise.all(
    files.map(async (body) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' };
      const answer = await fetch(new URL('/v1/imports/products', url), { method: 'POST', headers, body });
      if (answer.status !== 202)
        throw new Error(`The import answered ${answer.status} ${await answer.text()}`);
      const path = `/v1/imports/${JSON.parse(await answer.text()).id}`;
      for (;;) {
        const { status, created } = await api<{ status: string; created: number }>('GET', path);
        if (status === 'done' && created === PRODUCTS) return;
        if (status === 'done' || status === 'failed')
          throw new Error(`${path} ${status}, ${created} created`);
        await sleep(500);
      }
    }),
  );
  return (performance.now() - begun) / 1_000;
}
