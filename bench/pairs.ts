import { load, type Round } from './load.ts';
import { type Finding, median, table } from './report.ts';
import type { Measured } from './worker.ts';

const SECONDS = 2;
const WARM_UPS = 3;
const ROUNDS = 10;
const CONNECTIONS = 16;
/** Requests per second of each application. The enterprise plan's limit is 100. */
const RATE_PER_APPLICATION = 80;

/** A comparison of the service with a minimal baseline Worker. */
export interface Contest {
  readonly name: string;
  readonly plain: Measured;
  readonly ours: Measured;
  readonly asPlain: readonly string[];
  /** The requests to the service, spread evenly over these applications. */
  asOurs(tokens: readonly string[]): readonly string[];
  readonly tokens: readonly string[];
  /** Target ratio of the service to the bare Worker, for request rate and for requests per CPU second. */
  readonly reach: number;
}

interface Sample extends Round {
  readonly rate: number;
  /** Microseconds of workerd's CPU time per request. */
  readonly cpu: number;
}

interface Pair {
  readonly plain: Sample;
  readonly ours: Sample;
}

/** Measures both in alternation, so that the machine's load affects both equally. */
export async function contest(between: Contest): Promise<Finding[]> {
  const { plain, ours, asPlain, asOurs, tokens } = between;
  const pairs: Pair[] = [];
  let [busy, fastest] = [tokens, 0];
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    const pair = { plain: await measure(plain, asPlain), ours: await measure(ours, asOurs(busy)) };
    // Enough applications for 110 % of the best round's rate, within each application's limit.
    fastest = Math.max(fastest, pair.ours.rate);
    busy = tokens.slice(0, Math.ceil((fastest * 1.1) / RATE_PER_APPLICATION));
    if (round >= WARM_UPS) pairs.push(pair);
  }
  return report(between, pairs);
}

async function measure(worker: Measured, requests: readonly string[]): Promise<Sample> {
  const before = worker.cpu();
  const round = await load({ ...worker.address, requests, seconds: SECONDS, connections: CONNECTIONS });
  const cpu = ((worker.cpu() - before) / round.answered) * 1e6;
  const others = JSON.stringify(round.others);
  if (others !== '{}') throw new Error(`Not all responses were 200: ${others}`);
  return { ...round, rate: round.answered / round.seconds, cpu };
}

function report({ name, plain, ours, reach }: Contest, pairs: readonly Pair[]): Finding[] {
  const row = (label: string, samples: readonly Sample[], worker: Measured) => {
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
  console.log(`\n${name}: ${ROUNDS} rounds of ${SECONDS} s each in turn, ${CONNECTIONS} connections`);
  table(
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'memory MiB'],
    [
      row(
        'bare Worker',
        pairs.map((pair) => pair.plain),
        plain,
      ),
      row(
        'Storefront Edge',
        pairs.map((pair) => pair.ours),
        ours,
      ),
    ],
  );
  const ratio = (measure: string, read: (pair: Pair) => number): Finding => {
    const value = median(pairs.map(read));
    return {
      measure: `${name}: ${measure}`,
      reach: `≥ ${reach}`,
      figure: value.toFixed(2),
      reached: value >= reach,
    };
  };
  return [
    ratio("rate to the bare Worker's", (pair) => pair.ours.rate / pair.plain.rate),
    ratio('by CPU a request', (pair) => pair.plain.cpu / pair.ours.cpu),
  ];
}
