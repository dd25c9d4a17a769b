import { client } from '../../scripts/client.ts';
import { bump } from '../cold.ts';
import { ask } from '../load.ts';
import { type Finding, median, table } from '../report.ts';
import { type Measured, service } from '../worker.ts';
import { type Shop, worldOf } from '../world/world.ts';

const SMALL = 1_000;
const WARM_UPS = 5;
const SAMPLES = 40;

type Times = Record<string, number[]>;

/** Cold reads of a product by id and by slug, of several by id, and of related ones, in two catalogues in turn. */
export async function reads(products: number): Promise<Finding[]> {
  const worlds = [await worldOf(SMALL), await worldOf(products)];
  const sides: Side[] = [];
  for (const { folder, shops } of worlds)
    sides.push({ worker: await service(folder), shop: shops[0], times: {} });
  try {
    for (let sample = -WARM_UPS; sample < SAMPLES; sample++) {
      for (const side of sides) await readOnce(side, sample);
    }
  } finally {
    for (const { worker } of sides) await worker.stop();
  }
  const [small = {}, large = {}] = sides.map(({ times }) => times);
  return report(products, small, large);
}

/** A catalogue, and what its reads took (ms). */
interface Side {
  readonly worker: Measured;
  readonly shop: Shop;
  readonly times: Times;
}

async function readOnce({ worker, shop, times }: Side, sample: number): Promise<void> {
  const asked = await paths(worker, shop, sample + WARM_UPS);
  const headers = await bump(worker, shop);
  for (const [name, path] of Object.entries(asked)) {
    const { ms, status, body } = await ask(worker, path, headers);
    if (status !== 200) throw new Error(`${path} answered ${status} ${body}`);
    if (sample >= 0) times[name] = [...(times[name] ?? []), ms];
  }
}

function report(products: number, small: Times, large: Times): Finding[] {
  const p50 = (times: Times, name: string) => median(times[name] ?? []);
  const names = Object.keys(large);
  console.log(`\nCold reads, p50 of ${SAMPLES} in ms`);
  table(
    ['', `${SMALL} products`, `${products} products`, 'ratio'],
    names.map((name) => [
      ...[name, p50(small, name).toFixed(2), p50(large, name).toFixed(2)],
      (p50(large, name) / p50(small, name)).toFixed(2),
    ]),
  );
  const toById = (name: string) => p50(large, name) / p50(large, 'by id');
  const growth = Math.max(...names.map((name) => p50(large, name) / p50(small, name)));
  const finding = (measure: string, ratio: number, most: number): Finding => ({
    measure,
    reach: `≤ ${most} times`,
    figure: `${ratio.toFixed(2)} times`,
    reached: ratio <= most,
  });
  return [
    finding('cold product by slug: to one by id', toById('by slug'), 1.2),
    finding('cold related products: to one by id', toById('related'), 2),
    finding(`cold reads, ${SMALL} → ${products} products: dearest`, growth, 1.3),
  ];
}

/** Returns what is read in a sample: other products each time, so that none is read twice at a version. */
async function paths(worker: Measured, shop: Shop, sample: number): Promise<Record<string, string>> {
  const api = client(worker.url.origin, shop.token);
  const page = `/v1/products?limit=14&page=${sample + 1}&sort=name_asc`;
  const { data } = await api<{ data: { id: number; slug: string }[] }>('GET', page);
  const [byId, bySlug, related, , ...several] = data;
  return {
    'by id': `/v1/products/${byId?.id}`,
    'by slug': `/v1/products/slug/${bySlug?.slug}`,
    'ten by ids': `/v1/products?ids=${several.map(({ id }) => id).join()}`,
    related: `/v1/products/${related?.id}/related`,
  };
}
