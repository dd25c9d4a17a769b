import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { releaseCart } from '../../../src/inventory/index.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { beforeBatch, loseResponse, refuseBatch } from '../../support/faults/database.ts';
import { reserveForCart } from '../../support/fixtures/catalog/inventory.ts';
import { createProduct, stockOf } from '../../support/fixtures/catalog/products.ts';
import { waitingCalls } from '../../support/fixtures/catalog/stock-writer.ts';
import { until } from '../../support/fixtures/webhooks.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { expectStatuses } from '../../support/statuses.ts';
import { type Answer, world } from '../../support/world.ts';
import { adjust, eventCount, MOVES, movements, together, unrelayed } from './group-calls.ts';

afterEach(() => vi.restoreAllMocks());

it('commits calls that arrive together as one movement and one event', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 100 })).body;
  const answers = await together(
    shop,
    [{ sku: 'CUP', delta: -1 }],
    Array.from({ length: 20 }, () => [{ sku: 'CUP', delta: -1 }]),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await stockOf(id))?.on_hand).toBe(79);
  expect(answers.map(({ body }) => body.data[0].stock)).toEqual([
    99,
    ...Array.from({ length: 20 }, () => 79),
  ]);
  expect(await movements(shop)).toEqual([
    { old: 100, new: 99, reason: 'adjustment' },
    { old: 99, new: 79, reason: 'adjustment' },
  ]);
  expect(await eventCount(shop)).toBe(2);
});

it('refuses a call of a group by itself: all of its items, and none of the others', async () => {
  const shop = await world();
  const cup = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 5 })).body;
  const mug = (await createProduct(shop, { name: 'Mug', sku: 'MUG', stock: 5 })).body;
  const [, ...answers] = await together(
    shop,
    [{ sku: 'CUP', delta: -1 }],
    [
      [{ sku: 'CUP', delta: -3 }],
      [
        { sku: 'MUG', delta: -1 },
        { sku: 'CUP', delta: -2 },
      ],
      [{ sku: 'NONE', delta: 1 }],
      [{ sku: 'CUP', delta: -1 }],
    ],
  );
  const [taken, short, unknown, last] = answers;
  expect([taken?.status, last?.status]).toEqual([200, 200]);
  expect(short?.body).toMatchObject({
    code: 'insufficient_stock',
    details: { sku: 'CUP', product_id: cup.id, requested: 2, available: 1 },
  });
  expect(unknown?.body.errors).toEqual({ 'items.0.sku': ['must be a SKU of this catalogue'] });
  expect([await stockOf(cup.id), await stockOf(mug.id)]).toMatchObject([{ on_hand: 0 }, { on_hand: 5 }]);
});

it('adds deltas to a quantity that another call of the group has set', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 5 })).body;
  await together(
    shop,
    [{ sku: 'CUP', delta: 1 }],
    [[{ sku: 'CUP', delta: -6 }], [{ sku: 'CUP', stock: 40 }], [{ sku: 'CUP', delta: -3 }]],
  );
  expect((await stockOf(id))?.on_hand).toBe(37);
});

it('reports an error of ours to the calls that it stopped alone', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 10 })).body;
  const items = ['sold', 'damaged', 'sold'].map((reason) => [{ sku: 'CUP', delta: -1, reason }]);
  const answers = await together(shop, [{ sku: 'CUP', delta: 5 }], items, () =>
    beforeBatch(MOVES, async () => beforeBatch(MOVES, () => Promise.reject(new TypeError('unexpected')))),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 500, 200]);
  expect((await stockOf(id))?.on_hand).toBe(13);
  expect((await adjust(shop, [{ sku: 'CUP', delta: -1 }])).status).toBe(200);
});

it('keeps the reasons of a group apart', async () => {
  const shop = await world();
  await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 10 });
  const items = ['sold', 'damaged', 'sold'].map((reason) => [{ sku: 'CUP', delta: -1, reason }]);
  await together(shop, [{ sku: 'CUP', delta: 5 }], items);
  expect(await movements(shop)).toEqual([
    { old: 10, new: 15, reason: 'adjustment' },
    { old: 15, new: 13, reason: 'sold' },
    { old: 13, new: 12, reason: 'damaged' },
  ]);
});

