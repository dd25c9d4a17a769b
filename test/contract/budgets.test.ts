import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { endpoints } from '../../src/app.ts';
import { NEW_FOR_MS } from '../../src/kernel/cache/new-versions.ts';
import { now } from '../../src/kernel/core/clock.ts';
import type { EndpointSpec } from '../../src/kernel/http/endpoint.ts';
import { shardNames } from '../../src/kernel/shards/shard-names.ts';
import { bodyOf, nameOf, pathOf, sampleOf, tokenFor } from '../support/contract/endpoint-calls.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { stopClockAt } from '../support/fixtures/catalog/sales.ts';
import { bindWriter, untilRelayed } from '../support/fixtures/catalog/stock-writer.ts';
import { documentedBudgets, expectBudget } from '../support/storage/budgets.ts';
import { countStorageCalls, type StorageCalls } from '../support/storage/storage-calls.ts';
import { world } from '../support/world.ts';

/**
 * What each operation costs in storage, measured with its sample in a tenant of its own and compared with the
 * table in docs/budgets.md. Calls are exact; rows are upper bounds.
 */

afterEach(() => {
  vi.restoreAllMocks();
});

/** Further round trips that these may take where there are several shards. */
const FURTHER_TRIPS: Readonly<Record<string, number>> = {
  // The directory's entries, which are still to be forwarded.
  'GET /v1/audit': 1,
  // The ids of the records, on each other shard.
  'PUT /admin/v1/tenants/{slug}/import': shardNames(env).length - 1,
  // The rows of a page of tenants, on each shard that has some.
  'GET /admin/v1/tenants': shardNames(env).length - 1,
};

/** Returns the documented round trips of an operation if it took no more than several shards need. */
function onOneShard(name: string, taken: number): number {
  if (shardNames(env).length === 1) return taken;
  const [documented = 0] = documentedBudgets.get(name) ?? [];
  return Math.max(Math.min(taken, documented), taken - (FURTHER_TRIPS[name] ?? 0));
}

/** Makes one request of an operation; returns its storage calls. */
async function measure(spec: EndpointSpec): Promise<StorageCalls> {
  // No lease ends while a slow machine prepares the request: what the isolate remembers is always the same.
  stopClockAt(Date.now());
  const shop = await world({ plan: 'enterprise' });
  const sample = sampleOf(spec);
  const params = (await sample.params?.(shop)) ?? {};
  const { body, raw } = await bodyOf(spec, shop, params);
  const headers = {
    ...(await sample.headers?.(shop, params)),
    ...(spec.stream ? { 'content-type': spec.stream.mediaTypes[0] ?? '' } : {}),
    ...(body && { 'content-type': 'application/json' }),
  };
  const query = typeof sample.query === 'function' ? sample.query(params) : (sample.query ?? '');
  // KV is not asked for a version that has just begun, if the isolate happens to know the one before.
  if (spec.cached) stopClockAt(now() + NEW_FOR_MS);
  // The isolate has a lease for the token then, as nearly every request finds it.
  if (tokenFor(spec, shop) === shop.token) await shop.get('/theme/options');
  const { env: counted, calls } = countStorageCalls();
  // What the tenant's stock writer does is done for the call.
  await bindWriter(shop, counted);
  const init = { headers, body: raw ?? (body ? JSON.stringify(body) : null) };
  const path = pathOf(spec, params) + query;
  const answer = await fetchWith(counted, spec.method.toUpperCase(), path, tokenFor(spec, shop), init);
  await answer.arrayBuffer();
  expect(answer.status).toBe(spec.status ?? 200);
  await untilRelayed(shop);
  return calls;
}

const specs = endpoints.map(({ spec }) => spec);

it('lists each operation once', () => {
  const operations = [...documentedBudgets.keys()].filter((name) => /^[A-Z]+ \//.test(name));
  expect(operations.sort()).toEqual(specs.map(nameOf).sort());
});

it.each(specs.map((spec) => [nameOf(spec), spec] as const))(
  '%s costs what is documented',
  async (name, spec) => {
    const calls = await measure(spec);
    expectBudget(name, { ...calls, database: onOneShard(name, calls.database) });
  },
);
