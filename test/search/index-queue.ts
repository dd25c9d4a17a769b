import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import worker from '../../src/index.ts';
import { fetchWith, interceptBindings } from '../support/faults/bindings.ts';
import type { Answer, World } from '../support/world.ts';

/** Statements of the search database: refuse these and it can't be reached. */
export const OF_SEARCH = /search_(index|documents|spellings|progress)/;

/** A Worker whose messages for search are lost on the way; `sent` counts them. */
export function deaf() {
  const sent: string[] = [];
  const bindings = interceptBindings(['SEARCH_QUEUE'], (name) => {
    sent.push(name);
    return Promise.resolve();
  });
  return { bindings, sent };
}

/** Writes through a {@link deaf} Worker: search is told nothing. */
export async function unheard(shop: World, method: string, path: string, body: object): Promise<Answer> {
  const init = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetchWith(deaf().bindings, method, `/v1${path}`, shop.token, init);
  expect(response.status).toBeLessThan(300);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

/** Hands messages to the Worker as a queue would; answers which were taken, and how long others have to wait. */
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

/** Searches until this is found, as long as the contract allows: 10 seconds. */
export async function eventually(shop: World, q: string, wanted: readonly string[]): Promise<void> {
  let names: string[] = [];
  for (const end = Date.now() + 10_000; Date.now() < end; await scheduler.wait(100)) {
    names = await found(shop, q);
    if (JSON.stringify(names) === JSON.stringify(wanted)) return;
  }
  expect(names).toEqual(wanted);
}

/** The names of what is found now. */
export async function found(shop: World, q: string, headers: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await shop.get(`/search?q=${encodeURIComponent(q)}`, { headers });
  expect(status).toBe(200);
  return body.data.map((item: { name: string }) => item.name);
}
