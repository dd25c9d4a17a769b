import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../../scripts/client.ts';
import { external, ready, type Till, tillOf, timed } from '../calls/till.ts';
import { type Finding, median, percentile, table } from '../report.ts';
import { type Measured, service } from '../worker.ts';
import { makeWorld, type Shop, type World } from '../world/world.ts';
import { catalogue } from './import.ts';

/** Imports that one tenant runs at once, and products of each file. */
const IMPORTS = 3;
const PRODUCTS = 2_000;
/** Orders that the other tenant places one after the other: quiet, and beside the imports. */
const ORDERS = 40;
const WARM_UP = 10;
/** Rounds with the budget and rounds without it, in turns. */
const ROUNDS = 3;

/** A round: the other tenant's latencies (ms), quiet and beside the imports, and the imports' products a second. */
interface Round {
  readonly quiet: readonly number[];
  readonly beside: readonly number[];
  readonly productsPerSecond: number;
}

/**
 * One tenant's import storm beside another's orders, with the budget of database time for background work, and without
 * it (`BACKGROUND_SHARE=1`).
 */
export async function storm(): Promise<Finding[]> {
  const world = await makeWorld(mkdtempSync(join(tmpdir(), 'bench-storm-')), 0);
  const copy = mkdtempSync(join(tmpdir(), 'bench-storm-'));
  cpSync(world.folder, copy, { recursive: true });
  const free = await begin({ ...world, folder: copy }, { BACKGROUND_SHARE: '1' });
  const held = await begin(world, {});
  const rounds: { readonly unlimited: Round; readonly limited: Round }[] = [];
  try {
    for (let n = 0; n < ROUNDS; n++) {
      const files = Array.from({ length: IMPORTS }, (_, file) =>
        catalogue((n * IMPORTS + file) * PRODUCTS, PRODUCTS),
      );
      rounds.push({ unlimited: await play(free, files), limited: await play(held, files) });
    }
  } finally {
    await free.end();
    await held.end();
  }
  return report(rounds);
}

function report(rounds: readonly { readonly unlimited: Round; readonly limited: Round }[]): Finding[] {
  const [unlimited, limited] = [rounds.map((round) => round.unlimited), rounds.map((round) => round.limited)];
  console.log(
    `\n${ORDERS} orders one after the other, beside ${IMPORTS} imports of another tenant; ${ROUNDS} rounds`,
  );
  const row = (name: string, latencies: readonly number[], rate: string) => [
    ...[name, percentile(latencies, 0.5).toFixed(1), percentile(latencies, 0.99).toFixed(1), rate],
  ];
  const rate = (some: readonly Round[]) => median(some.map((round) => round.productsPerSecond)).toFixed(0);
  table(
    ['', 'p50 ms', 'p99 ms', 'imported products a second'],
    [
      row(
        'quiet',
        [...unlimited, ...limited].flatMap((round) => round.quiet),
        '',
      ),
      row(
        'beside imports without a budget',
        unlimited.flatMap((round) => round.beside),
        rate(unlimited),
      ),
      row(
        'beside imports with the budget',
        limited.flatMap((round) => round.beside),
        rate(limited),
      ),
    ],
  );
  const slowdown = (some: readonly Round[]) =>
    median(some.map(({ quiet, beside }) => percentile(beside, 0.5) / percentile(quiet, 0.5))).toFixed(2);
  const perRound = rounds.map(
    (round) => percentile(round.limited.beside, 0.5) / percentile(round.unlimited.beside, 0.5),
  );
  return [
    {
      measure: "orders beside another tenant's imports, to quiet: median",
      reach: 'reported',
      figure: `${slowdown(limited)} with the budget, ${slowdown(unlimited)} without`,
      reached: null,
    },
    {
      measure: 'orders beside imports: with the budget to without',
      reach: '< 1',
      figure: median(perRound).toFixed(2),
      reached: median(perRound) < 1,
    },
  ];
}

/** A running service, the shop that imports, and the other one's till. */
interface Platform {
  readonly worker: Measured;
  readonly stormy: Shop;
  readonly till: Till;
  end(): Promise<void>;
}

async function begin(
  { folder, shops: [stormy, calm] }: World,
  vars: Record<string, string>,
): Promise<Platform> {
  const worker = await service(folder, { vars });
  if (!calm) throw new Error('The world has too few shops');
  const end = async () => {
    await worker.stop();
    rmSync(folder, { recursive: true });
  };
  return { worker, stormy, till: await tillOf(worker, calm), end };
}

async function play({ worker, stormy, till }: Platform, files: readonly string[]): Promise<Round> {
  const orders = await ready(till, external, WARM_UP + 2 * ORDERS);
  await timed(orders.splice(0, WARM_UP), 1);
  const quiet = await timed(orders.splice(0, ORDERS), 1);
  const progress = await startImports(worker.url, stormy, files);
  const before = await progress();
  const beside = await timed(orders, 1);
  const imported = (await progress()).written - before.written;
  while (!(await progress()).ended) await sleep(500);
  return { quiet: quiet.latencies, beside: beside.latencies, productsPerSecond: imported / beside.seconds };
}

/** The imports of one tenant: how many products they have written, and whether all have ended. */
interface Progress {
  readonly written: number;
  readonly ended: boolean;
}

/** Starts the imports of one tenant. Returns the function that reads their progress. */
async function startImports(
  url: URL,
  { token }: Shop,
  files: readonly string[],
): Promise<() => Promise<Progress>> {
  const ids: string[] = [];
  for (const body of files) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' };
    const answer = await fetch(new URL('/v1/imports/products', url), { method: 'POST', headers, body });
    if (answer.status !== 202) throw new Error(`The import answered ${answer.status} ${await answer.text()}`);
    ids.push(JSON.parse(await answer.text()).id);
  }
  const api = client(url.origin, token);
  return async () => {
    const jobs = await Promise.all(
      ids.map((id) => api<{ status: string; created: number }>('GET', `/v1/imports/${id}`)),
    );
    return {
      written: jobs.reduce((sum, { created }) => sum + created, 0),
      ended: jobs.every(({ status }) => status === 'done' || status === 'failed'),
    };
  };
}
