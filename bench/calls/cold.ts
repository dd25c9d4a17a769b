import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../../scripts/dev/client.ts';
import type { Measured } from '../worker.ts';
import type { Shop } from '../world/world.ts';

/** Moves the catalogue version, which invalidates all cached responses. Returns the headers for cold reads. */
export async function bump({ url }: Measured, { token }: Shop): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const { data } = await client(url.origin, token)<{ data: { id: number }[] }>('GET', '/v1/products?limit=1');
  const body = JSON.stringify({ tax_class: Math.random().toString(36).slice(2) });
  const answer = await fetch(new URL(`/v1/products/${data[0]?.id}`, url), { method: 'PATCH', headers, body });
  const version = answer.headers.get('x-catalog-version');
  if (!version) throw new Error(`The change responded with ${answer.status} ${await answer.text()}`);
  // The change's background work (waitUntil) is done by then.
  await sleep(100);
  return { Authorization: headers.Authorization, 'X-Catalog-Version': version };
}
