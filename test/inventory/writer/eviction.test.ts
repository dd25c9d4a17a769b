import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { releaseCart } from '../../../src/inventory/index.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { afterBatch, delayBatch } from '../../support/faults/database.ts';
import { reserveForCart } from '../../support/fixtures/catalog/inventory.ts';
import { createProduct, stockOf } from '../../support/fixtures/catalog/products.ts';
import { abortWriter } from '../../support/fixtures/catalog/stock-writer.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

/** A tenant's stock writer ends while its batch is in the database: its callers don't learn what became of them. */

const MOVES = /INSERT INTO stock_movements/;

afterEach(() => vi.restoreAllMocks());

const stocked = async (stock: number): Promise<{ shop: World; cup: number }> => {
  const shop = await world();
  const { body } = await createProduct(shop, { name: 'Cup', sku: 'CUP', stock });
  return { shop, cup: body.id };
};

it('reports an outage, and changes stock once when the call is repeated', async () => {
  const { shop, cup } = await stocked(9);
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const adjust = () =>
    shop.post('/inventory/adjustments', { items: [{ sku: 'CUP', delta: -2 }] }, { headers });
  afterBatch(MOVES, () => abortWriter(shop));
  expectProblem(await adjust(), 503, 'unavailable');
  const again = await adjust();
  expect([again.status, again.body.data[0].stock]).toEqual([200, 7]);
  expect((await stockOf(cup))?.on_hand).toBe(7);
});

it('reserves the last unit again for the cart that already holds it', async () => {
  const { shop, cup } = await stocked(1);
  const claim = (cart: string) => reserveForCart(shop, cart, [{ itemId: cup, quantity: 1 }]);
  afterBatch(MOVES, () => abortWriter(shop));
  await expect(claim('first')).rejects.toThrow();
  expect(await claim('second')).toMatchObject({ failure: { code: 'insufficient_stock' } });
  expect(await claim('first')).toMatchObject({ ok: true, value: { status: 'held' } });
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 1 });
});

it('gives a refused cart its reservation when that was committed late, and releases it with the next change', async () => {
  const { shop, cup } = await stocked(1);
  const claim = (cart: string) => reserveForCart(shop, cart, [{ itemId: cup, quantity: 1 }]);
  const commitLate = delayBatch(MOVES);
  expect(await claim('first')).toMatchObject({ failure: { code: 'unavailable' } });
  await claim('second');
  expect(await claim('first')).toMatchObject({ failure: { code: 'insufficient_stock' } });
  await releaseCart(contextOf(shop), 'second', 2);
  await commitLate();
  expect(await claim('first')).toMatchObject({ ok: true, value: { status: 'held' } });
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 1 });
  await releaseCart(contextOf(shop), 'first', 2);
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
});

// 12 runs: 1 to 6 units in stock, 2 to 10 carts that want 1 to 3 each. The writer ends before 0 to 4 calls return.
it('holds exactly what it confirms, however often it ends', async () => {
  const quantities = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 10 });
  const stocks = fc.integer({ min: 1, max: 6 });
  await fc.assert(
    fc.asyncProperty(stocks, quantities, fc.integer({ min: 0, max: 4 }), async (stock, wanted, ends) => {
      const { shop, cup } = await stocked(stock);
      let left = ends;
      const endLater = () => {
        if (left-- > 0)
          afterBatch(MOVES, () => {
            endLater();
            return abortWriter(shop);
          });
      };
      endLater();
      const claim = async (n: number, quantity: number) => {
        for (;;) {
          const held = await reserveForCart(shop, `cart-${n}`, [{ itemId: cup, quantity }]).catch(() => null);
          if (held !== null) return held;
        }
      };
      const held = await Promise.all(wanted.map((quantity, n) => claim(n, quantity)));
      const taken = wanted.filter((_, n) => held[n]?.ok).reduce((sum, quantity) => sum + quantity, 0);
      expect(await stockOf(cup)).toEqual({ on_hand: stock, reserved: taken });
      vi.restoreAllMocks();
    }),
    { numRuns: 12 },
  );
});
