/** What a tenant's servers read of customers: lists, exports; and erasure on their behalf. */

import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import {
  customerWithCart,
  PASSWORD,
  registerCustomer,
  withSession,
} from '../../support/fixtures/selling/customers.ts';
import { type World, world } from '../../support/world.ts';

const unique = () => crypto.randomUUID().slice(0, 8);

/** The names that a question finds, newest first. */
async function found(shop: World, q: string): Promise<string[]> {
  const { status, body } = await shop.get(`/customers?q=${encodeURIComponent(q)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map(({ name }: { name: string }) => name);
}

it('finds customers by the beginning of words of name and e-mail, without case and accents', async () => {
  const shop = await world();
  const email = `zoe-${unique()}@mail.example.org`;
  await registerCustomer(shop, { name: 'Zoë Müller', email });
  await registerCustomer(shop, { name: 'Łukasz Zobel' });
  await registerCustomer(shop, { name: '山田 花子' });
  expect(await found(shop, 'zo')).toEqual(['Łukasz Zobel', 'Zoë Müller']);
  expect(await found(shop, 'MULLER zoe')).toEqual(['Zoë Müller']);
  expect(await found(shop, 'lukasz')).toEqual(['Łukasz Zobel']);
  expect(await found(shop, '花子')).toEqual(['山田 花子']);
  expect(await found(shop, email.toUpperCase())).toEqual(['Zoë Müller']);
  expect(await found(shop, email.slice(0, 15))).toEqual(['Zoë Müller']);
  expect(await found(shop, 'mail.example')).toEqual(['Zoë Müller']);
  expect(await found(shop, 'zoe nobody')).toEqual([]);
  expect(await found(shop, '%_*"')).toEqual([]);
});

it('finds customers by a name in the letters of another keyboard', async () => {
  const shop = await world();
  for (const name of ['علي حسن', 'فاطمه']) await registerCustomer(shop, { name });
  expect(await found(shop, 'على')).toEqual(['علي حسن']);
  expect(await found(shop, 'حسن على')).toEqual(['علي حسن']);
  expect(await found(shop, 'فاطمة')).toEqual(['فاطمه']);
});

it('finds a customer by the new name and e-mail alone after a change, and nobody who is erased', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop, { name: 'Ada Byron' });
  const email = `countess-${unique()}@example.net`;
  const change = { name: 'Ada Lovelace', email, current_password: PASSWORD };
  expect((await shop.patch('/customers/me', change, withSession(ada.token))).status).toBe(200);
  expect([await found(shop, 'byron'), await found(shop, ada.email)]).toEqual([[], []]);
  expect([await found(shop, 'lovelace'), await found(shop, email)]).toEqual([
    ['Ada Lovelace'],
    ['Ada Lovelace'],
  ]);
  await shop.patch('/customers/me', { phone: '+49 30 1' }, withSession(ada.token));
  expect(await found(shop, 'lovelace')).toEqual(['Ada Lovelace']);
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  expect(await found(shop, 'ada')).toEqual([]);
  expect((await shop.get('/customers')).body.data).toEqual([]);
});

it('finds a customer by the name that the later of two changes wrote', async () => {
  const shop = await world();
  const path = `/customers/${(await registerCustomer(shop, { name: 'Grace Hopper' })).id}`;
  beforeBatch(/update "customers"/i, async () => {
    expect((await shop.patch(path, { name: 'Rear Admiral' })).status).toBe(200);
  });
  const changed = await shop.patch(path, { name: 'Grace Hopper', phone: '+1 202 555 0100' });
  expect([changed.status, changed.body.name]).toEqual([200, 'Grace Hopper']);
  expect(await found(shop, 'grace')).toEqual(['Grace Hopper']);
  expect(await found(shop, 'rear')).toEqual([]);
});

it('lists customers newest first, by page and by cursor, each once while others register', async () => {
  const shop = await world();
  for (let n = 0; n < 5; n++) await registerCustomer(shop, { name: `Shopper ${n}` });
  const first = (await shop.get('/customers?limit=2')).body;
  expect(first.meta).toMatchObject({ page: 1, limit: 2, total: 5, total_pages: 3 });
  await registerCustomer(shop, { name: 'Late' });
  const names = first.data.map(({ name }: { name: string }) => name);
  for (let cursor = first.meta.next_cursor; cursor; ) {
    const { data, meta } = (await shop.get(`/customers?limit=2&cursor=${cursor}`)).body;
    names.push(...data.map(({ name }: { name: string }) => name));
    cursor = meta.next_cursor;
  }
  expect(names).toEqual(['Shopper 4', 'Shopper 3', 'Shopper 2', 'Shopper 1', 'Shopper 0']);
  expect((await shop.get('/customers?limit=2&page=2')).body.data[0].name).toBe('Shopper 3');
});

it('lists those of the given ids that there are, also with words, and none of another tenant', async () => {
  const [shop, other] = await Promise.all([world(), world()]);
  const ada = (await registerCustomer(shop, { name: 'Ada' })).id;
  const grace = (await registerCustomer(shop, { name: 'Grace' })).id;
  await registerCustomer(shop, { name: 'Mila' });
  const listed = async (query: string, from = shop) =>
    (await from.get(`/customers?${query}`)).body.data.map(({ name }: { name: string }) => name);
  const ids = `ids=${ada},${grace},999999999`;
  expect(await listed(ids)).toEqual(['Grace', 'Ada']);
  expect(await listed(`${ids}&q=grace`)).toEqual(['Grace']);
  expect(await listed(ids, other)).toEqual([]);
});

it('refuses bad questions and names the parameter', async () => {
  const shop = await world();
  for (const [query, field] of [
    ['q=', 'q'],
    [`q=${'x'.repeat(255)}`, 'q'],
    ['q=%00', 'q'],
    ['ids=1,1', 'ids'],
    ['page=0', 'page'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
    ['name=Ada', 'name'],
  ]) {
    const refused = await shop.get(`/customers?${query}`);
    expectProblem(refused, 422, 'validation_error');
    expect(Object.keys(refused.body.errors)).toEqual([field]);
  }
});

it('keeps the customers of other tenants out of lists', async () => {
  const [shop, other] = [await world(), await world()];
  await registerCustomer(shop, { name: 'Ada' });
  expect((await other.get('/customers')).body).toMatchObject({ data: [], meta: { total: 0 } });
  expect(await found(other, 'ada')).toEqual([]);
});

it('searches through an index', async () => {
  const { results } = await env.DB.prepare(
    `EXPLAIN QUERY PLAN SELECT * FROM customers WHERE tenant_id = 1 AND erased_at IS NULL
      AND id IN (SELECT customer_id FROM customer_terms WHERE tenant_id = 1 AND term >= 'ada' AND term < 'adb' LIMIT 5)
      AND EXISTS (SELECT 1 FROM customer_terms WHERE tenant_id = 1 AND customer_id = customers.id AND term >= 'b' AND term < 'c')
      ORDER BY id DESC LIMIT 21`,
  ).all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail).join('; ');
  expect(plan).not.toContain('SCAN');
  expect(plan).toMatch(/customer_terms USING COVERING INDEX \S+ \(tenant_id=\? AND term>\? AND term<\?\)/);
});

it('sorts customers, and refuses the cursor of another sort', async () => {
  const shop = await world();
  for (const name of ['Ada', 'Bob', 'Cyd']) await registerCustomer(shop, { name });
  const names = async (query: string) => {
    const { data, meta } = (await shop.get(`/customers?limit=2&${query}`)).body;
    return { names: data.map(({ name }: { name: string }) => name), next: meta.next_cursor };
  };
  const first = await names('sort=oldest');
  expect(first.names).toEqual(['Ada', 'Bob']);
  expect((await names(`sort=oldest&cursor=${first.next}`)).names).toEqual(['Cyd']);
  expect((await names('')).names).toEqual(['Cyd', 'Bob']);
  for (const [query, field] of [
    [`cursor=${first.next}`, 'cursor'],
    ['sort=tallest', 'sort'],
  ]) {
    const refused = await shop.get(`/customers?${query}`);
    expect([refused.status, Object.keys(refused.body.errors)], query).toEqual([422, [field]]);
  }
});

it('lets a server correct name and phone, and read the addresses', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop, { name: 'Ada Lovelcae', phone: '+49 30 1234' });
  const path = `/customers/${ada.id}`;
  const change = { name: 'Ada Lovelace', phone: null, metadata: { crm: '7' } };
  const changed = await shop.patch(path, change);
  expect(changed.body).toMatchObject({ name: 'Ada Lovelace', metadata: { crm: '7' }, email: ada.email });
  expect(changed.body).not.toHaveProperty('phone');
  expect(await found(shop, 'lovelace')).toEqual(['Ada Lovelace']);
  expect(await found(shop, 'lovelcae')).toEqual([]);
  // The customer stays signed in.
  expect((await shop.get('/customers/me', withSession(ada.token))).body.name).toBe('Ada Lovelace');
  const home = { label: 'Home', country: 'DE', city: 'Berlin' };
  await shop.post('/customers/me/addresses', home, withSession(ada.token));
  expect((await shop.get(`${path}/addresses`)).body.data).toMatchObject([{ ...home, is_default: true }]);
  for (const [body, field] of [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(121) }, 'name'],
    [{ phone: 'call me' }, 'phone'],
    [{ email: 'a@example.com' }, 'email'],
  ] as const) {
    const refused = await shop.patch(path, body);
    expect([refused.status, JSON.stringify(refused.body.errors)]).toEqual([
      422,
      expect.stringContaining(field),
    ]);
  }
  const other = await world();
  expect((await other.get(`${path}/addresses`)).body.code).toBe('customer_not_found');
  expect((await other.patch(path, { name: 'Mine' })).body.code).toBe('customer_not_found');
});

it('changes the addresses of a customer on their behalf', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const path = `/customers/${ada.id}/addresses`;
  const first = await shop.post(path, { country: 'AT', city: 'Graz', label: 'Home' });
  expect([first.status, first.body.is_default]).toEqual([201, true]);
  const changed = await shop.patch(`${path}/${first.body.id}`, { city: 'Wien', label: null });
  expect([changed.status, changed.body.city, 'label' in changed.body]).toEqual([200, 'Wien', false]);
  const own = await shop.get('/customers/me/addresses', withSession(ada.token));
  expect(own.body.data).toEqual([changed.body]);
  const bob = await registerCustomer(shop);
  const foreign = await shop.patch(`/customers/${bob.id}/addresses/${first.body.id}`, { city: 'Rom' });
  expect([foreign.status, foreign.body.code]).toEqual([404, 'address_not_found']);
  expect((await shop.delete(`${path}/${first.body.id}`)).status).toBe(204);
  for (let n = 0; n < 20; n++) expect((await shop.post(path, { country: 'AT' })).status).toBe(201);
  const beyond = await shop.post(path, { country: 'AT' });
  expect([beyond.status, beyond.body.code]).toEqual([409, 'quota_exceeded']);
  const nobody = await shop.post('/customers/999999999/addresses', { country: 'AT' });
  expect([nobody.status, nobody.body.code]).toEqual([404, 'customer_not_found']);
});

it('lists the open carts of a customer without what gives access to them', async () => {
  const shop = await world();
  const ada = await customerWithCart(shop, { price: 7 }, 2);
  const { data } = (await shop.get(`/customers/${ada.id}/carts`)).body;
  expect(data).toMatchObject([{ total_quantity: 2, items: [{ product_id: ada.product.id }] }]);
  const text = JSON.stringify(data);
  for (const secret of [ada.cart, ada.email]) expect(text).not.toContain(secret);
  const path = `/customers/${ada.id}/carts/${data[0].id}`;
  expect((await shop.get(path)).body).toEqual(data[0]);
  const bob = await registerCustomer(shop);
  expect((await shop.get(`/customers/${bob.id}/carts/${data[0].id}`)).status).toBe(404);
  const { items } = (await shop.get(`/cart/${ada.cart}`)).body;
  await shop.delete(`/cart/items/${items[0].id}?cart_token=${ada.cart}`);
  expect((await shop.get(`/customers/${ada.id}/carts`)).body.data).toEqual([]);
  expect((await shop.get(path)).body.code).toBe('cart_not_found');
});

const thirtyKeys = (prefix: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${prefix}${n}`, 'x']));

