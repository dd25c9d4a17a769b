import { expect, it } from 'vitest';
import { EVENT_TYPES, type EventType } from '../../src/events/index.ts';
import { checkEvent, eventTypes } from '../support/contract/contract.ts';
import { createProduct, fiveCups, stockedProduct } from '../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import {
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';
import { Receiver, subscribe, until, verify } from '../support/fixtures/webhooks.ts';
import type { Answer, World } from '../support/world.ts';

/** A shop whose every event comes to a receiver. */
async function watchedShop() {
  const [shop, receiver] = [await sandboxShop(), new Receiver()];
  const webhook = await subscribe(shop, receiver.url, [...EVENT_TYPES]);
  /** Everything of a type that came, once there is so much of it; held against the OpenAPI document. */
  const came = (type: EventType | 'ping', count: number) =>
    until(() => {
      const all = receiver.received.map((request) => ({ request, payload: verify(webhook.secret, request) }));
      for (const { request, payload } of all) checkEvent(request.headers, payload);
      const found = all.map(({ payload }) => payload).filter((payload) => payload.type === type);
      expect(found).toHaveLength(count);
      return found.sort((a, b) => a.data.sequence - b.data.sequence);
    });
  return { shop, webhook, came };
}

/** Buys one piece of a product by these actions of the checkout page; returns the order's id. */
async function buy(shop: World, seen: Answer, more: object, ...how: string[]) {
  const cart = await cartWith(shop, seen, 1, more);
  const path = await checkoutPath(shop, cart, { cancel_url: undefined });
  let id = '';
  for (const button of how) {
    const page = await submitCheckout(path, button);
    if (page.status === 303) id = readReturn(page).order_id;
  }
  return id;
}

/** Links are signed anew whenever they are shown. */
const unsigned = (order: object) => JSON.stringify(order).replaceAll(/dl_[\w-]+/g, 'dl_');

it('are documented for every type', () => {
  expect(eventTypes().sort()).toEqual([...EVENT_TYPES, 'ping'].sort());
});

it('of products have the list fields: created, changed and deleted', async () => {
  const { shop, came } = await watchedShop();
  const shown = async (id: number, type: string) => {
    const { data } = (await shop.get(`/products?status=all&q=${type}`)).body;
    const item = data.find((one: { id: number }) => one.id === id);
    // The sizes of images are left to a read of the product.
    const { media, ...fields } = item;
    return fields;
  };
  const slots = [{ from: '2030-01-01T10:00:00Z', to: '2030-01-01T11:00:00Z', capacity: 3 }];
  const cup = await stockedProduct(shop, { name: 'simple', images: ['https://cdn.example.com/1.jpg'] });
  const kinds: Record<string, object> = {
    virtual: {},
    downloadable: { links: [{ title: 'PDF', price: 1, url: 'https://files.example.com/a.pdf' }] },
    configurable: { variants: [{ sku: 'S', price: 12, stock: 2, attributes: { size: 'S' } }] },
    grouped: { grouped: [{ product_id: cup.body.id, default_quantity: 1 }] },
    bundled: {
      bundle_groups: [
        {
          title: 'Cups',
          required: true,
          multiple: false,
          items: [{ product_id: cup.body.id, quantity: 1, default: true }],
        },
      ],
    },
    booking: { booking: { timezone: 'Europe/Berlin', slots } },
  };
  const made = [cup.body];
  for (const [type, more] of Object.entries(kinds)) {
    made.push((await stockedProduct(shop, { name: type, type, ...more })).body);
  }
  for (const { data } of await came('product.updated', made.length)) {
    const { changed, sequence, occurred_at, category_ids, ...fields } = data;
    expect([changed, category_ids]).toEqual([['created'], []]);
    expect(fields).toEqual(await shown(fields.id, fields.type));
  }
  await shop.patch(`/products/${cup.body.id}`, { price: 12.5, description: null });
  const { changed, sequence, occurred_at, category_ids, ...fields } = (
    await came('product.updated', made.length + 1)
  ).at(-1).data;
  expect(changed).toEqual(['price']);
  const last = await shown(cup.body.id, 'simple');
  expect(fields).toEqual({ ...last, price: 12.5, price_range: { min: 12.5, max: 12.5 } });
  const book = made.find(({ type }) => type === 'virtual');
  await shop.delete(`/products/${book.id}`);
  const gone = (await came('product.updated', made.length + 2)).at(-1).data;
  expect(gone).toMatchObject({
    id: book.id,
    name: 'virtual',
    price: 10,
    currency: 'EUR',
    changed: ['deleted'],
  });
});

it('of products name their categories with the ancestors, and those just left', async () => {
  const { shop, came } = await watchedShop();
  const category = async (name: string, parent_id: number | null): Promise<number> =>
    (await shop.post('/categories', { name, parent_id })).body.id;
  const clothing = await category('Clothing', null);
  const shirts = await category('Shirts', clothing);
  const sale = await category('Sale', null);
  const { id } = (await stockedProduct(shop, { name: 'Shirt', category_ids: [shirts] })).body;
  await shop.patch(`/products/${id}`, { category_ids: [sale] });
  await shop.patch(`/products/${id}`, { price: 12 });
  await shop.delete(`/products/${id}`);
  const reported = (await came('product.updated', 4)).map(({ data }) => data.category_ids);
  expect(reported).toEqual([[clothing, shirts], [clothing, shirts, sale], [sale], [sale]]);
});