it('commits the other calls of a group when a product is written meanwhile', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 9 })).body;
  const pieces = [2, 3, 2].map((taken) => [{ sku: 'CUP', delta: -taken }]);
  const answers = await together(shop, [{ sku: 'CUP', delta: -1 }], pieces, () =>
    // Once the group has read 8 pieces, five of them are left.
    beforeBatch(MOVES, async () => {
      expect((await shop.patch(`/products/${id}`, { stock: 5 })).status).toBe(200);
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409]);
  expect((await stockOf(id))?.on_hand).toBe(0);
});

it('changes stock once for an Idempotency-Key whose response was lost', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 9 })).body;
  await createProduct(shop, { name: 'Mug', sku: 'MUG', stock: 5 });
  const items = [
    { sku: 'MUG', delta: -1 },
    { sku: 'CUP', delta: -2 },
  ];
  const headers = { 'idempotency-key': crypto.randomUUID() };
  loseResponse(MOVES);
  expectProblem(await adjust(shop, items, headers), 503, 'unavailable');
  const again = await adjust(shop, items, headers);
  expect([again.status, again.body.data]).toMatchObject([
    200,
    [
      { sku: 'MUG', stock: 4 },
      { sku: 'CUP', stock: 7 },
    ],
  ]);
  expect((await stockOf(id))?.on_hand).toBe(7);
});

it('reserves for carts that arrive together in one batch, in their order, until nothing is left', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 6 })).body;
  const gathered: ReturnType<typeof reserveForCart>[] = [];
  beforeBatch(MOVES, async () => {
    for (const [n, quantity] of [2, 4, 1, 2, 1].entries()) {
      gathered.push(reserveForCart(shop, `cart-${n}`, [{ itemId: id, quantity }]));
      while ((await waitingCalls(shop)) < gathered.length) await scheduler.wait(1);
    }
  });
  const alone = await reserveForCart(shop, 'first', [{ itemId: id, quantity: 1 }]);
  const held = await Promise.all(gathered);
  expect([alone, ...held].map((one) => (one.ok ? one.value.status : one.failure.code))).toEqual([
    ...['held', 'held', 'insufficient_stock', 'held', 'held', 'insufficient_stock'],
  ]);
  expect(await stockOf(id)).toEqual({ on_hand: 6, reserved: 6 });
  expect(await movements(shop)).toEqual([
    { old: 6, new: 5, reason: 'checkout' },
    { old: 5, new: 0, reason: 'checkout' },
  ]);
  await Promise.all(
    ['first', 'cart-0', 'cart-2', 'cart-3'].map((cart) => releaseCart(contextOf(shop), cart, 2)),
  );
  expect(await stockOf(id)).toEqual({ on_hand: 6, reserved: 0 });
});

it('does not report stock as short when the claims that would have taken it were not committed', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 6 })).body;
  const claim = (cart: string, quantity: number) => reserveForCart(shop, cart, [{ itemId: id, quantity }]);
  const gathered: ReturnType<typeof claim>[] = [];
  beforeBatch(MOVES, async () => {
    gathered.push(claim('greedy', 5), claim('modest', 1), claim('third', 3));
    while ((await waitingCalls(shop)) < gathered.length) await scheduler.wait(1);
    refuseBatch(MOVES);
  });
  await claim('first', 1);
  const codes = (await Promise.all(gathered)).map((one) => one.ok || one.failure.code);
  expect(codes).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(await stockOf(id)).toEqual({ on_hand: 6, reserved: 1 });
  expect(await claim('modest', 1)).toMatchObject({ ok: true });
});

it('adjusts nothing and refuses nobody when a group is not committed', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 6 })).body;
  const pieces = [5, 1, 3].map((taken) => [{ sku: 'CUP', delta: -taken }]);
  const [first, ...others] = await together(shop, [{ sku: 'CUP', delta: -1 }], pieces, () =>
    refuseBatch(MOVES),
  );
  expect([first?.status, ...others.map(({ status }) => status)]).toEqual([200, 503, 503, 503]);
  expect((await stockOf(id))?.on_hand).toBe(5);
});

it('reports a release that is not committed, and releases at the next call', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', stock: 6 })).body;
  await reserveForCart(shop, 'cart', [{ itemId: id, quantity: 2 }]);
  const release = () => releaseCart(contextOf(shop), 'cart', 2);
  refuseBatch(MOVES);
  await expect(release()).rejects.toThrow('did not release');
  expect((await stockOf(id))?.reserved).toBe(2);
  await release();
  expect((await stockOf(id))?.reserved).toBe(0);
});

