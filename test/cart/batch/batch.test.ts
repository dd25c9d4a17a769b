/** Several changes of a cart in one call: what single calls in the same order would do, all or none. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { createProduct, seeing } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import { type Answer, type World, world } from '../../support/world.ts';
import {
  anyOperation,
  applied,
  FAILED,
  type Model,
  type Operation,
  operation,
  permutations,
} from './batch-model.ts';

let shop: World;

let seen: Answer;

const goods: number[] = [];

/** What adds one of each kind of goods to a cart. */
const lines = new Map<unknown, object>();

beforeAll(async () => {
  shop = await world({
    plan: 'enterprise',
    settings: {
      tax: { mode: 'exclusive', rate_percent: 10, rates_by_country: { DE: 19 } },
      shipping: {
        methods: [
          { id: 'standard', name: 'Standard', price: 4 },
          { id: 'express', name: 'Express', price: 9, countries: ['DE'] },
        ],
      },
    },
  });
  for (const [n, stock] of [3, 10_000, 10_000].entries()) {
    goods.push((await createProduct(shop, { name: `Good ${n}`, price: n + 1.5, stock })).body.id);
  }
  const [scarce = 0, plenty = 0] = goods;
  const make = async (type: string, more: object) =>
    (await createProduct(shop, { name: type, type, price: 5, ...more })).body;
  const sizes = ['S', 'M'].map((size) => ({ sku: size, price: 7.25, stock: 5, attributes: { size } }));
  const shirt = await make('configurable', { variants: sizes });
  const group = await make('grouped', { grouped: goods.map((product_id) => ({ product_id })) });
  const parts = [{ title: 'Part', items: [{ product_id: scarce }, { product_id: plenty, quantity: 2 }] }];
  const bundle = await make('bundled', { bundle_groups: parts });
  const [{ id: part, items }] = bundle.bundle_groups;
  const slot = { from: '2100-01-01T10:00:00.000Z', to: '2100-01-01T11:00:00.000Z', capacity: 5 };
  const booking = await make('booking', { booking: { timezone: 'UTC', slots: [slot] } });
  const links = [{ title: 'PDF', price: 1, url: 'https://files.example.com/a' }];
  const file = await make('downloadable', { links });
  const { from, to } = slot;
  for (const [kind, line] of Object.entries({
    variant: { variant_id: shirt.variants[1].id },
    group: { product_id: group.id },
    bundle: { product_id: bundle.id, options: { bundle_options: { [part]: [items[0].id] } } },
    booking: { product_id: booking.id, options: { booking: { from, to } } },
    file: { product_id: file.id, options: { links: [file.links[0].id] } },
    engraved: { product_id: plenty, options: { engraving: 'Ada' } },
  }))
    lines.set(kind, line);
  await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  const two = { name: 'Two', trigger: 'code', code: 'TWO', combinable: true };
  const combinable = await shop.post('/promotions', { ...two, effect: { kind: 'fixed', value: 2 } });
  expect(combinable.status, JSON.stringify(combinable.body)).toBe(201);
  seen = await shop.post('/coupons', { code: 'BIG', kind: 'fixed', value: 5, minimum_subtotal: 50 });
});

/** Makes one operation with its own endpoint. */
function single(cart_token: string, { op, ...fields }: Operation): Promise<Answer> {
  const path = `/cart/${cart_token}`;
  switch (op) {
    case 'add':
      return shop.post('/cart/items', { cart_token, ...fields }, seeing(seen));
    case 'set':
      return shop.patch(`/cart/items/${fields.item_id}`, { cart_token, quantity: fields.quantity });
    case 'remove':
      return shop.delete(`/cart/items/${fields.item_id}?cart_token=${cart_token}`);
    case 'coupon':
      return fields.code === null
        ? shop.delete(`${path}/coupon`)
        : shop.post(`${path}/coupon`, { code: fields.code }, seeing(seen));
    case 'address':
      return shop.put(`${path}/shipping-address`, fields.address);
    case 'shipping_method':
      return shop.put(`${path}/shipping-method`, { id: fields.id });
    default:
      return batch(cart_token, [{ op, ...fields }]);
  }
}

const batch = (cart_token: string, operations: readonly Operation[], more = {}): Promise<Answer> =>
  shop.post(`/cart/${cart_token}/batch`, { operations }, seeing(seen, more));

const newCart = async (): Promise<string> => (await shop.post('/cart')).body.cart_token;

const shown = ({ body: { cart_token: _, ...rest } }: Answer) => rest;

