import { type Client, client } from '../../../scripts/dev/client.ts';
import { load, type Plan, post, type Round } from '../../load.ts';
import { type Finding, median, table } from '../../report.ts';
import { type Apart, type Measured, VARS } from '../../worker.ts';
import type { Shop } from '../../world/world.ts';

/** Changes a second of one SKU, and how long they are sent. */
const CHANGES_PER_SECOND = 1_000;
const SECONDS = 10;
const CONNECTIONS = 128;
/** Applications that change the SKU; each may send 100 requests a second. */
const WRITERS = 16;
/** Changes a second of the other tenant's own SKU. */
const NEIGHBOUR_RATE = 20;
/** Rounds of the other tenant, of which the median counts: a p99 of one is that of its third slowest of 200 changes. */
const NEIGHBOUR_ROUNDS = 5;
const HOT_STOCK = 10_000_000;

/** Creates a product with a stock in a shop; returns its id. */
export async function product(api: Client, sku: string, stock: number): Promise<number> {
  const body = { name: sku, sku, type: 'simple', price: 10, stock };
  return (await api<{ id: number }>('POST', '/v1/products', body)).id;
}

const adjustment = (token: string, sku: string): string =>
  post('/v1/inventory/adjustments', { Authorization: `Bearer ${token}` }, { items: [{ sku, delta: -1 }] });

async function writers(worker: Measured, { slug }: Shop): Promise<string[]> {
  const admin = client(worker.url.origin, VARS.SUPER_ADMIN_TOKEN);
  const tokens: string[] = [];
  while (tokens.length < WRITERS) {
    const body = { name: `writer ${tokens.length}`, kind: 'integration' };
    tokens.push(
      (await admin<{ token: string }>('POST', `/admin/v1/tenants/${slug}/applications`, body)).token,
    );
  }
  return tokens;
}

/** The other tenant quiet, beside the changes of one SKU, and beside them where it has databases of its own. */
interface NeighbourRound {
  readonly quiet: Round;
  readonly paced: Round;
  readonly slowed: Round;
  readonly elsewhere?: Round;
}

/** The services of two shops, which may be one process. */
interface Neighbours extends Pick<Apart, 'busy' | 'calm'> {
  readonly shop: Shop;
  readonly neighbour: Shop;
  /** A service with a copy of `neighbour`, which shares nothing with the others but the machine. */
  readonly elsewhere?: Measured;
}

interface Plans {
  /** The changes of the SKU that everybody wants, and its id. */
  readonly all: Plan;
  readonly hot: number;
  readonly calm: Plan;
  readonly elsewhere?: Plan;
}

/** One shop's SKU changes at the service `busy`, another's at `calm` and `elsewhere`. */
export async function hotSku(neighbours: Neighbours): Promise<Finding[]> {
  const { busy, shop } = neighbours;
  const plans = await planned(neighbours);
  const { all, hot } = plans;
  /** CPU time of a change (ms), which the load of the machine doesn't lengthen as it does the rate. */
  const cpuOf = async (connections: number): Promise<number> => {
    const before = busy.cpu();
    const { answered } = await load({ ...all, connections });
    return ((busy.cpu() - before) * 1_000) / answered;
  };
  const rounds = await neighbourRounds(plans);
  const most = await load(all);
  const [alone, grouped] = [await cpuOf(1), await cpuOf(CONNECTIONS)];
  const api = client(busy.url.origin, shop.token);
  const { stock: left } = await api<{ stock: number }>('GET', `/v1/products/${hot}`);
  printRounds(most, rounds);
  console.log(`Stock of the SKU as reads show it: ${left} of ${HOT_STOCK}`);
  console.log(`CPU time of a change: ${alone.toFixed(2)} ms alone, ${grouped.toFixed(2)} ms in groups`);
  return [
    ...findingsOf(most, rounds),
    {
      measure: 'CPU time of a change in groups, to one alone',
      reach: 'reported',
      figure: (grouped / alone).toFixed(2),
      reached: null,
    },
  ];
}

