import { expect, it } from 'vitest';
import { asDeveloper, fieldsOfForm } from '../../support/fixtures/browser.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { registerCustomer } from '../../support/fixtures/selling/customers.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { world } from '../../support/world.ts';

/** The search of the panel's side bar. */

it('finds orders, products and customers at once, archived and inactive ones too', async () => {
  const shop = await world();
  const cup = (await createProduct(shop, { name: 'Ada mug', stock: 9, status: 'inactive' })).body;
  const ada = await registerCustomer(shop, { name: 'Ada Lovelace' });
  const buyer = { customerId: ada.id, name: 'Ada <b>', email: ada.email, phone: null };
  const { id } = (await placedOrder(shop, cup.id, { customer: buyer })).row;
  await shop.patch(`/orders/${id}`, { archived: true });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer/search?q=+ada+');
  for (const path of [`orders/${id}`, `products/${cup.id}`, `customers/${ada.id}`])
    expect(html).toContain(`href="/developer/${path}"`);
  expect(html).toContain('3 found for <q>ada</q>');
  expect(html).toContain('Ada &lt;b&gt;');
  const none = await developer.get(`/developer/search?q=${encodeURIComponent('<script>')}`);
  expect(none.html).toContain('Nothing was found for <q>&lt;script&gt;</q>');
  expect((await developer.get(`/developer/search?q=${'x'.repeat(300)}`)).status).toBe(200);
});

it('shows the first of each kind, with a link to all', async () => {
  const shop = await world();
  for (let n = 0; n < 6; n++) await createProduct(shop, { name: `Vase ${n}` });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer/search?q=vase');
  expect(html.match(/\/developer\/products\/\d+"/g)).toHaveLength(5);
  expect(html).toContain('href="/developer/products?q=vase">Show all 6 products<');
  expect(html).not.toContain('<h2>Orders</h2>');
});

it('says what can be searched for, and finds nothing of another shop', async () => {
  await createProduct(await world(), { name: 'Vase' });
  const developer = await asDeveloper((await world()).slug);
  expect((await developer.get('/developer/search')).html).toContain('Search for an order by number');
  expect((await developer.get('/developer/search?q=vase')).html).toContain('Nothing was found');
  expect((await developer.get('/developer')).html).toContain('action="/developer/search"');
});

it('shows the status of a pending and of a cancelled order, as the list of orders does', async () => {
  const shop = await world();
  const cup = (await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 9 })).body;
  const { id } = (await placedOrder(shop, cup.id)).row;
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get('/developer/search?q=cup')).html).toContain('>pending<');
  await shop.post(`/orders/${id}/cancel`);
  expect((await developer.get('/developer/search?q=cup')).html).toContain('>cancelled<');
});

it('keeps what was searched for in a field of its page', async () => {
  const developer = await asDeveloper((await world()).slug);
  for (const [query, q] of [
    ['', ''],
    ['?q=+vase+', 'vase'],
  ]) {
    const { html } = await developer.get(`/developer/search${query}`);
    const [, main = ''] = html.split('<main');
    expect(fieldsOfForm(main, 'action="/developer/search"'), query).toEqual({ q });
  }
});
