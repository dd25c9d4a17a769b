import { client } from '../../../scripts/dev/client.ts';
import { contest, repeatable } from '../../contest.ts';
import { ask, get } from '../../load.ts';
import type { Finding } from '../../report.ts';
import { answering, bareHono, type Measured, service } from '../../worker.ts';
import { worldOf } from '../../world/world.ts';

/** Hot reads beside Workers that send the same answer, and beside one that sends a small one without headers. */
export async function hot(products: number, _minutes: number, shards: number): Promise<Finding[]> {
  const world = await worldOf(products, shards);
  const [shop] = world.shops;
  const ours = await service(world.folder, { shards });
  try {
    const api = client(ours.url.origin, shop.token);
    const { data } = await api<{ data: { id: number }[] }>('GET', '/v1/products?limit=20');
    const details = data.map(({ id }) => `/v1/products/${id}`);
    return [
      ...(await reads(ours, 'GET /v1/products/{id}', details, shop.load)),
      ...(await reads(ours, 'GET /v1/products?limit=20', ['/v1/products?limit=20'], shop.load)),
    ];
  } finally {
    await ours.stop();
  }
}

async function reads(
  ours: Measured,
  name: string,
  paths: readonly string[],
  tokens: readonly string[],
): Promise<Finding[]> {
  const auth = (token: string) => ({ Authorization: `Bearer ${token}` });
  const first = () => ask(ours, paths[0] ?? '/', auth(tokens[0] ?? ''));
  // The first fills the cache; the second has the headers of a hot read.
  await first();
  const answer = repeatable(await first());
  const [plain, framework, small] = [
    await answering('fetch', answer),
    await answering('hono', answer),
    await bareHono(),
  ];
  try {
    // Sent with a token too: reading the request is a part of what is compared.
    const same = paths.map((path) => get(path, auth(tokens[0] ?? '')));
    return await contest({
      name,
      ours,
      baselines: [
        { name: 'a plain handler, same answer', worker: plain, requests: same, reach: 0.92 },
        { name: 'bare Hono, same answer', worker: framework, requests: same, reach: 0.97 },
        { name: 'bare Hono, small answer', worker: small, requests: [get('/')], reach: null },
      ],
      requests: (busy) => paths.flatMap((path) => busy.map((token) => get(path, auth(token)))),
      tokens,
    });
  } finally {
    for (const worker of [plain, framework, small]) await worker.stop();
  }
}
