import type { Answer } from './baselines/answer.ts';
import { load, type Round, type Timed } from './load.ts';
import { type Finding, median, table } from './report.ts';
import type { Measured } from './worker.ts';

const SECONDS = 2;
const WARM_UPS = 3;
const ROUNDS = 10;
const CONNECTIONS = 16;
/** Requests per second of each application. The enterprise plan's limit is 100. */
const RATE_PER_APPLICATION = 80;

/** A minimal Worker to compare with. */
export interface Baseline {
  readonly name: string;
  readonly worker: Measured;
  readonly requests: readonly string[];
  /** Target ratio of the service to it, for request rate and for requests per CPU second; null: reported only. */
  readonly reach: number | null;
}

/** A comparison of the service with baselines. */
export interface Contest {
  readonly name: string;
  readonly ours: Measured;
  readonly baselines: readonly Baseline[];
  /** The requests to the service, spread evenly over these applications. */
  requests(tokens: readonly string[]): readonly string[];
  readonly tokens: readonly string[];
  /** Whether all of them are busy in every round, as those of a baseline are that has applications too. */
  readonly allBusy?: boolean;
}

interface Sample extends Round {
  readonly rate: number;
  /** Microseconds of workerd's CPU time per request. */
  readonly cpu: number;
}

/** One measurement of the service, and one of each baseline in their order. */
interface Turn {
  readonly ours: Sample;
  readonly baselines: readonly Sample[];
}

/** Headers of the connection, which each server sets itself. */
const OF_CONNECTION = ['connection', 'content-length', 'keep-alive', 'transfer-encoding'];

/** Returns a response of the service as a baseline repeats it. Throws if its status is not 200. */
export function repeatable({ status, headers, body }: Timed): Answer {
  if (status !== 200) throw new Error(`The service answered ${status} ${body}`);
  const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name));
  return { body, headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])) };
}

/** Measures all in alternation, so that the machine's load affects all equally. */
export async function contest(between: Contest): Promise<Finding[]> {
  const { ours, baselines, tokens } = between;
  const turns: Turn[] = [];
  let [busy, fastest] = [tokens, 0];
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    const samples: Sample[] = [];
    for (const { worker, requests } of baselines) samples.push(await measure(worker, requests));
    const turn = { ours: await measure(ours, between.requests(busy)), baselines: samples };
    // Enough applications for 110 % of the best round's rate, within each application's limit.
    fastest = Math.max(fastest, turn.ours.rate);
    if (!between.allBusy) busy = tokens.slice(0, Math.ceil((fastest * 1.1) / RATE_PER_APPLICATION));
    if (round >= WARM_UPS) turns.push(turn);
  }
  return report(between, turns);
}

async function measure(worker: Measured, requests: readonly string[]): Promise<Sample> {
  const before = worker.cpu();
  const round = await load({ ...worker.address, requests, seconds: SECONDS, connections: CONNECTIONS });
  const cpu = ((worker.cpu() - before) / round.answered) * 1e6;
  const others = JSON.stringify(round.others);
  if (others !== '{}') throw new Error(`Not all responses were 200: ${others}`);
  return { ...round, rate: round.answered / round.seconds, cpu };
}

function report({ name, ours, baselines }: Contest, turns: readonly Turn[]): Finding[] {
  const row = (label: string, worker: Measured, samples: readonly Sample[]) => {
    const middle = (read: (sample: Sample) => number) => median(samples.map(read));
    return [
      label,
      Math.round(middle(({ rate }) => rate)),
      middle(({ p50 }) => p50).toFixed(2),
      middle(({ p99 }) => p99).toFixed(2),
      Math.round(middle(({ cpu }) => cpu)),
      Math.round(worker.memory()),
    ];
  };
  const samplesOf = (at: number) => turns.flatMap((turn) => turn.baselines[at] ?? []);
  console.log(`\n${name}: ${ROUNDS} rounds of ${SECONDS} s each in turn, ${CONNECTIONS} connections`);
  table(
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'memory MiB'],
    [
      ...baselines.map((baseline, at) => row(baseline.name, baseline.worker, samplesOf(at))),
      row(
        'Storefront Edge',
        ours,
        turns.map((turn) => turn.ours),
      ),
    ],
  );
  return baselines.flatMap((baseline, at) => ratios(name, baseline, turns, at));
}

/** Returns the service's rate and CPU use to those of the baseline at a place. */
function ratios(contested: string, { name, reach }: Baseline, turns: readonly Turn[], at: number): Finding[] {
  const ratio = (measure: string, read: (ours: Sample, baseline: Sample) => number): Finding => {
    const value = median(
      turns.flatMap(({ ours, baselines }) => (baselines[at] ? read(ours, baselines[at]) : [])),
    );
    return {
      measure: `${contested} to ${name}: ${measure}`,
      reach: reach === null ? 'reported' : `≥ ${reach}`,
      figure: value.toFixed(2),
      reached: reach === null ? null : value >= reach,
    };
  };
  return [
    ratio('rate', (ours, baseline) => ours.rate / baseline.rate),
    ratio('requests per CPU second', (ours, baseline) => baseline.cpu / ours.cpu),
  ];
}
