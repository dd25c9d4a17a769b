import { client } from '../../scripts/client.ts';
import { get } from '../load.ts';
import { contest } from '../pairs.ts';
import type { Finding } from '../report.ts';
import { bare, service } from '../worker.ts';
import { worldOf } from '../world/world.ts';

/** Hot reads beside the bare Worker. */
export async function hot(products: number): Promise<Finding[]> {
  const world = await worldOf(products);
  const [shop] = world.shops;
  const [plain, ours] = [await bare(), await service(world.folder)];
  try {
    const api = client(ours.url.origin, shop.token);
    const { data } = await api<{ data: { id: number }[] }>('GET', '/v1/products?limit=20');
    const half = shop.load.length / 2;
    const reads = (name: string, paths: readonly string[], tokens: readonly string[]) =>
      contest({
        name,
        plain,
        ours,
        asPlain: [get('/')],
        asOurs: (busy) =>
          paths.flatMap((path) => busy.map((token) => get(path, { Authorization: `Bearer ${token}` }))),
        tokens,
        reach: 0.85,
      });
    const details = data.map(({ id }) => `/v1/products/${id}`);
    return [
      ...(await reads('GET /v1/products/{id}', details, shop.load.slice(half))),
      ...(await reads('GET /v1/products?limit=20', ['/v1/products?limit=20'], shop.load.slice(0, half))),
    ];
  } finally {
    await plain.stop();
    await ours.stop();
  }
}
