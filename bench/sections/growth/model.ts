import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from '../../../scripts/dev/client.ts';
import { utilizationOf } from '../../../scripts/simulate/queue.ts';
import { load, type Round } from '../../load.ts';
import { type Finding, median, table } from '../../report.ts';
import { type Measured, service, VARS } from '../../worker.ts';
import { makeWorld, type Shop } from '../../world/world.ts';

const SECONDS = 3;
const ROUNDS = 7;
const CONNECTIONS = 16;
/** Products and coupons of each application: enough that no two connections change the same one at once. */
const SUBJECTS = 8;
/** Applications that share the load: each may send 100 requests a second. */
const APPLICATIONS = 16;
/** The most that the prediction may be off. */
const TOLERANCE = 0.2;

/** Whole HTTP requests of two kinds of write. */
interface Kinds {
  readonly reprice: readonly string[];
  readonly revalue: readonly string[];
}

/**
 * Compares the model of `npm run simulate` with this machine. It measures how long one database, with the Worker in
 * front, works on each of two writes when it does nothing else; predicts the rate of both in turn from that, as
 * {@link utilizationOf} does; and measures it. The three are measured in turn, so that all see the same load of the
 * machine.
 */
export async function model(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-model-'));
  const {
    shops: [shop],
  } = await makeWorld(folder, 0);
  const worker = await service(folder);
  try {
    return report(await measure(worker, await kindsOf(worker, shop)));
  } finally {
    await worker.stop();
    rmSync(folder, { recursive: true });
  }
}

const request = (token: string, method: string, path: string, body: object): string => {
  const json = JSON.stringify(body);
  const head = [
    ...[`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json'],
    ...[`Content-Length: ${Buffer.byteLength(json)}`, `Authorization: Bearer ${token}`],
  ];
  return [...head, '', json].join('\r\n');
};

/** The values that fields are set to in turn: all subjects get the first, then all the second, and so on. */
const VALUES = [11, 12];

/** Returns requests that change products and coupons, each application its own. */
async function kindsOf(worker: Measured, { slug, token: own }: Shop): Promise<Kinds> {
  const admin = client(worker.url.origin, VARS.SUPER_ADMIN_TOKEN);
  const api = client(worker.url.origin, own);
  const subjects: { token: string; product: string; coupon: string }[] = [];
  for (let n = 0; n < APPLICATIONS; n++) {
    const application = { name: `check ${n}`, kind: 'integration' };
    const { token } = await admin<{ token: string }>(
      'POST',
      `/admin/v1/tenants/${slug}/applications`,
      application,
    );
    for (let k = 0; k < SUBJECTS; k++) {
      const product = { name: `Cup ${n}-${k}`, type: 'simple', price: 10, stock: 100 };
      const { id } = await api<{ id: number }>('POST', '/v1/products', product);
      const coupon = { code: `CHECK${n}X${k}`, kind: 'percent', value: 10 };
      const made = await api<{ id: number }>('POST', '/v1/coupons', coupon);
      subjects.push({ token, product: `/v1/products/${id}`, coupon: `/v1/coupons/${made.id}` });
    }
  }
  const all = (kind: 'product' | 'coupon', field: string) =>
    VALUES.flatMap((value) =>
      subjects.map((subject) => request(subject.token, 'PATCH', subject[kind], { [field]: value })),
    );
  return { reprice: all('product', 'price'), revalue: all('coupon', 'value') };
}

/** The rates of each round: of one kind, of the other, and of both in turn. */
type Rates = readonly [reprice: number, revalue: number, both: number];

async function measure({ address }: Measured, { reprice, revalue }: Kinds): Promise<Rates[]> {
  const mixed = reprice.flatMap((one, n) => [one, revalue[n] ?? one]);
  const rateOf = async (requests: readonly string[], seconds = SECONDS): Promise<number> => {
    const round: Round = await load({ ...address, requests, seconds, connections: CONNECTIONS });
    const refused = JSON.stringify(round.others);
    if (refused !== '{}') throw new Error(`Not all responses were 200: ${refused}`);
    return round.answered / round.seconds;
  };
  await rateOf(mixed, 2);
  const rounds: Rates[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push([await rateOf(reprice), await rateOf(revalue), await rateOf(mixed)]);
  }
  return rounds;
}

function report(rounds: readonly Rates[]): Finding[] {
  const predictions = rounds.map(([reprice, revalue]) => {
    // A server is full at the rate at which the model's utilization is 1.
    const kinds = [reprice, revalue].map((rate) => ({ perSecond: 0.5, ms: 1_000 / rate }));
    return 1 / utilizationOf(kinds);
  });
  const ratios = rounds.map(([, , both], n) => both / (predictions[n] ?? Number.NaN));
  const middle = (values: readonly number[]) => median(values).toFixed(0);
  table(
    ['a second, medians', 'products', 'coupons', 'both, predicted', 'both, measured'],
    [
      [
        ...['', middle(rounds.map(([reprice]) => reprice)), middle(rounds.map(([, revalue]) => revalue))],
        ...[middle(predictions), middle(rounds.map(([, , both]) => both))],
      ],
    ],
  );
  const off = median(ratios) - 1;
  return [
    {
      measure: 'writes of two kinds: measured rate to the predicted one',
      reach: '0.8 to 1.2',
      figure: (1 + off).toFixed(2),
      reached: Math.abs(off) <= TOLERANCE,
    },
  ];
}
