import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import worker from '../../src/index.ts';
import { fetchWith, interceptBindings } from '../support/faults/bindings.ts';
import { admitted } from '../support/statuses.ts';
import type { Answer, World } from '../support/world.ts';

/** Statements of the search database: failing them makes it unreachable. */
export const OF_SEARCH = /search_(index|documents|spellings|progress)/;

/** Returns a Worker whose messages for search are lost; `sent` counts them. */
export function withoutSearchMessages() {
  const sent: string[] = [];
  const bindings = interceptBindings(['SEARCH_QUEUE'], (name) => {
    sent.push(name);
    return Promise.resolve();
  });
  return { bindings, sent };
}

/** Writes through a Worker whose messages for search are lost. */
export async function writeUnnoticed(
  shop: World,
  method: string,
  path: string,
  body: object,
): Promise<Answer> {
  const init = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetchWith(withoutSearchMessages().bindings, method, `/v1${path}`, shop.token, init);
  expect(response.status).toBeLessThan(300);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

/** Delivers messages to the Worker as a queue would; returns how many were acknowledged, and the others' delays. */
export async function queue(
  name: string,
  messages: readonly { body: unknown; id?: string; attempts?: number }[],
  bindings: Env = env,
) {
  const batch = createMessageBatch(
    name,
    messages.map(({ body, id, attempts = 1 }, at) => ({
      id: id ?? `${at}-${crypto.randomUUID()}`,
      timestamp: new Date(),
      attempts,
      body,
    })),
  );
  const retries = batch.messages.map((message) => vi.spyOn(message, 'retry'));
  const ctx = createExecutionContext();
  await worker.queue(batch, bindings, ctx);
  const { explicitAcks } = await getQueueResult(batch, ctx);
  const delays = retries.flatMap(({ mock }) => mock.calls.map(([how]) => how?.delaySeconds));
  return { acked: explicitAcks.length, delays };
}

/** Searches until exactly these names are found, which takes longer on a busy machine than the contract's 10 s. */
export async function eventually(shop: World, q: string, wanted: readonly string[]): Promise<void> {
  let names: string[] = [];
  for (const end = Date.now() + 30_000; Date.now() < end; await scheduler.wait(100)) {
    names = await found(shop, q);
    if (JSON.stringify(names) === JSON.stringify(wanted)) return;
  }
  expect(names).toEqual(wanted);
}

/** Returns the names that a search finds now. */
export async function found(shop: World, q: string, headers: Record<string, string> = {}): Promise<string[]> {
  const search = () => shop.get(`/search?q=${encodeURIComponent(q)}`, { headers });
  // A busy machine may take longer to index than a search waits.
  const { status, body } = await admitted(search);
  expect(status).toBe(200);
  return body.data.map((item: { name: string }) => item.name);
}
