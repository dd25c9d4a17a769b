import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { switchSales } from '../../../src/catalog/sales/switch-sales.ts';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import { instant, seeingNow, stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

afterEach(() => vi.restoreAllMocks());

/** Expects that products cost 2 once their sales have begun. */
async function expectSales(shop: World, ids: readonly number[]): Promise<void> {
  const newest = await seeingNow(shop);
  for (const id of ids) expect((await shop.get(`/products/${id}`, newest)).body.price).toBe(2);
}

it('begins for products with very long options at one instant, in parameters that D1 takes', async () => {
  const shop = await world();
  const start = now() + HOUR;
  const ids: number[] = [];
  for (const name of ['A', 'B', 'C']) {
    const variants = Array.from({ length: 500 }, (_, n) => ({
      sku: `${name}${n}`,
      price: 5,
      sale: { price: 2, starts_at: instant(start) },
      attributes: Object.fromEntries(
        Array.from({ length: 7 }, (_, k) => [`${k}`, `${n}-${k}-`.padEnd(240, 'x')]),
      ),
    }));
    const made = await shop.post('/products', { name, type: 'configurable', price: 5, variants });
    expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(201);
    ids.push(made.body.id);
  }
  stopClockAt(start);
  const bind = vi.spyOn(Object.getPrototypeOf(env.DB.prepare('SELECT 1')), 'bind');
  await switchSales(contextOf(shop));
  const parameters = bind.mock.calls.flat().filter((value) => typeof value === 'string');
  expect(Math.max(...parameters.map(({ length }) => length))).toBeLessThan(2_000_000);
  await expectSales(shop, ids);
});
