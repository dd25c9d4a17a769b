/** Searches share an allowance of their tenant's time: others wait for the same database. */
import { beforeEach, expect, it } from 'vitest';
import { DAY, MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { DATABASES, fetchWith, interceptBindings, MAIN_DATABASES } from '../support/faults/bindings.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { type World, world } from '../support/world.ts';

const SEARCH_DATABASES = DATABASES.filter((name) => !MAIN_DATABASES.includes(name));

// The allowance grows while a slow machine makes the calls.
beforeEach(stopClock);

/** The real search databases, whose batches report this time (ms) as a whole. */
const taking = (duration: number): Env =>
  interceptBindings(SEARCH_DATABASES, (name, call) => {
    if (!name.endsWith('.batch')) return call();
    return (async () => {
      const results = (await call()) as D1Result[]; // what a batch returns
      return results.map((one, n) => ({ ...one, meta: { ...one.meta, duration: n === 0 ? duration : 0 } }));
    })();
  });

async function searchWhile(duration: number, { token }: World, query: string): Promise<[number, number]> {
  const response = await fetchWith(taking(duration), 'GET', `/v1/search?q=${query}`, token);
  return [response.status, Number(response.headers.get('retry-after'))];
}

it.each(['mug', 'mug&sort=name_asc', 'mugg&facets=price'])(
  'refuses to search for %s while the tenant has taken too much time, and nothing else',
  async (query) => {
    const [shop, other] = [await world(), await world()];
    expect(await searchWhile(6_000, shop, 'cup')).toEqual([200, 0]);
    expect(await searchWhile(6_000, shop, query)).toEqual([200, 0]);
    const [status, seconds] = await searchWhile(1, shop, `${query}&limit=3`);
    expect([status, seconds]).toEqual([429, 8]);
    expect((await shop.get('/products')).status).toBe(200);
    expect(await searchWhile(1, other, query)).toEqual([200, 0]);
    moveClock(seconds * 1_000);
    expect(await searchWhile(1, shop, `${query}&limit=3`)).toEqual([200, 0]);
  },
);

it('makes a tenant wait for a minute at most', async () => {
  const shop = await world();
  expect(await searchWhile(1_000_000, shop, 'cup')).toEqual([200, 0]);
  expect(await searchWhile(1, shop, 'mug')).toEqual([429, 60]);
  moveClock(MINUTE);
  expect(await searchWhile(1, shop, 'mug')).toEqual([200, 0]);
});

it('makes a tenant wait no longer after the clock was a day ahead', async () => {
  const shop = await world();
  moveClock(DAY);
  expect(await searchWhile(1_000_000, shop, 'cup')).toEqual([200, 0]);
  moveClock(-DAY);
  expect(await searchWhile(1, shop, 'mug')).toEqual([200, 0]);
});