/** Creates the SKUs, and plans how they change. */
async function planned({ busy, calm, elsewhere, shop, neighbour }: Neighbours): Promise<Plans> {
  const hot = await product(client(busy.url.origin, shop.token), 'HOT', HOT_STOCK);
  const requests = (await writers(busy, shop)).map((token) => adjustment(token, 'HOT'));
  const ownSku = async ({ url, address }: Measured): Promise<Plan> => {
    await product(client(url.origin, neighbour.token), 'CALM', 1_000_000);
    const own = [adjustment(neighbour.token, 'CALM')];
    return { ...address, requests: own, seconds: SECONDS, connections: 4, rate: NEIGHBOUR_RATE };
  };
  return {
    hot,
    all: { ...busy.address, requests, seconds: SECONDS, connections: CONNECTIONS },
    calm: await ownSku(calm),
    ...(elsewhere && { elsewhere: await ownSku(elsewhere) }),
  };
}

/** Sends the other tenant's changes quiet and beside those of the SKU, in turn. */
async function neighbourRounds({ all, calm, elsewhere }: Plans): Promise<NeighbourRound[]> {
  for (const plan of [all, calm, ...(elsewhere ? [elsewhere] : [])]) await load({ ...plan, seconds: 2 });
  const beside = (plan: Plan) => Promise.all([load(plan), load({ ...all, rate: CHANGES_PER_SECOND })]);
  const rounds: NeighbourRound[] = [];
  while (rounds.length < NEIGHBOUR_ROUNDS) {
    const quiet = await load(calm);
    const [slowed, paced] = await beside(calm);
    const [apart] = elsewhere ? await beside(elsewhere) : [];
    rounds.push({ quiet, paced, slowed, ...(apart && { elsewhere: apart }) });
  }
  return rounds;
}

function printRounds(most: Round, rounds: readonly NeighbourRound[]): void {
  console.log(`\nChanges of one SKU for ${SECONDS} s, beside ${NEIGHBOUR_RATE} a second of another tenant`);
  const row = (name: string, { answered, seconds, p50, p99, others }: Round) => [
    ...[name, (answered / seconds).toFixed(0), p50.toFixed(1), p99.toFixed(1), JSON.stringify(others)],
  ];
  table(
    ['', 'a second', 'p50 ms', 'p99 ms', 'other statuses'],
    [
      row('one SKU, as fast as it goes', most),
      ...rounds.flatMap(({ quiet, paced, slowed, elsewhere }) => [
        row('the other tenant, quiet', quiet),
        row('the other tenant, beside them', slowed),
        row(`one SKU, ${CHANGES_PER_SECOND} a second sent`, paced),
        ...(elsewhere ? [row('the other tenant, beside them, with databases of its own', elsewhere)] : []),
      ]),
    ],
  );
}

function findingsOf(most: Round, rounds: readonly NeighbourRound[]): Finding[] {
  const rate = most.answered / most.seconds;
  const [quiet, slowed] = [p99Of(rounds, 'quiet'), p99Of(rounds, 'slowed')];
  const elsewhere = p99Of(rounds, 'elsewhere');
  const ratio = (one: number, to: number) =>
    `${(one / to).toFixed(2)} (${one.toFixed(1)} to ${to.toFixed(1)} ms)`;
  const alone = {
    measure: 'the same where it has databases of its own, and shares the machine alone',
    reach: 'reported',
    figure: ratio(elsewhere, quiet),
    reached: null,
  };
  return [
    {
      measure: 'changes a second of one SKU',
      reach: `≥ ${CHANGES_PER_SECOND}`,
      figure: rate.toFixed(0),
      reached: rate >= CHANGES_PER_SECOND,
    },
    {
      measure: "another tenant's p99 beside them, to quiet",
      reach: '≤ 1.5',
      figure: ratio(slowed, quiet),
      reached: slowed / quiet <= 1.5,
    },
    ...(Number.isNaN(elsewhere) ? [] : [alone]),
  ];
}

/** Returns the median p99 (ms) of these rounds of the other tenant; NaN if there were none. */
function p99Of(rounds: readonly NeighbourRound[], name: Exclude<keyof NeighbourRound, 'paced'>): number {
  return median(rounds.map((round) => round[name]?.p99 ?? Number.NaN));
}
