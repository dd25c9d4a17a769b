import { expect, it } from 'vitest';
import { ApiError, isApiError, type Session } from '../../client/src/index.ts';
import { gif, jpeg, png } from '../media/images.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { sandboxShop } from '../support/fixtures/selling/checkout.ts';
import { type World, world } from '../support/world.ts';
import { clientWith, recorded, worker } from './calls.ts';

const ADA = { email: 'ada@example.com', password: 'correct horse' };

async function goods(shop: World, count: number): Promise<number[]> {
  const made = Array.from({ length: count }, (_, at) =>
    stockedProduct(shop, { name: `Mug ${at}`, sku: `MUG-${at}` }),
  );
  return (await Promise.all(made)).map(({ body }) => body.id);
}

/** The error that a call fails with. */
async function failure(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

it('lists page by page, and iterates over all pages', async () => {
  const shop = await world();
  const ids = await goods(shop, 5);
  const { fetch, sent } = recorded();
  const client = clientWith(shop.token, { fetch });
  const page = await client.products.list({ limit: 2, sort: 'name_asc' });
  expect(page.data.map(({ name }) => name)).toEqual(['Mug 0', 'Mug 1']);
  expect(page.meta.total).toBe(5);
  const seen: number[] = [];
  for await (const { id } of client.products.each({ limit: 2 })) seen.push(id);
  expect(seen.sort()).toEqual(ids.sort());
  expect(sent).toHaveLength(1 + 3);
  const all: number[] = [];
  for await (const { id } of client.products.list.each()) all.push(id);
  expect([all.length, sent.length]).toEqual([5, 5]);
  for await (const _ of client.webhooks.each()) throw new Error('there are none');
});

it('sends arrays as comma lists, with the values of facets as they are', async () => {
  const shop = await world();
  const [first = 0, second = 0] = await goods(shop, 2);
  await stockedProduct(shop, { name: 'Pot', sku: 'POT', vendor: 'Smith, Jones' });
  const client = clientWith(shop.token);
  const both = await client.products.list({ ids: [second, first], include: ['variants', 'categories'] });
  expect(both.data.map(({ id }) => id)).toEqual([second, first]);
  const { meta } = await client.products.list({ facets: ['vendor', 'price'] });
  const [vendor = ''] = meta.facets?.vendor?.map(({ value }) => value) ?? [];
  const found = await client.products.list({ vendor: [vendor, 'Nobody'], attr: {} });
  expect(found.data.map(({ name }) => name)).toEqual(['Pot']);
});

it('keeps the cart over calls, and one cart for two first additions at once', async () => {
  const shop = await world();
  const [mug = 0] = await goods(shop, 1);
  const sessions: Session[] = [];
  const client = clientWith(shop.token, { onSession: (session) => sessions.push(session) });
  await Promise.all([1, 2].map((quantity) => client.cart.addItem({ product_id: mug, quantity })));
  const cart = await client.cart.get();
  expect(cart.items.map(({ quantity }) => quantity)).toEqual([3]);
  expect(sessions).toEqual([{ cartToken: cart.cart_token, customerToken: null }]);
  const [line] = cart.items;
  const changed = await client.cart.updateItem({ id: line?.id ?? 0, quantity: 5 });
  expect(changed.totals.subtotal).toBe(5 * (line?.unit_price ?? 0));
  expect((await client.cart.removeItem({ id: line?.id ?? 0 })).items).toEqual([]);
  const again = clientWith(shop.token, { session: client.session });
  expect((await again.cart.get()).cart_token).toBe(cart.cart_token);
  expect((await again.cart.get({ cart_token: undefined })).cart_token).toBe(cart.cart_token);
});

it('changes a cart only as it was seen, when asked to', async () => {
  const shop = await world();
  const [mug = 0] = await goods(shop, 1);
  const client = clientWith(shop.token);
  const first = await client.cart.addItem({ product_id: mug, quantity: 1 });
  const tab = clientWith(shop.token, { session: client.session });
  const second = await tab.cart.addItem({ product_id: mug, quantity: 1 });
  const add = { product_id: mug, quantity: 1 };
  expect((await failure(client.cart.addItem(add, { ifMatch: true }))).code).toBe('precondition_failed');
  await expect(tab.cart.addItem(add, { ifMatch: first })).rejects.toThrow('has not read this object');
  expect((await tab.cart.addItem(add, { ifMatch: second })).items[0]?.quantity).toBe(3);
  expect((await failure(client.cart.addItem(add, { ifMatch: first }))).code).toBe('precondition_failed');
  await client.cart.get();
  expect((await client.cart.addItem(add, { ifMatch: true })).items[0]?.quantity).toBe(4);
});

it('reads what it wrote: later reads carry the catalogue version of its writes', async () => {
  const shop = await world();
  const { fetch, sent } = recorded();
  const client = clientWith(shop.token, { fetch });
  await client.products.list();
  const { id } = await client.products.create({ name: 'Mug', type: 'simple', price: 5, stock: 1 });
  const mug = await client.products.get({ id });
  expect(mug.name).toBe('Mug');
  await client.products.update({ id, price: 6 }, { ifMatch: mug });
  expect((await client.products.get({ id })).price).toBe(6);
  const versions = sent.map(({ headers }) => Number(headers.get('x-catalog-version')));
  expect(versions[0]).toBe(0);
  expect(versions[2]).toBeGreaterThan(0);
  expect(versions[4]).toBeGreaterThan(versions[2] ?? 0);
  expect(await client.products.delete({ id })).toBeUndefined();
  expect((await failure(client.products.get({ id }))).code).toBe('product_not_found');
});

it('distinguishes errors by code, with their details', async () => {
  const shop = await world();
  const { body: mug } = await stockedProduct(shop, { stock: 2 });
  const client = clientWith(shop.token);
  const error = await failure(client.cart.addItem({ product_id: mug.id, quantity: 3 }));
  expect(error.is('cart_locked', 'insufficient_stock')).toBe(true);
  expect(error.is('cart_locked')).toBe(false);
  if (!isApiError(error, 'insufficient_stock')) throw error;
  expect([error.status, error.details?.available, error.details?.requested]).toEqual([409, 2, 3]);
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  const invalid = await failure(client.products.list({ limit: 1000 }));
  expect([invalid.code, Object.keys(invalid.errors)]).toEqual(['validation_error', ['limit']]);
  expect((await failure(clientWith('nonsense').products.list())).code).toBe('unauthorized');
  expect((await failure(client.customers.getCurrent())).code).toBe('invalid_customer_token');
});

it('signs a shopper in and out, with the cart', async () => {
  const shop = await sandboxShop();
  const { body: mug } = await stockedProduct(shop);
  const { token } = await shop.register({ kind: 'storefront' });
  const client = clientWith(token);
  await client.customers.register({ name: 'Ada', ...ADA });
  await client.customers.logout();
  expect(client.session).toEqual({ cartToken: null, customerToken: null });
  const guest = await client.cart.addItem({ product_id: mug.id, quantity: 1 });
  await client.customers.login(ADA);
  expect(client.session.cartToken).toBe(guest.cart_token);
  expect((await client.customers.getCurrent()).name).toBe('Ada');
  client.setSession({ cartToken: null });
  await client.cart.addItem({ product_id: mug.id, quantity: 2 });
  const bound = await client.customers.assignCart();
  expect(bound.cart_token).toBe(client.session.cartToken);
  const { redirect_url } = await client.checkout.start({ return_url: 'https://shop.example.com/thanks' });
  expect(redirect_url).toContain('/checkout/');
  for await (const _ of client.customers.listOrders.each()) throw new Error('nothing is ordered');
  await client.customers.eraseCurrent();
  expect(client.session.customerToken).toBeNull();
});

it("keeps the shopper's cart when a forgotten password is reset", async () => {
  const shop = await world();
  const [mug = 0] = await goods(shop, 1);
  await clientWith(shop.token).customers.register({ name: 'Ada', ...ADA });
  const client = clientWith(shop.token);
  const cart = await client.cart.addItem({ product_id: mug, quantity: 1 });
  const { token } = await client.customers.createPasswordReset({ email: ADA.email });
  await client.customers.resetPassword({ token, password: 'another password' });
  expect(client.session.cartToken).toBe(cart.cart_token);
  expect((await client.cart.get()).total_quantity).toBe(1);
});

it('forgets a cart and a session that are gone', async () => {
  const shop = await world();
  const [mug = 0] = await goods(shop, 1);
  const client = clientWith(shop.token, { session: { cartToken: 'ct_gone', customerToken: 'cs_gone' } });
  expect((await failure(client.customers.getCurrent())).code).toBe('invalid_customer_token');
  expect((await failure(client.cart.addItem({ product_id: mug, quantity: 1 }))).code).toBe('cart_not_found');
  expect(client.session).toEqual({ cartToken: null, customerToken: null });
  await client.cart.addItem({ product_id: mug, quantity: 1 });
  expect(client.session.cartToken).toMatch(/^ct_/);
});

it("signs a shopper in although the browser's cart is gone, or another customer's", async () => {
  const shop = await world();
  const [mug = 0] = await goods(shop, 1);
  const stale = () => clientWith(shop.token, { session: { cartToken: 'ct_gone' } });
  const ada = stale();
  await ada.customers.register({ name: 'Ada', ...ADA });
  expect(ada.session).toEqual({ cartToken: null, customerToken: expect.stringMatching(/^cs_/) });
  const own = await ada.cart.addItem({ product_id: mug, quantity: 1 });
  await ada.customers.assignCart();
  const back = stale();
  expect((await back.customers.login(ADA, { idempotencyKey: 'login-1' })).cart_token).toBe(own.cart_token);
  const bob = { name: 'Bob', email: 'bob@example.com', password: 'correct horse' };
  const next = clientWith(shop.token, { session: { cartToken: own.cart_token } });
  expect((await next.customers.register(bob)).customer.name).toBe('Bob');
  expect(next.session.cartToken).toBeNull();
  const named = failure(next.customers.login({ ...ADA, cart_token: 'ct_gone' }));
  expect((await named).code).toBe('cart_not_found');
});

it('leaves the session alone when a call names another cart', async () => {
  const shop = await world();
  const [mug = 0] = await goods(shop, 1);
  const client = clientWith(shop.token);
  const own = await client.cart.addItem({ product_id: mug, quantity: 1 });
  const { cart_token } = await clientWith(shop.token).cart.addItem({ product_id: mug, quantity: 2 });
  expect((await client.cart.get({ cart_token })).items[0]?.quantity).toBe(2);
  expect((await failure(client.cart.get({ cart_token: 'ct_gone' }))).code).toBe('cart_not_found');
  expect(client.session.cartToken).toBe(own.cart_token);
  expect((await client.cart.create()).cart_token).toBe(client.session.cartToken);
  expect(client.session.cartToken).not.toBe(own.cart_token);
});

it('does not take back a cart that was left before the response came', async () => {
  const shop = await world();
  const [mug = 0] = await goods(shop, 1);
  const late = Promise.withResolvers<void>();
  const client = clientWith(shop.token, {
    fetch: async (url, init) => {
      const response = await worker(url, init);
      if (init.method === 'GET') await late.promise;
      return response;
    },
  });
  const { cart_token } = await client.cart.addItem({ product_id: mug, quantity: 1 });
  const read = client.cart.get();
  client.setSession({ cartToken: null });
  late.resolve();
  expect((await read).cart_token).toBe(cart_token);
  expect(client.session.cartToken).toBeNull();
});

it('uploads an import with its query', async () => {
  const shop = await world();
  const client = clientWith(shop.token);
  const body = 'Handle,Title,Variant Price\nmug,Mug,5\n';
  const { id } = await client.imports.create({ body, stock: 'set' });
  expect((await client.imports.get({ id })).id).toBe(id);
});

it('uploads images as the formats that they are', async () => {
  const shop = await world();
  const client = clientWith(shop.token);
  for (const [type, bytes] of [
    ['image/png', png(40, 30)],
    ['image/gif', gif(40, 30)],
    ['image/jpeg', jpeg(40, 30)],
  ] as const) {
    const media = await client.media.create({ body: new Blob([bytes], { type }) });
    expect([media.content_type, media.width]).toEqual([type, 40]);
  }
  const csv = new Blob(['Handle,Title,Variant Price\nmug,Mug,5\n'], { type: 'application/vnd.ms-excel' });
  const { id } = await client.imports.create({ body: csv, dry_run: true });
  expect(id).toMatch(/^imp_/);
});

it('refuses a path parameter that is missing or leads elsewhere', async () => {
  const client = clientWith('none');
  await expect(client.cart.get()).rejects.toThrow('needs "cart_token"');
  await expect(client.checkout.getSession({ id: '..' })).rejects.toThrow('needs "id"');
});
