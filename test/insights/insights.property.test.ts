import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { abandonedStatement } from '../../src/insights/index.ts';
import { dayOf, hourOf } from '../../src/insights/period.ts';
import { DAY, HOUR, now } from '../../src/kernel/core/clock.ts';
import { batch } from '../../src/kernel/data/database.ts';
import { markPaid } from '../../src/orders/index.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import { type Answer, type World, world } from '../support/world.ts';

/** Counts that are kept as things happen, compared with a recount of all orders. */

afterEach(() => vi.restoreAllMocks());

const SKUS = ['cup', 'mug', 'pot'] as const;

/** One thing that happens in a shop. `order` names one of those paid so far, by its place modulo their number. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      product: fc.nat(2),
      quantity: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), product: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      order: fc.nat(20),
      quantity: fc.integer({ min: 1, max: 2 }),
      restock: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('goodwill' as const),
      order: fc.nat(20),
      amount: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), order: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('abandon' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 14 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Paid {
  readonly id: string;
  /** The beginning of the hour in which it was paid (ms). */
  readonly hour: number;
}

/** A shop, its stopped clock, and what has happened so far. */
class Shop {
  readonly paid: Paid[] = [];
  /** The hours in which a cart was abandoned. */
  readonly abandoned: number[] = [];
  /** The shop's time (ms), which only waiting moves: tomorrow, in the middle of an hour. */
  at = dayOf(now()) + DAY + HOUR / 2;
  readonly world: World;
  readonly products: readonly number[];

  constructor(shop: World, products: readonly number[]) {
    this.world = shop;
    this.products = products;
  }

  async act(done: Step): Promise<void> {
    const { world: shop } = this;
    if (done.do === 'wait') this.at += done.hours * HOUR;
    else if (done.do === 'sell') await this.sell(done.product, done.quantity);
    else if (done.do === 'drop') {
      const { row } = await this.place(done.product, 1);
      expect((await shop.post(`/orders/${row.id}/cancel`)).status).toBe(200);
    } else if (done.do === 'abandon') {
      await batch(contextOf(shop).db, [abandonedStatement(contextOf(shop), 'EUR')]);
      this.abandoned.push(hourOf(this.at));
    } else await this.takeBack(done);
  }

  /** Some of these are refused, as more than is left: nothing of them may count. */
  private async takeBack(done: Extract<Step, { order: number }>): Promise<void> {
    const { id } = this.paid[done.order % Math.max(1, this.paid.length)] ?? {};
    if (id === undefined) return;
    const path = `/orders/${id}/${done.do === 'cancel' ? 'cancel' : 'refunds'}`;
    if (done.do === 'cancel') await this.world.post(path);
    else if (done.do === 'goodwill') await this.world.post(path, { amount: done.amount });
    else {
      const { quantity, restock } = done;
      await this.world.post(path, { items: [{ line_id: 1, quantity, restock }] });
    }
  }

  private place(product: number, quantity: number) {
    const productId = this.products[product] ?? 0;
    const sku = SKUS[product] ?? 'cup';
    const unitPrice = 1000;
    const total = unitPrice * quantity;
    const line = {
      id: 1,
      productId,
      variantId: null,
      sku,
      name: sku,
      options: {},
      quantity,
      ships: true,
      unitPrice,
      subtotal: total,
      discount: 0,
      tax: 0,
      taxRate: 0,
      links: [],
      discounts: [],
    };
    return placedOrder(this.world, productId, {
      quantity,
      lines: [line],
      cartId: `cart-${crypto.randomUUID()}`,
      expiresAt: this.at + HOUR,
    });
  }

  private async sell(product: number, quantity: number): Promise<void> {
    const { row } = await this.place(product, quantity);
    const paid = await markPaid(contextOf(this.world), row.id, { provider: 'sandbox', reference: row.id });
    expect(paid.ok).toBe(true);
    this.paid.push({ id: row.id, hour: hourOf(this.at) });
  }
}

