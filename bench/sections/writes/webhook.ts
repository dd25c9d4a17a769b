import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, client } from '../../../scripts/dev/client.ts';
import { Receivers } from '../../receivers.ts';
import { type Finding, percentile, table } from '../../report.ts';
import { type Measured, service } from '../../worker.ts';
import { makeWorld, type Shop } from '../../world/world.ts';

/** The maximum number of webhooks of a tenant. */
const ENDPOINTS = 100;
/** Writes that are delivered to all of them, one per second. */
const WRITES = 30;
/** Writes in each part of the comparison, five each second: longer than an endpoint hangs. */
const PACED = 100;
/** Each write of the last part moves the stock of this many SKUs; so many writes, to so many endpoints. */
const SKUS = 50;
const BULK_WRITES = 40;
const BULK_ENDPOINTS = 10;
/** An endpoint that does not answer is given up after 15 s (ms). */
const HANGING = 16_000;

/** A shop whose stock changes, and its webhook receivers. */
interface Scene {
  readonly worker: Measured;
  readonly api: Client;
  readonly skus: readonly string[];
  readonly receivers: Receivers;
}

/**
 * First attempts at many endpoints, beside one that hangs, and how many deliveries go out each second. On one
 * machine all objects wait in turn for its disk, which on Cloudflare they don't: TMPDIR=/dev/shm leaves it out.
 */
export async function webhook(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-webhook-'));
  const {
    shops: [, north, east, south],
  } = await makeWorld(folder, 0);
  const worker = await service(folder, { vars: { DEV_ALLOW_LOCAL_URLS: 'true' } });
  const receivers = new Receivers();
  await receivers.listen();
  const scene = (shop: Shop | undefined) => sceneOf(worker, shop, receivers);
  try {
    return [
      await manyEndpoints(await scene(north)),
      await besideOneThatHangs(await scene(east)),
      await throughput(await scene(south)),
    ];
  } finally {
    receivers.close();
    await worker.stop();
    rmSync(folder, { recursive: true });
  }
}

async function sceneOf(worker: Measured, shop: Shop | undefined, receivers: Receivers): Promise<Scene> {
  if (!shop) throw new Error('The world has too few shops');
  const api = client(worker.url.origin, shop.token);
  const { data } = await api<{ data: { sku: string; type: string }[] }>('GET', '/v1/products?limit=100');
  // A variant's stock is its product's as well, which makes two events of one move.
  const skus = data.filter(({ type }) => type === 'simple').map(({ sku }) => sku);
  return { worker, api, skus, receivers };
}

const subscribe = ({ api, receivers }: Scene, path: string) =>
  api<{ id: number }>('POST', '/v1/webhooks', { url: receivers.url(path), events: ['stock.changed'] });

/** One write that changes the stock of so many SKUs: one event each. */
const move = ({ api, skus }: Scene, count: number) =>
  api('POST', '/v1/inventory/adjustments', {
    items: skus.slice(0, count).map((sku) => ({ sku, delta: 1 })),
  });

/** Waits for `count` deliveries below a path. Returns the time (ms) of each since its write. */
async function arrived({ receivers }: Scene, path: string, count: number): Promise<number[]> {
  const end = Date.now() + 300_000;
  for (;;) {
    const there = receivers.arrivals.filter((arrival) => arrival.path.startsWith(path));
    if (there.length >= count) return there.map(({ after }) => after);
    if (Date.now() > end) throw new Error(`${there.length} of ${count} deliveries arrived at ${path}`);
    await sleep(20);
  }
}

const ms = (figure: number): string => figure.toFixed(0);
const row = (name: string, took: readonly number[]) => [
  name,
  ...[took.length, ms(percentile(took, 0.5)), ms(percentile(took, 0.95)), ms(Math.max(...took))],
];
const HEADINGS = ['', 'deliveries', 'p50, ms', 'p95, ms', 'most, ms'];

async function manyEndpoints(scene: Scene): Promise<Finding> {
  for (let n = 0; n < ENDPOINTS; n++) await subscribe(scene, `/many/${n}`);
  for (let n = 0; n < WRITES; n++) {
    await move(scene, 1);
    await sleep(1_000);
  }
  const took = await arrived(scene, '/many/', ENDPOINTS * WRITES);
  console.log('\nFrom a write to the first attempt at each endpoint');
  table(HEADINGS, [row(`${ENDPOINTS} endpoints, a write each second`, took)]);
  const p95 = percentile(took, 0.95);
  return {
    measure: `webhook: first attempt, ${ENDPOINTS} endpoints, p95`,
    reach: '< 2 s',
    figure: `${(p95 / 1000).toFixed(2)} s`,
    reached: p95 < 2_000,
  };
}

/** The same endpoint alone, beside one that never answers, and alone again. */
async function besideOneThatHangs(scene: Scene): Promise<Finding> {
  await subscribe(scene, '/good');
  const before = await paced(scene);
  const hanging = await subscribe(scene, '/hang');
  const beside = await paced(scene);
  await scene.api('PATCH', `/v1/webhooks/${hanging.id}`, { status: 'paused' });
  await sleep(HANGING);
  const alone = [...before, ...(await paced(scene))];
  const tried = scene.receivers.arrivals.filter(({ path }) => path === '/hang').length;
  if (tried < 5) throw new Error(`Only ${tried} attempts were made at the endpoint that hangs`);
  console.log('\nFrom a write to the first attempt at one endpoint, five writes each second');
  table(HEADINGS, [row('alone', alone), row('beside one that hangs', beside)]);
  const ratio = percentile(beside, 0.95) / percentile(alone, 0.95);
  return {
    measure: 'webhook: p95 beside one that hangs / alone',
    reach: '≤ 1.5',
    figure: ratio.toFixed(2),
    reached: ratio <= 1.5,
  };
}

/** Writes at a steady rate. Returns the time (ms) until each delivery to /good. */
async function paced(scene: Scene): Promise<number[]> {
  const { arrivals } = scene.receivers;
  const already = arrivals.filter(({ path }) => path === '/good').length;
  for (let n = 0; n < PACED; n++) {
    await Promise.all([move(scene, 1), sleep(200)]);
  }
  return (await arrived(scene, '/good', already + PACED)).slice(already);
}

/** Large writes as fast as they are taken, from the first of them to the last delivery. */
async function throughput(scene: Scene): Promise<Finding> {
  for (let n = 0; n < BULK_ENDPOINTS; n++) await subscribe(scene, `/bulk/${n}`);
  const [begun, used] = [performance.now(), scene.worker.cpu()];
  for (let n = 0; n < BULK_WRITES; n++) await move(scene, SKUS);
  const events = SKUS * BULK_WRITES;
  const deliveries = events * BULK_ENDPOINTS;
  await arrived(scene, '/bulk/', deliveries);
  const seconds = (performance.now() - begun) / 1000;
  const each = ((scene.worker.cpu() - used) / deliveries) * 1000;
  console.log(`\n${events} events to ${BULK_ENDPOINTS} endpoints, from the first write to the last delivery`);
  table(
    ['seconds', 'events/s', 'deliveries/s', 'CPU per delivery, ms'],
    [[...[seconds.toFixed(1), ms(events / seconds), ms(deliveries / seconds)], each.toFixed(2)]],
  );
  return {
    measure: `webhook: deliveries a second, ${BULK_ENDPOINTS} endpoints`,
    reach: 'reported',
    figure: `${ms(deliveries / seconds)} (${ms(events / seconds)} events)`,
    reached: null,
  };
}
