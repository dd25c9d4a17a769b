import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PRODUCT_TYPES } from '../../src/catalog/tables.ts';
import { EVENT_TYPES, type EventType } from '../../src/events/index.ts';
import { ORDER_STATUSES, PAYMENT_STATUSES } from '../../src/orders/tables.ts';
import { filterProblem, matchesFilter } from '../../src/webhooks/filter.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { emitEvent, Receiver, subscribe, until } from '../support/fixtures/webhooks.ts';
import { type World, world } from '../support/world.ts';

const hook = (shop: World, more: object) =>
  shop.post('/webhooks', { url: 'https://shop.example.com/hook', status: 'paused', ...more });

describe('a filtered webhook', () => {
  it('gets only the events that match, and all of the types that lack the key', async () => {
    const [shop, receiver, all] = [await world(), new Receiver(), new Receiver()];
    const events: EventType[] = ['stock.changed', 'order.paid'];
    await subscribe(shop, receiver.url, events, { filter: { variant_id: [7], sku: ['A', 'B'] } });
    await subscribe(shop, all.url, events);
    const wanted = [
      await emitEvent(shop, 'stock.changed', { sku: 'A', variant_id: 7 }),
      await emitEvent(shop, 'order.paid', { items: [{ sku: 'C' }, { sku: 'B' }] }),
    ];
    await emitEvent(shop, 'stock.changed', { sku: 'A', variant_id: 8 });
    await emitEvent(shop, 'stock.changed', { sku: 'C', variant_id: 7 });
    await emitEvent(shop, 'order.paid', { items: [{ sku: 'C' }] });
    await until(() => expect(all.ids).toHaveLength(5));
    await until(() => expect(new Set(receiver.ids)).toEqual(new Set(wanted)));
  });

  it('of categories gets what is in them or below, and what leaves them', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id: clothing } = (await shop.post('/categories', { name: 'Clothing' })).body;
    const { id: shirts } = (await shop.post('/categories', { name: 'Shirts', parent_id: clothing })).body;
    await subscribe(shop, receiver.url, ['product.updated'], { filter: { category_id: [clothing] } });
    await stockedProduct(shop, { name: 'Mug', sku: 'mug' });
    const { id } = (await stockedProduct(shop, { name: 'Shirt', sku: 'shirt', category_ids: [shirts] })).body;
    await shop.patch(`/products/${id}`, { category_ids: [] });
    await shop.patch(`/products/${id}`, { price: 99 });
    const changes = () => receiver.received.map(({ body }) => JSON.parse(body).data.changed);
    await until(() => expect(changes()).toEqual([['created'], ['category_ids']]));
  });

  it('takes a change from then on, and in a replay', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id } = await subscribe(shop, receiver.url);
    const ids = [
      await emitEvent(shop, 'stock.changed', { sku: 'A' }),
      await emitEvent(shop, 'stock.changed', { sku: 'B' }),
    ];
    await until(() => expect(receiver.ids).toHaveLength(2));
    const changed = await shop.patch(`/webhooks/${id}`, { filter: { sku: ['B'] } });
    expect([changed.status, changed.body.filter]).toEqual([200, { sku: ['B'] }]);
    const range = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    expect((await shop.post(`/webhooks/${id}/replay`, range)).body).toEqual({ replayed: 1 });
    await until(() => expect(receiver.ids.slice(2)).toEqual([ids[1]]));
    expect((await shop.patch(`/webhooks/${id}`, { filter: null })).body.filter).toBeNull();
    expect((await shop.post(`/webhooks/${id}/replay`, range)).body).toEqual({ replayed: 2 });
  });

  it('of customers gets their registration and their new address', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const events: EventType[] = ['customer.created', 'customer.email_changed'];
    const { id } = await subscribe(shop, receiver.url, events);
    const password = 'correct horse battery';
    const register = async (name: string) =>
      (await shop.post('/customers/register', { name, email: `${name}@example.com`, password })).body;
    const [ada] = [await register('ada'), await register('bob')];
    const patch = { email: 'countess@example.com', current_password: password };
    const moved = await shop.patch('/customers/me', patch, { headers: { 'X-Customer-Token': ada.token } });
    expect(moved.status).toBe(200);
    await until(() => expect(receiver.received).toHaveLength(3));
    await shop.patch(`/webhooks/${id}`, { filter: { customer_id: [ada.customer.id] } });
    const range = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    expect((await shop.post(`/webhooks/${id}/replay`, range)).body).toEqual({ replayed: 2 });
  });

  it('has a test event pass', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id } = await subscribe(shop, receiver.url, ['stock.changed'], { filter: { sku: ['A'] } });
    await shop.post(`/webhooks/${id}/ping`);
    await until(() => expect(receiver.received).toHaveLength(1));
  });
});

