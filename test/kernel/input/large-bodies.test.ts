/** JSON bodies that are large, many at once: an isolate has 128 MiB of memory for everything. */
import { exports } from 'cloudflare:workers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

/** Begins requests whose bodies, of some bytes, don't end before the test does. Returns the statuses of responses. */
function stall(path: string, init: { token?: string; bytes: number; count: number }): number[] {
  const client = new AbortController();
  onTestFinished(() => client.abort());
  const statuses: number[] = [];
  for (let n = 0; n < init.count; n++) {
    const body = new ReadableStream({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(`{"name":"${'x'.repeat(init.bytes)}`)),
    });
    const headers = { authorization: `Bearer ${init.token}`, 'content-type': 'application/json' };
    exports.default
      .fetch(`https://api.example.com${path}`, { method: 'POST', headers, body, signal: client.signal })
      .then(({ status }) => statuses.push(status))
      .catch(() => undefined);
  }
  return statuses;
}

it('waits for eight large bodies of a tenant at once, and goes on with all else', async () => {
  const [slow, other] = [await world(), await world()];
  const statuses = stall('/v1/products', { token: slow.token, bytes: 1_040_000, count: 12 });
  await vi.waitFor(() => expect(statuses).toEqual([503, 503, 503, 503]), { timeout: 20_000 });
  expect((await createProduct(slow, {})).status).toBe(201);
  const description = 'Long. '.repeat(10_000);
  const images = Array.from({ length: 50 }, (_, n) => `https://img.example.com/${n}-${'x'.repeat(500)}.jpg`);
  expect((await createProduct(other, { description, images })).status).toBe(201);
});

it('waits for sixteen large payment callbacks at once, whoever sends them, and takes small ones', async () => {
  const path = '/payments/stripe/no-such-shop';
  const statuses = stall(path, { bytes: 520_000, count: 20 });
  await vi.waitFor(() => expect(statuses).toEqual([503, 503, 503, 503]), { timeout: 20_000 });
  const small = await exports.default.fetch(`https://api.example.com${path}`, { method: 'POST', body: '{}' });
  expect(small.status).toBe(404);
});
