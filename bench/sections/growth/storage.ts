import { client } from '../../../scripts/dev/client.ts';
import { bump } from '../../calls/cold.ts';
import type { Counts } from '../../counting.ts';
import { ask, get, load } from '../../load.ts';
import { type Finding, table } from '../../report.ts';
import { counting, type Measured, tool } from '../../worker.ts';
import { type Shop, worldOf } from '../../world/world.ts';

/** The storage calls of hot reads at 100 a second, and of cold reads one by one. */
export async function storage(products: number): Promise<Finding[]> {
  const world = await worldOf(products);
  const [shop] = world.shops;
  const worker = await counting(world.folder);
  try {
    return [...(await hotCalls(worker, shop)), ...(await coldCalls(worker, shop))];
  } finally {
    await worker.stop();
  }
}

async function hotCalls(worker: Measured, shop: Shop): Promise<Finding[]> {
  const [token = shop.token] = shop.load;
  const headers = { Authorization: `Bearer ${token}` };
  const requests = [get('/v1/products?limit=20', headers)];
  const plan = { ...worker.address, requests, connections: 4, rate: 95 };
  await load({ ...plan, seconds: 3 });
  await tool<Counts>(worker, 'counts');
  const { answered } = await load({ ...plan, seconds: 20 });
  const { d1, kv, limiter, objects } = await tool<Counts>(worker, 'counts');
  const share = (limiter / answered) * 100;
  console.log(`\nStorage calls of ${answered} hot reads at 95 a second`);
  table(['D1', 'KV', 'RateLimiter', 'other objects'], [[d1, kv, limiter, objects]]);
  return [
    {
      measure: 'hot read: D1 and KV calls',
      reach: '0 and 0',
      figure: `${d1} and ${kv}`,
      reached: d1 + kv === 0,
    },
    {
      measure: 'hot read: RateLimiter calls',
      reach: '≤ 5 %',
      figure: `${share.toFixed(1)} %`,
      reached: share <= 5,
    },
  ];
}

async function coldCalls(worker: Measured, shop: Shop): Promise<Finding[]> {
  const api = client(worker.url.origin, shop.token);
  const { data } = await api<{ data: { id: number }[] }>('GET', '/v1/products?limit=1&page=17');
  const paths = [`/v1/products/${data[0]?.id}`, '/v1/products?limit=19&page=3', '/v1/categories'];
  // A new version makes every read a cold one.
  const headers = await bump(worker, shop);
  const rows: (string | number)[][] = [];
  let most = 0;
  for (const path of paths) {
    await tool<Counts>(worker, 'counts');
    await ask(worker, path, headers);
    const { d1, kv, limiter, rowsRead } = await tool<Counts>(worker, 'counts');
    rows.push([`GET ${path}`, d1, kv, limiter, rowsRead]);
    most = Math.max(most, d1);
  }
  console.log('\nStorage calls of a cold read (KV: a look, and the entry put beside the answer)');
  table(['', 'D1 round trips', 'KV', 'RateLimiter', 'rows read'], rows);
  return [{ measure: 'cold read: D1 round trips', reach: '1', figure: String(most), reached: most === 1 }];
}