describe('a filter', () => {
  it.each([{ sku: 'A' }, { sku: ['A', 1] }, { sku: null }])('says what %j has to be', async (filter) => {
    const made = await hook(await world(), { events: ['stock.changed'], filter });
    expect(made.body.errors).toEqual({
      'filter.sku': ['must be a list of 1 to 100 strings, or of ids for a key that ends in _id'],
    });
  });

  const many = (count: number) => Array.from({ length: count }, (_, n) => `A-${n}`);

  it.each<[field: string, filter: unknown]>([
    ['filter', {}],
    ['filter', { colour: ['red'] }],
    ['filter', { category_id: [3] }],
    ['filter', Object.fromEntries(many(11).map((key) => [key, ['x']]))],
    ['filter.sku', { sku: many(101) }],
    ['filter.sku', { sku: [] }],
    ['filter.sku', { sku: [1] }],
    ['filter.sku', { sku: 'A' }],
    ['filter.product_id', { product_id: ['7'] }],
    ['filter.product_id', { product_id: [0] }],
  ])('is validated: %s of %j', async (field, filter) => {
    const shop = await world();
    const made = await hook(shop, { events: ['stock.changed'], filter });
    expect([made.status, made.body.code]).toEqual([422, 'validation_error']);
    expect(Object.keys(made.body.errors).some((name) => name === field || name.startsWith(`${field}.`))).toBe(
      true,
    );
  });

  it('must suit the events after a change of either', async () => {
    const shop = await world();
    const made = await hook(shop, { events: ['stock.changed'], filter: { sku: ['A'] }, ordered: true });
    expect(made.body).toMatchObject({ filter: { sku: ['A'] }, ordered: true });
    const path = `/webhooks/${made.body.id}`;
    const other = await shop.patch(path, { events: ['category.updated'] });
    expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['filter']]);
    expect((await shop.patch(path, { filter: { status: ['paid'] } })).status).toBe(422);
    const both = await shop.patch(path, { events: ['order.paid'], filter: { status: ['paid'] } });
    expect([both.status, both.body.filter, both.body.ordered]).toEqual([200, { status: ['paid'] }, true]);
    expect((await shop.patch(path, { status: 'paused' })).body.filter).toEqual({ status: ['paid'] });
  });

  it.each<[events: EventType[], key: string, values: readonly string[], wrong: string]>([
    [['order.paid'], 'status', ORDER_STATUSES, 'payed'],
    [['order.refunded'], 'payment_status', PAYMENT_STATUSES, 'partly_refunded'],
    [['product.updated'], 'type', PRODUCT_TYPES, 'variable'],
    [['product.updated'], 'status', ['active', 'inactive'], 'draft'],
    [['product.updated', 'order.paid'], 'status', ['active', ...ORDER_STATUSES], 'Active'],
    [['order.paid'], 'currency', ['EUR', 'JPY'], 'eur'],
    [['cart.abandoned'], 'currency', ['EUR', 'USD'], 'Euro'],
  ])('of %j takes only values of %s that exist', async (events, key, values, wrong) => {
    const shop = await world();
    const made = await hook(shop, { events, filter: { [key]: values } });
    expect([made.status, made.body.filter]).toEqual([201, { [key]: values }]);
    const refused = await shop.patch(`/webhooks/${made.body.id}`, { filter: { [key]: [...values, wrong] } });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['filter']]);
    expect(refused.body.errors.filter[0]).toContain(`"${wrong}"`);
  });

  it('passes an event exactly when each key of its type has one of the values', () => {
    const skus = fc.subarray(['A', 'B', 'C'], { minLength: 1 });
    const ids = fc.subarray([1, 2, 3], { minLength: 1 });
    fc.assert(
      fc.property(
        skus,
        ids,
        fc.constantFrom('A', 'B', 'C'),
        fc.constantFrom(1, 2, 3),
        (sku, product_id, own, id) => {
          const event = { type: 'stock.changed', data: { sku: own, product_id: id } };
          expect(matchesFilter({ sku, product_id }, event)).toBe(
            sku.includes(own) && product_id.includes(id),
          );
          expect(matchesFilter(null, event)).toBe(true);
          expect(matchesFilter({ sku, status: ['paid'] }, event)).toBe(sku.includes(own));
        },
      ),
    );
    for (const type of EVENT_TYPES) expect(filterProblem({ nothing: ['x'] }, [type])).toContain('nothing');
  });
});
