import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isNewVersion, learnVersion, NEW_FOR_MS } from '../../../src/kernel/cache/new-versions.ts';
import { fetchWith, recordedBindings } from '../../support/faults/bindings.ts';
import { stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { world } from '../../support/world.ts';

/** A tenant that no shop of the tests is. */
let tenantId = 900_000_000;
let time = 0;
const wait = (ms: number): void => {
  time += ms;
  stopClockAt(time);
};

beforeEach(() => {
  tenantId += 1;
  time = Date.now();
  wait(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('is not said of the first version that the isolate learns', () => {
  expect(isNewVersion(tenantId, 7)).toBe(false);
  learnVersion(tenantId, 7);
  expect(isNewVersion(tenantId, 7)).toBe(false);
});

it('is not said of a version for as long as the clock was set back', () => {
  learnVersion(tenantId, 7);
  wait(-3_600_000);
  learnVersion(tenantId, 8);
  wait(NEW_FOR_MS);
  expect(isNewVersion(tenantId, 8)).toBe(false);
});

it('is said of a version as long as another one was current a moment ago', () => {
  learnVersion(tenantId, 7);
  wait(1_000);
  expect([isNewVersion(tenantId, 7), isNewVersion(tenantId, 8), isNewVersion(tenantId, 6)]).toEqual([
    false,
    true,
    false,
  ]);
  learnVersion(tenantId, 8);
  learnVersion(tenantId, 7);
  wait(NEW_FOR_MS - 1_001);
  learnVersion(tenantId, 8);
  expect([isNewVersion(tenantId, 8), isNewVersion(tenantId, 7)]).toEqual([true, false]);
  wait(1);
  expect(isNewVersion(tenantId, 8)).toBe(false);
});

it('is not said of a version that may have been current for long', () => {
  learnVersion(tenantId, 7);
  wait(NEW_FOR_MS);
  learnVersion(tenantId, 9);
  expect(isNewVersion(tenantId, 9)).toBe(false);
});

it('is said of one tenant only', () => {
  learnVersion(tenantId, 7);
  expect(isNewVersion(tenantId + 500_000, 8)).toBe(false);
});

it('keeps reads of a new version from KV, which gets what they have read', async () => {
  const shop = await world();
  const { id } = (await shop.post('/products', { name: 'Shirt', type: 'simple', price: 10 })).body;
  const callsOf = async (path: string): Promise<readonly string[]> => {
    const { env, calls } = recordedBindings();
    expect((await fetchWith(env, 'GET', `/v1${path}`, shop.token)).status).toBe(200);
    return calls
      .filter((call) => /^CACHE\.|\.batch$/.test(call))
      .map((call) => call.replace(/^.*batch$/, 'batch'));
  };
  await shop.get('/theme/options');
  await shop.patch(`/products/${id}`, { price: 12 });
  wait(2_000);
  // The lease names the new version.
  await shop.get('/theme/options');
  expect(await callsOf('/products?limit=3')).toEqual(['batch', 'CACHE.put']);
  wait(NEW_FOR_MS);
  await shop.get('/theme/options');
  expect(await callsOf('/products?limit=4')).toEqual(['CACHE.get', 'batch', 'CACHE.put']);
});