const named = ({ good, kind, ...rest }: Operation): Operation => ({
  ...rest,
  ...(typeof good === 'number' && { product_id: goods[good] }),
  ...lines.get(kind),
});

it('does what single calls do in the same order, and nothing when one of them fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOperation, { minLength: 1, maxLength: 6 }), async (drawn) => {
      const operations = drawn.map(named);
      const [one, other] = [await newCart(), await newCart()];
      let failed: { readonly index: number; readonly answer: Answer } | null = null;
      for (const [index, each] of operations.entries()) {
        const answer = await single(one, each);
        if (answer.status === 200) continue;
        failed = { index, answer };
        break;
      }
      const before = await shop.get(`/cart/${other}`);
      const together = await batch(other, operations);
      if (failed) {
        const { status, body } = failed.answer;
        expect([together.status, together.body.code]).toEqual([status, body.code]);
        expect(together.body.details).toEqual({ ...body.details, index: failed.index });
        expect((await shop.get(`/cart/${other}`)).body).toEqual(before.body);
      } else {
        expect(together.status, JSON.stringify(together.body)).toBe(200);
        expect(shown(together)).toEqual(shown(await shop.get(`/cart/${one}`)));
        expect(together.headers.get('etag')).toBe((await shop.get(`/cart/${other}`)).headers.get('etag'));
      }
    }),
    { numRuns: 40 },
  );
});

