import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, client } from '../../../scripts/dev/client.ts';
import { type Finding, median, table } from '../../report.ts';
import { service } from '../../worker.ts';
import { makeWorld } from '../../world/world.ts';

const WARM_UPS = 10;
const SAMPLES = 100;
const OPERATIONS = 10;

/** Ten products added in one call beside one, in turn and each to a cart of its own. */
export async function batch(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-batch-'));
  const {
    shops: [{ token }],
  } = await makeWorld(folder, 0);
  const worker = await service(folder);
  try {
    const api = client(worker.url.origin, token);
    const products: number[] = [];
    while (products.length < OPERATIONS) {
      const body = { name: `Mug ${products.length}`, type: 'simple', price: 12.5, stock: 1_000_000 };
      products.push((await api<{ id: number }>('POST', '/v1/products', body)).id);
    }
    const operations = products.map((product_id) => ({ op: 'add', product_id, quantity: 1 }));
    const times = { single: [] as number[], batch: [] as number[] };
    for (let sample = -WARM_UPS; sample < SAMPLES; sample++) {
      const [one, many] = [await newCart(api), await newCart(api)];
      const add = { product_id: products[0], quantity: 1, cart_token: one };
      const single = await timed(() => api('POST', '/v1/cart/items', add));
      const together = await timed(() => api('POST', `/v1/cart/${many}/batch`, { operations }));
      if (sample < 0) continue;
      times.single.push(single);
      times.batch.push(together);
    }
    const [single, together] = [median(times.single), median(times.batch)];
    console.log(`\nAdding to a cart, p50 of ${SAMPLES} in ms`);
    table(
      ['one product', `a batch of ${OPERATIONS}`, 'ratio'],
      [[single.toFixed(2), together.toFixed(2), (together / single).toFixed(2)]],
    );
    return [
      {
        measure: `a batch of ${OPERATIONS}: to a single add`,
        reach: '≤ 2 times',
        figure: `${(together / single).toFixed(2)} times`,
        reached: together / single <= 2,
      },
    ];
  } finally {
    await worker.stop();
    rmSync(folder, { recursive: true });
  }
}

const newCart = async (api: Client): Promise<string> =>
  (await api<{ cart_token: string }>('POST', '/v1/cart', {})).cart_token;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