/** Returns what an order contributes to the counts, computed from the API's order and refunds. */
async function recountOrder(shop: World, { id, hour }: Paid) {
  const [order, refunds] = await Promise.all([shop.get(`/orders/${id}`), shop.get(`/orders/${id}/refunds`)]);
  const { status, payment_status, totals, items } = order.body;
  const back: Answer['body'][] = refunds.body.data.filter(
    (one: Answer['body']) => one.status === 'succeeded',
  );
  const unitsBack = back
    .flatMap((one) => one.items)
    .reduce((sum: number, one: { quantity: number }) => sum + one.quantity, 0);
  const isOver = status === 'cancelled';
  return {
    hour,
    sku: items[0].sku as string,
    orders: isOver || payment_status === 'refunded' ? 0 : 1,
    sales: back.reduce((sum, { amount }) => sum - amount, totals.grand_total as number),
    units: isOver ? 0 : items[0].quantity - unitsBack,
  };
}

type Recount = Awaited<ReturnType<typeof recountOrder>>;

const sum = (all: readonly Recount[], key: 'orders' | 'sales' | 'units'): number =>
  all.reduce((total, one) => total + one[key], 0);

async function compare(shop: Shop, period: '24h' | '7d'): Promise<void> {
  const { body } = await shop.world.get(`/insights?period=${period}`);
  const all = await Promise.all(shop.paid.map((one) => recountOrder(shop.world, one)));
  const [shown] = body.sales;
  const width = period === '24h' ? HOUR : DAY;
  const from = Date.parse(body.from);
  const within = all.filter(({ hour }) => hour >= from);
  const [orders, sales] = [sum(within, 'orders'), sum(within, 'sales')];
  expect(shown).toMatchObject({ currency: 'EUR', orders, sales });
  expect(shown.average_order).toBe(orders > 0 ? Math.round((sales / orders) * 100) / 100 : null);
  expect(shown.abandoned_carts).toBe(shop.abandoned.filter((hour) => hour >= from).length);
  for (const part of shown.parts) {
    const begin = Date.parse(part.from);
    const own = within.filter(({ hour }) => hour >= begin && hour < begin + width);
    expect([part.from, part.orders, part.sales]).toEqual([part.from, sum(own, 'orders'), sum(own, 'sales')]);
  }
  const units = SKUS.map(
    (sku) =>
      [
        sku,
        sum(
          within.filter((one) => one.sku === sku),
          'units',
        ),
      ] as const,
  )
    .filter(([, count]) => count > 0)
    .sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1));
  expect(body.best_sellers.map((one: Answer['body']) => [one.sku, one.units])).toEqual(units);
}

/** The low stock of a shop is what its products say, the least first. */
async function compareLowStock({ world: shop, products }: Shop): Promise<void> {
  const stocks = await Promise.all(
    products.map(async (id): Promise<[number, number]> => {
      const { on_hand = 0, reserved = 0 } = (await stockOf(id)) ?? {};
      return [id, on_hand - reserved];
    }),
  );
  const low = stocks.filter(([, stock]) => stock <= 5).sort(([a, least], [b, more]) => least - more || a - b);
  const { data } = (await shop.get('/inventory/low-stock')).body;
  expect(data.map((one: Answer['body']) => [one.product_id, one.stock])).toEqual(low);
}

it('agree with a recount of the orders, whatever was sold, refunded and cancelled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const made = await world();
      const products = [];
      for (const sku of SKUS)
        products.push(
          (await createProduct(made, { sku, name: sku, stock: 12, inventory_policy: 'continue' })).body.id,
        );
      const shop = new Shop(made, products);
      // Other tests of this runtime may have moved its clock.
      const moved = now() - Date.now();
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => shop.at - moved);
      for (const one of steps) await shop.act(one);
      await compare(shop, '24h');
      await compare(shop, '7d');
      await compareLowStock(shop);
      clock.mockRestore();
    }),
    { numRuns: 8 },
  );
});
