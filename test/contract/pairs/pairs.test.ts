/**
 * Each resource's writes, two at the same instant: as one after the other. `PAIRS` says how many random pairs, 1000 all of
 * them; with one it is always the same.
 */
import { expect, inject, it } from 'vitest';
import { random, shuffled } from '../../support/seeded-random.ts';
import { Delays } from './delays.ts';
import { carts } from './resources/carts.ts';
import { categories } from './resources/categories.ts';
import { hostedCheckouts } from './resources/checkouts.ts';
import { customers } from './resources/customers.ts';
import { openOrders, paidOrders } from './resources/orders.ts';
import { products } from './resources/products.ts';
import { promotions } from './resources/promotions.ts';
import { settings } from './resources/settings.ts';
import { variants } from './resources/variants.ts';
import { faultOf, type MakeCopy, type Pair } from './run-pair.ts';

/** How many pairs run concurrently, each in tenants of its own. */
const AT_ONCE = 4;
const TIMEOUT_MS = 180_000 + inject('pairs') * 10_000;

const RESOURCES: readonly (readonly [string, MakeCopy])[] = Object.entries({
  products,
  variants,
  categories,
  carts,
  hostedCheckouts,
  openOrders,
  paidOrders,
  promotions,
  customers,
  settings,
});

/** Returns every pair of writes, each also with itself unless they are paired with others only, in a random order. */
async function pairsOf(make: MakeCopy, luck: () => number): Promise<Pair[]> {
  const { writes, othersOnly = false } = await make();
  const names = Object.keys(writes);
  const pairs = names.flatMap((a, n) => names.slice(othersOnly ? n + 1 : n).map((b): Pair => [a, b]));
  return shuffled(pairs, luck);
}

it.each(RESOURCES)(
  '%s are as if two concurrent requests had come one after the other',
  async (_, make) => {
    const luck = random(inject('seed'));
    const delays = new Delays(luck);
    const count = inject('pairs');
    const pairs = (await pairsOf(make, count > 1 ? luck : random(1))).slice(0, count);
    const faults: object[] = [];
    const worker = async () => {
      for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
        const fault = await faultOf(make, pair, delays);
        if (fault) faults.push(fault);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(faults, `SEED=${inject('seed')} ${JSON.stringify(faults, null, 2)}`).toEqual([]);
  },
  TIMEOUT_MS,
);