it('holds metadata to 50 keys when two requests add some at once', async () => {
  const shop = await world();
  const { id } = await registerCustomer(shop);
  beforeBatch(/update "customers"/, async () => {
    expect((await shop.patch(`/customers/${id}`, { metadata: thirtyKeys('a') })).status).toBe(200);
  });
  const change = { metadata: thirtyKeys('b') };
  expectProblem(await shop.patch(`/customers/${id}`, change), 409, 'conflict');
  const refused = await shop.patch(`/customers/${id}`, change);
  expectProblem(refused, 422, 'validation_error');
  expect(Object.keys(refused.body.errors)).toEqual(['metadata']);
  expect((await shop.get(`/customers/${id}`)).body.metadata).toEqual(thirtyKeys('a'));
});

it('holds metadata to 50 keys beside a change of the name', async () => {
  const shop = await world();
  const { id } = await registerCustomer(shop);
  beforeBatch(/update "customers"/, async () => {
    expect((await shop.patch(`/customers/${id}`, { metadata: thirtyKeys('a') })).status).toBe(200);
  });
  const change = { name: 'Grace', metadata: thirtyKeys('b') };
  expectProblem(await shop.patch(`/customers/${id}`, change), 409, 'conflict');
  expectProblem(await shop.patch(`/customers/${id}`, change), 422, 'validation_error');
});