it('reserves once for a cart whose call is repeated within a group', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 6 })).body;
  const gathered: ReturnType<typeof reserveForCart>[] = [];
  beforeBatch(MOVES, async () => {
    while (gathered.length < 3) gathered.push(reserveForCart(shop, 'again', [{ itemId: id, quantity: 2 }]));
    while ((await waitingCalls(shop)) < gathered.length) await scheduler.wait(1);
  });
  await reserveForCart(shop, 'first', [{ itemId: id, quantity: 1 }]);
  const held = await Promise.all(gathered);
  expect(new Set(held.map((one) => one.ok && one.value.id)).size).toBe(1);
  expect(await stockOf(id)).toEqual({ on_hand: 6, reserved: 3 });
});

it('goes on relaying events after the queue was down, and loses none of those that gather', async () => {
  const shop = await world();
  await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 100 });
  const taken = () => adjust(shop, [{ sku: 'CUP', delta: -1 }]);
  let failures = 0;
  const { sendBatch } = env.WEBHOOK_QUEUE;
  vi.spyOn(env.WEBHOOK_QUEUE, 'sendBatch').mockImplementation(async (messages, ...options) => {
    const sent = [...messages];
    const isOwn = sent.some(({ body }) => body.tenantId === shop.tenantId);
    if (isOwn && failures++ === 0) throw new Error('The queue is down');
    return sendBatch.call(env.WEBHOOK_QUEUE, sent, ...options);
  });
  await taken();
  await until(() => expect(failures).toBeGreaterThan(0));
  for (let n = 0; n < 20; n++) await taken();
  await until(async () => expect(await unrelayed(shop)).toEqual([1]));
  expect(await eventCount(shop)).toBe(21);
});

// 20 runs of 2 to 3 items with 0 to 6 pieces, and 4 to 24 calls of 1 to 2 items by -3 to 2 pieces each.
it('asks for a later retry when 20,000 items wait, in however few calls', async () => {
  const shop = await world();
  await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 100 });
  const counted = Array.from({ length: 500 }, (_, n) => ({ sku: `NONE-${n}`, stock: 1 }));
  const further: Promise<Answer>[] = [];
  const [first, ...waiting] = await together(
    shop,
    [{ sku: 'CUP', delta: -1 }],
    Array.from({ length: 40 }, () => counted),
    async () => {
      further.push(adjust(shop, [{ sku: 'CUP', delta: -1 }]));
      await further[0];
    },
  );
  expect(first?.status).toBe(200);
  expect(waiting.map(({ status }) => status)).toEqual(Array(40).fill(422));
  const [refused] = await Promise.all(further);
  expect(refused?.status).toBe(503);
  expect(refused?.headers.get('retry-after')).toBe('1');
  expect((await adjust(shop, [{ sku: 'CUP', delta: -1 }])).body.data[0].stock).toBe(98);
});

it('changes stock by exactly what it confirms, however many call at once', async () => {
  const skus = ['A', 'B', 'C'];
  const item = fc.record({ sku: fc.constantFrom(...skus), delta: fc.integer({ min: -3, max: 2 }) });
  const call = fc.uniqueArray(item, { minLength: 1, maxLength: 2, selector: ({ sku }) => sku });
  const stocks = fc.tuple(...skus.map(() => fc.integer({ min: 0, max: 6 })));
  await fc.assert(
    fc.asyncProperty(stocks, fc.array(call, { minLength: 4, maxLength: 24 }), async (starts, calls) => {
      const shop = await world();
      const ids: number[] = [];
      for (const [n, sku] of skus.entries())
        ids.push((await createProduct(shop, { name: sku, sku, stock: starts[n] })).body.id);
      const answers = await Promise.all(calls.map((items) => adjust(shop, items)));
      expectStatuses(answers, 200, 409);
      for (const [n, sku] of skus.entries()) {
        const confirmed = calls
          .filter((_, nth) => answers[nth]?.status === 200)
          .flatMap((items) => items.filter((one) => one.sku === sku));
        const sum = confirmed.reduce((total, { delta }) => total + delta, starts[n] ?? 0);
        expect(await stockOf(ids[n] ?? 0)).toEqual({ on_hand: sum, reserved: 0 });
        expect(sum).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 20 },
  );
});
