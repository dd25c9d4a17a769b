/** JSON bodies that are large, many at once: an isolate has 128 MiB of memory for everything. */
import { exports } from 'cloudflare:workers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

interface Stalled {
  /** The statuses of responses so far. */
  readonly statuses: number[];
  /** Ends the requests on the client's side; returns once the service has noticed. */
  readonly disconnect: () => Promise<void>;
}

/** Begins requests whose bodies, of some bytes, don't end before the test does. */
function stall(path: string, init: { token?: string; bytes: number; count: number }): Stalled {
  const client = new AbortController();
  onTestFinished(() => client.abort());
  const statuses: number[] = [];
  const sent = Array.from({ length: init.count }, () => {
    const body = new ReadableStream({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(`{"name":"${'x'.repeat(init.bytes)}`)),
    });
    const headers = { authorization: `Bearer ${init.token}`, 'content-type': 'application/json' };
    return exports.default
      .fetch(`https://api.example.com${path}`, { method: 'POST', headers, body, signal: client.signal })
      .then(({ status }) => statuses.push(status))
      .catch(() => undefined);
  });
  const disconnect = async () => {
    client.abort();
    await Promise.all(sent);
  };
  return { statuses, disconnect };
}

it('waits for eight large bodies of a tenant at once, goes on with all else, and forgets those that break off', async () => {
  const [slow, other] = [await world(), await world()];
  const { statuses, disconnect } = stall('/v1/products', { token: slow.token, bytes: 1_040_000, count: 12 });
  await vi.waitFor(() => expect(statuses).toEqual([503, 503, 503, 503]), { timeout: 20_000 });
  expect((await createProduct(slow, {})).status).toBe(201);
  const description = 'Long. '.repeat(10_000);
  const images = Array.from({ length: 50 }, (_, n) => `https://img.example.com/${n}-${'x'.repeat(500)}.jpg`);
  expect((await createProduct(other, { description, images })).status).toBe(201);
  await disconnect();
  const next = async () => expect((await createProduct(slow, { description, images })).status).toBe(201);
  await vi.waitFor(next, { timeout: 20_000 });
});

it('waits for sixteen large payment callbacks at once, takes small ones, and forgets those that break off', async () => {
  const path = '/payments/stripe/no-such-shop';
  const { statuses, disconnect } = stall(path, { bytes: 520_000, count: 20 });
  await vi.waitFor(() => expect(statuses).toEqual([503, 503, 503, 503]), { timeout: 20_000 });
  const small = await exports.default.fetch(`https://api.example.com${path}`, { method: 'POST', body: '{}' });
  expect(small.status).toBe(404);
  await disconnect();
  const large = async () => {
    const body = JSON.stringify('x'.repeat(520_000));
    const { status } = await exports.default.fetch(`https://api.example.com${path}`, {
      method: 'POST',
      body,
    });
    expect(status).toBe(404);
  };
  await vi.waitFor(large, { timeout: 20_000 });
});