it('of stock name the item and the reason', async () => {
  const { shop, came } = await watchedShop();
  await createProduct(shop, { sku: 'cup', stock: 5 });
  const shirt = await stockedProduct(shop, {
    name: 'Shirt',
    type: 'configurable',
    variants: [{ sku: 'S', price: 12, stock: 2, attributes: { size: 'S' } }],
  });
  const items = [
    { sku: 'cup', delta: -1, reason: 'broken' },
    { sku: 'S', stock: 7 },
  ];
  expect((await shop.post('/inventory/adjustments', { items })).status).toBe(200);
  const reported = (await came('stock.changed', 3)).map(({ data }) => data);
  const [variant] = shirt.body.variants;
  expect(reported).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ sku: 'cup', variant_id: null, old_stock: 5, new_stock: 4, reason: 'broken' }),
      expect.objectContaining({
        product_id: shirt.body.id,
        variant_id: variant.id,
        old_stock: 2,
        new_stock: 7,
      }),
      expect.objectContaining({ product_id: shirt.body.id, variant_id: null, old_stock: 2, new_stock: 7 }),
    ]),
  );
});

it('of one SKU contain every step, in sequence', async () => {
  const { shop, came } = await watchedShop();
  await stockedProduct(shop, { sku: 'cup', stock: 100 });
  const deltas = [-1, 2, -3, 4, -5, 6, -7, 8, -9, 10];
  // One after the other: calls that arrive together may share an event.
  for (const delta of deltas) {
    const answer = await shop.post('/inventory/adjustments', { items: [{ sku: 'cup', delta }] });
    expect(answer.status).toBe(200);
  }
  let stock = 100;
  for (const { data } of await came('stock.changed', deltas.length)) {
    expect(data.old_stock).toBe(stock);
    stock = data.new_stock;
  }
  expect(stock).toBe(105);
});

it('of orders equal the order in the API', async () => {
  const { shop, came } = await watchedShop();
  const url = 'https://files.example.com/a.pdf';
  const book = await stockedProduct(shop, {
    name: 'Book',
    type: 'downloadable',
    links: [{ title: 'PDF', price: 2, url }],
  });
  const paid = await buy(shop, book, { options: { links: [book.body.links[0].id] } }, 'pay');
  const cancelled = await buy(shop, await fiveCups(shop), {}, 'decline', 'cancel');
  const created = await came('order.created', 2);
  expect(created.map(({ data }) => [data.id, data.status])).toEqual([
    [paid, 'pending'],
    [cancelled, 'pending'],
  ]);
  for (const [type, id] of [
    ['order.paid', paid],
    ['order.cancelled', cancelled],
  ] as const) {
    const [{ data }] = await came(type, 1);
    const { sequence, occurred_at, ...order } = data;
    const shown = (await shop.get(`/orders/${id}`)).body;
    expect(unsigned(order)).toEqual(unsigned(shown));
    expect(sequence).toBeGreaterThan(created.find((event) => event.data.id === id)?.data.sequence);
  }
  const [{ data }] = await came('order.paid', 1);
  expect(data.items[0].downloads).toHaveLength(1);
  const sold = await buy(shop, await fiveCups(shop), {}, 'pay');
  const parcel = await shop.post(`/orders/${sold}/fulfilments`, { tracking: { number: '0034' } });
  const [{ data: sent }] = await came('order.fulfilled', 1);
  const { sequence, occurred_at, fulfilment, ...order } = sent;
  expect(fulfilment).toEqual(parcel.body);
  expect(order).toEqual((await shop.get(`/orders/${sold}`)).body);
  const tracked = await shop.patch(`/orders/${sold}/fulfilments/${parcel.body.id}`, {
    tracking: { number: '0035' },
  });
  const [{ data: found }] = await came('order.tracking_changed', 1);
  expect([found.fulfilment, found.id]).toEqual([tracked.body, sold]);
  expect(found.sequence).toBeGreaterThan(sequence);
});

it('of a ping name the webhook', async () => {
  const { shop, webhook, came } = await watchedShop();
  await shop.post(`/webhooks/${webhook.id}/ping`);
  expect(await came('ping', 1)).toMatchObject([{ data: { webhook_id: webhook.id } }]);
});

it("of a customer's new e-mail contain the old address, to be notified", async () => {
  const { shop, came } = await watchedShop();
  const ada = await registerCustomer(shop);
  const { email } = registration();
  await shop.patch('/customers/me', { email, current_password: PASSWORD }, withSession(ada.token));
  const [{ data }] = await came('customer.email_changed', 1);
  expect(data).toMatchObject({ customer_id: ada.id, name: ada.name, old_email: ada.email, new_email: email });
});
