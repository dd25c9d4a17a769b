import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill } from '../support/fixtures/browser.ts';
import { world } from '../support/world.ts';

const NEW = '/developer/new-webhook';
const URL = 'https://shop.example.com/hooks';

it('asks for an event in words when none is ticked, and keeps what was typed', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const got = await fill(developer, NEW, NEW, { url: URL, description: 'Stock', ordered: 'true' });
  expect(got.status).toBe(422);
  expect(got.html).toContain('Choose at least one event');
  expect(got.html).not.toContain('Too small');
  expect(got.html).toContain('href="#f-events"');
  expect(fieldsOf(got.html, NEW)).toMatchObject({ url: URL, description: 'Stock', ordered: 'true' });
  expect((await shop.get('/webhooks')).body.data).toEqual([]);
});

it('registers a webhook with a description, conditions and ordered delivery, and changes them', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const product = (await shop.post('/products', { name: 'Field map', type: 'simple', price: 5 })).body;
  const category = (await shop.post('/categories', { name: 'Maps' })).body;
  await fill(developer, NEW, NEW, {
    ...{ url: URL, description: 'Paid orders', events: ['order.paid', 'product.updated'], ordered: 'true' },
    ...{ _list: 'filter', 'filter.0.key': 'sku', 'filter.0.values': 'A-1\nB, 2' },
    ...{ product_ids: String(product.id), category_ids: String(category.id) },
    ...{ 'filter.2.key': 'status', 'filter.2.values': ' ' },
  });
  const read = async () => (await shop.get('/webhooks')).body.data;
  const [hook] = await read();
  expect(hook).toMatchObject({
    ...{ description: 'Paid orders', events: ['order.paid', 'product.updated'], ordered: true },
    filter: { sku: ['A-1', 'B, 2'], product_id: [product.id], category_id: [category.id] },
  });
  const here = `/developer/webhooks/${hook.id}/edit`;
  expect((await developer.get(here)).html).toMatch(/value="\d+" checked[^>]*><span>Field map/);
  const typed = { parent_ids: String(category.id), variant_ids: '7, 8', customer_ids: '5' };
  const events = ['order.paid', 'product.updated', 'category.updated', 'stock.changed'];
  await fill(developer, here, here, { ...typed, events });
  expect((await read())[0].filter).toMatchObject({
    ...{ parent_id: [category.id], variant_id: [7, 8], customer_id: [5], product_id: [product.id] },
  });
  expect(fieldsOf((await developer.get(here)).html, here)).toMatchObject({
    ...{ variant_ids: '7, 8', customer_ids: '5' },
  });
  const empty = {
    ...{ parent_ids: [], variant_ids: '', customer_ids: '' },
    'filter.0.values': '',
    product_ids: [],
    category_ids: [],
    description: '',
  };
  await fill(developer, here, here, empty);
  expect(await read()).toMatchObject([{ filter: null, description: null, ordered: true }]);
});

it('says at the conditions what is wrong with them', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const condition = { 'filter.0.key': 'changed', 'filter.0.values': 'price' };
  const got = await fill(developer, NEW, NEW, {
    ...{ url: URL, events: 'order.paid', _list: 'filter', ...condition },
  });
  expect([got.status, got.html.includes('id="f-filter-error"')]).toEqual([422, true]);
  expect(got.html).toContain('has no key &quot;changed&quot; for these events');
  expect(fieldsOf(got.html, NEW)).toMatchObject(condition);
});

it('says at a field of ids that it takes ids', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const got = await fill(developer, NEW, NEW, { url: URL, events: 'order.paid', customer_ids: '5, seven' });
  expect([got.status, got.html.includes('id="f-customer_ids-error"')]).toEqual([422, true]);
  expect(got.html).toContain('must be ids: whole numbers from 1');
  expect(fieldsOf(got.html, NEW)).toMatchObject({ customer_ids: '5, seven' });
});