it('takes effect among concurrent calls as a whole, in one order with them', async () => {
  const editing = operation.filter(
    ({ op, good }) => ['set', 'remove'].includes(op) || (op === 'add' && good !== 0),
  );
  const calls = fc.array(fc.array(editing, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(calls, async (drawn) => {
      const token = await newCart();
      const requests = drawn.map((operations) => operations.map(named));
      const answers = await Promise.all(
        requests.map(([first, ...more]) =>
          first && more.length === 0 ? single(token, first) : batch(token, first ? [first, ...more] : []),
        ),
      );
      const linesOf = ({ body }: Answer) =>
        body.items.map((line: { id: number; product_id: number; quantity: number }) => ({
          id: line.id,
          product: line.product_id,
          quantity: line.quantity,
        }));
      const outcomes = answers.map((answer) => (answer.status === 200 ? linesOf(answer) : FAILED));
      const end = linesOf(await shop.get(`/cart/${token}`));
      const isSequential = permutations(requests.map((_, n) => n)).some((order) => {
        let model: Model = { lines: [], next: 1 };
        return (
          order.every((n) => {
            const next = applied(model, requests[n] ?? []);
            if (next !== FAILED) model = next;
            return JSON.stringify(next === FAILED ? FAILED : next.lines) === JSON.stringify(outcomes[n]);
          }) && JSON.stringify(model.lines) === JSON.stringify(end)
        );
      });
      expect(isSequential, JSON.stringify({ requests, outcomes, end })).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it('enters several codes', async () => {
  const shop = await world();
  const mug = await createProduct(shop, { stock: 5 });
  const codes = ['ONE', 'TWO'];
  for (const code of codes) await promoteByCode(shop, code, { combinable: true });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const operations = codes.map((code) => ({ op: 'coupon', code }));
  const { status, body } = await shop.post(`/cart/${cart_token}/batch`, { operations });
  expect([status, body.applied_promotions?.map(({ code }: { code: string }) => code)]).toEqual([200, codes]);
});

it('names what failed: its index, its field and its code', async () => {
  const token = await newCart();
  const [scarce = 0, plenty = 0] = goods;
  const add = { op: 'add', product_id: plenty, quantity: 1 };
  for (const [failing, status, code, field] of [
    [{ op: 'add', product_id: 999_999, quantity: 1 }, 404, 'product_not_found'],
    [{ op: 'add', variant_id: 999_999, quantity: 1 }, 422, 'validation_error', 'variant_id'],
    [{ op: 'add', product_id: scarce, quantity: 4 }, 409, 'insufficient_stock'],
    [
      { op: 'add', product_id: plenty, quantity: 1, options: { a: [1] } },
      422,
      'validation_error',
      'options.a',
    ],
    [{ op: 'set', item_id: 9, quantity: 1 }, 404, 'cart_item_not_found'],
    [{ op: 'remove', item_id: 9 }, 404, 'cart_item_not_found'],
    [{ op: 'coupon', code: 'NONE' }, 404, 'coupon_not_found'],
    [{ op: 'coupon', code: 'BIG' }, 409, 'coupon_not_applicable'],
  ] as const) {
    const refused = await batch(token, [add, failing, add]);
    expect([refused.status, refused.body.code], JSON.stringify(refused.body)).toEqual([status, code]);
    expect(refused.body.details.index).toBe(1);
    if (field) expect(Object.keys(refused.body.errors)).toEqual([`operations.1.${field}`]);
  }
  expect((await shop.get(`/cart/${token}`)).body.items).toEqual([]);
});

it('refuses what is malformed, with its path', async () => {
  const token = await newCart();
  const add = { op: 'add', product_id: goods[1], quantity: 1 };
  for (const [operations, field] of [
    [[], 'operations'],
    [Array.from({ length: 51 }, () => add), 'operations'],
    ['x', 'operations'],
    [[add, { op: 'steal' }], 'operations.1.op'],
    [[{ op: 'shipping', id: 'express' }], 'operations.0.op'],
    [[{ op: 'shipping_method', id: 1 }], 'operations.0.id'],
    [[{ op: 'shipping_method' }], 'operations.0.id'],
    [[add, { op: 'shipping_method', id: 'unheard-of' }], 'operations.1.id'],
    [[{ ...add, quantity: 0 }], 'operations.0.quantity'],
    [[{ op: 'add', quantity: 1 }], 'operations.0.product_id'],
    [[add, { op: 'set', item_id: 0, quantity: 1 }], 'operations.1.item_id'],
    [[{ op: 'remove', item_id: 1, extra: 1 }], 'operations.0.extra'],
    [[{ op: 'coupon' }], 'operations.0.code'],
    [[{ op: 'address', address: { country: 'XX' } }], 'operations.0.address.country'],
    [[{ op: 'metadata', metadata: { k: 'x'.repeat(501) } }], 'operations.0.metadata.k'],
  ] as const) {
    const refused = await shop.post(`/cart/${token}/batch`, { operations });
    expect([refused.status, Object.keys(refused.body.errors ?? {})], JSON.stringify(refused.body)).toEqual([
      422,
      [field],
    ]);
    const index = field.split('.')[1];
    expect(refused.body.details).toEqual(index === undefined ? undefined : { index: Number(index) });
  }
  const two = await shop.post(`/cart/${token}/batch`, { operations: [add, { op: 'steal' }, 'x'] });
  expect(two.body.details).toEqual({ index: 1 });
});

it('takes effect once for a key, failures included, and only on the version it names', async () => {
  const token = await newCart();
  const add = { op: 'add', product_id: goods[1], quantity: 1 };
  const once = { headers: { 'idempotency-key': 'a' } };
  const first = await batch(token, [add, add], once);
  const again = await batch(token, [add, add], once);
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
  const other = await batch(token, [add], once);
  expect(other.body.code).toBe('idempotency_key_reused');
  const failing = [add, { op: 'remove', item_id: 7 }];
  const twice = { headers: { 'idempotency-key': 'b' } };
  const [one, two] = [await batch(token, failing, twice), await batch(token, failing, twice)];
  expect([one.body.details, two.body.details]).toEqual([{ index: 1 }, { index: 1 }]);
  const stale = await batch(token, [add], { headers: { 'if-match': '"other"' } });
  expect(stale.status).toBe(412);
  expect((await shop.get(`/cart/${token}`)).body.items).toMatchObject([{ quantity: 2 }]);
});

it('creates a cart with items and metadata, all or none', async () => {
  const items = goods.map((product_id) => ({ product_id, quantity: 2 }));
  const metadata = { source: 'newsletter' };
  const key = { headers: { 'idempotency-key': 'new cart' } };
  const made = await shop.post('/cart', { items, metadata }, seeing(seen, key));
  expect([made.status, made.body.total_quantity, made.body.metadata]).toEqual([201, 6, metadata]);
  expect((await shop.post('/cart', { items, metadata }, seeing(seen, key))).body).toEqual(made.body);
  const refused = await shop.post(
    '/cart',
    { items: [...items, { product_id: 9e8, quantity: 1 }] },
    seeing(seen),
  );
  expect([refused.status, refused.body.code, refused.body.details]).toEqual([
    404,
    'product_not_found',
    { index: 3 },
  ]);
  const bad = await shop.post('/cart', { items: [{ product_id: goods[0], quantity: 0 }] });
  expect([Object.keys(bad.body.errors), bad.body.details]).toEqual([['items.0.quantity'], { index: 0 }]);
});
