import { client } from '../../scripts/client.ts';
import type { Answer } from '../baselines/answer.ts';
import { contest } from '../contest.ts';
import { ask, get } from '../load.ts';
import type { Finding } from '../report.ts';
import { answering, bareHono, type Measured, service } from '../worker.ts';
import { worldOf } from '../world/world.ts';

/** Headers of the connection, which each server sets itself. */
const OF_CONNECTION = ['connection', 'content-length', 'keep-alive', 'transfer-encoding'];

/** Hot reads beside Workers that send the same answer, and beside one that sends a small one without headers. */
export async function hot(products: number): Promise<Finding[]> {
  const world = await worldOf(products);
  const [shop] = world.shops;
  const ours = await service(world.folder);
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
  const answer = await answerOf(ours, paths[0] ?? '/', auth(tokens[0] ?? ''));
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

/** Returns the service's answer with its headers, as a hot read has them. */
async function answerOf(ours: Measured, path: string, headers: Record<string, string>): Promise<Answer> {
  await ask(ours, path, headers);
  const { body, status, headers: received } = await ask(ours, path, headers);
  if (status !== 200) throw new Error(`${path} answered ${status} ${body}`);
  const kept = Object.entries(received).filter(([name]) => !OF_CONNECTION.includes(name));
  return { body, headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])) };
}
