import { client } from '../../scripts/client.ts';
import { get, load, type Round } from '../load.ts';
import { type Finding, median, table } from '../report.ts';
import { bare, type Measured, service } from '../worker.ts';
import { worldOf } from '../world.ts';

const SECONDS = 2;
const WARM_UPS = 3;
const ROUNDS = 10;
const CONNECTIONS = 16;
/** How many requests a second each application sends: an enterprise plan's limit is 100. */
const EACH = 80;
const AS_BARE = [get('/')];

interface Sample extends Round {
  readonly rate: number;
  /** Microseconds of workerd's CPU for each request. */
  readonly cpu: number;
}

interface Pair {
  readonly plain: Sample;
  readonly ours: Sample;
}

async function measure(worker: Measured, requests: readonly string[]): Promise<Sample> {
  const before = worker.cpu();
  const round = await load({ ...worker.address, requests, seconds: SECONDS, connections: CONNECTIONS });
  const cpu = ((worker.cpu() - before) / round.answered) * 1e6;
  const others = JSON.stringify(round.others);
  if (others !== '{}') throw new Error(`Not all answers were 200: ${others}`);
  return { ...round, rate: round.answered / round.seconds, cpu };
}

/** Hot reads beside the bare Worker, in turns, so that both see the same weather on the machine. */
export async function hot(products: number): Promise<Finding[]> {
  const world = await worldOf(products);
  const [shop] = world.shops;
  const [plain, ours] = [await bare(), await service(world.folder)];
  try {
    const api = client(ours.url.origin, shop.token);
    const { data } = await api<{ data: { id: number }[] }>('GET', '/v1/products?limit=20');
    const half = shop.load.length / 2;
    const details = data.map(({ id }) => `/v1/products/${id}`);
    return [
      ...report(
        'GET /v1/products/{id}',
        await pairs(plain, ours, details, shop.load.slice(half)),
        plain,
        ours,
      ),
      ...report(
        'GET /v1/products?limit=20',
        await pairs(plain, ours, ['/v1/products?limit=20'], shop.load.slice(0, half)),
        plain,
        ours,
      ),
    ];
  } finally {
    await plain.stop();
    await ours.stop();
  }
}

async function pairs(
  plain: Measured,
  ours: Measured,
  paths: readonly string[],
  tokens: readonly string[],
): Promise<Pair[]> {
  const measured: Pair[] = [];
  let busy = tokens;
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    const requests = paths.flatMap((path) =>
      busy.map((token) => get(path, { Authorization: `Bearer ${token}` })),
    );
    const pair = { plain: await measure(plain, AS_BARE), ours: await measure(ours, requests) };
    // As many applications as ask, together, what the service answered in this round.
    busy = tokens.slice(0, Math.ceil((pair.ours.rate * 1.1) / EACH));
    if (round >= WARM_UPS) measured.push(pair);
  }
  return measured;
}

function report(name: string, measured: readonly Pair[], plain: Measured, ours: Measured): Finding[] {
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
        measured.map((pair) => pair.plain),
        plain,
      ),
      row(
        'Storefront Edge',
        measured.map((pair) => pair.ours),
        ours,
      ),
    ],
  );
  const rate = median(measured.map((pair) => pair.ours.rate / pair.plain.rate));
  const cpu = median(measured.map((pair) => pair.plain.cpu / pair.ours.cpu));
  return [ratio(`${name}: rate to the bare Worker's`, rate), ratio(`${name}: by CPU a request`, cpu)];
}

const ratio = (measure: string, value: number): Finding => ({
  measure,
  reach: '≥ 0.85',
  figure: value.toFixed(2),
  reached: value >= 0.85,
});
