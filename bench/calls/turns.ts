import { ask } from '../load.ts';
import { median, table } from '../report.ts';
import { type Measured, service } from '../worker.ts';
import type { Shop, World } from '../world/world.ts';
import { bump } from './cold.ts';

const WARM_UPS = 5;

/** A deployment that is asked in turn with another one. */
export interface Side {
  readonly label: string;
  readonly worker: Measured;
  /** Returns the shop that a sample asks. */
  shopOf(sample: number): Shop;
}

/** Starts the service on a world, of which the first shop is asked. */
export async function sideOf({ folder, shards, shops: [shop] }: World, label: string): Promise<Side> {
  return { label, worker: await service(folder, { shards }), shopOf: () => shop };
}

/** Two deployments, and the paths that each sample asks of one, by what they stand for. */
export interface ColdComparison {
  readonly sides: readonly [Side, Side];
  readonly samples: number;
  /** Samples before these, which don't count: enough to ask each shop once. */
  readonly warmUps?: number;
  paths(side: Side, sample: number): Promise<Readonly<Record<string, string>>>;
}

/** Medians (ms) of one question on both sides, and the second's to the first's. */
export interface ColdTimes {
  readonly name: string;
  readonly first: number;
  readonly second: number;
  readonly ratio: number;
}

const isSearch = (path: string): boolean => path.startsWith('/v1/search?');

/** The most times that a search index is asked whether it has reached a version; each brings it nearer. */
const MAX_INDEX_WAITS = 200;

/** Waits until the search index has reached the version in the headers, which is no part of a search. */
async function untilSearchable(worker: Measured, headers: Record<string, string>): Promise<void> {
  for (let wait = 0; wait < MAX_INDEX_WAITS; wait++)
    if ((await ask(worker, '/v1/search?q=reached', headers)).status !== 503) return;
}

/** Times cold reads of two deployments in alternation, so that the machine's load affects both equally. */
export async function coldInTurns(comparison: ColdComparison): Promise<ColdTimes[]> {
  const { sides, samples, warmUps = WARM_UPS, paths } = comparison;
  const took = new Map<string, [number[], number[]]>();
  for (let sample = 0; sample < warmUps + samples; sample++) {
    for (const [place, side] of sides.entries()) {
      const asked = await paths(side, sample);
      const headers = await bump(side.worker, side.shopOf(sample));
      if (Object.values(asked).some(isSearch)) await untilSearchable(side.worker, headers);
      for (const [name, path] of Object.entries(asked)) {
        const { ms, status, body } = await ask(side.worker, path, headers);
        if (status !== 200) throw new Error(`${path} answered ${status} ${body}`);
        const times = took.get(name) ?? [[], []];
        took.set(name, times);
        if (sample >= warmUps) times[place]?.push(ms);
      }
    }
  }
  const rows = [...took].map(([name, times]) => {
    const [first = Number.NaN, second = Number.NaN] = times.map(median);
    return { name, first, second, ratio: second / first };
  });
  console.log(`\nCold reads, p50 of ${samples} in ms`);
  table(
    ['', ...sides.map(({ label }) => label), 'ratio'],
    rows.map(({ name, first, second, ratio }) => [
      name,
      ...[first, second, ratio].map((figure) => figure.toFixed(2)),
    ]),
  );
  return rows;
}

/** Returns the largest ratio. */
export const worstRatio = (rows: readonly ColdTimes[]): number => Math.max(...rows.map(({ ratio }) => ratio));
