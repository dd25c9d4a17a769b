import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill } from '../../support/fixtures/browser.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { registerCustomer } from '../../support/fixtures/selling/customers.ts';
import { emitEvent, untilNewestIs } from '../../support/fixtures/webhooks.ts';
import { type World, world } from '../../support/world.ts';
import { shopWithWebhook } from '../../webhooks/delivery/shop-with-webhook.ts';

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

it('registers a webhook with a description and ordered delivery once, and changes it', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const form = {
    ...fieldsOf((await developer.get(NEW)).html, NEW),
    url: URL,
    description: 'Paid orders',
    events: ['order.paid', 'product.updated'],
    ordered: 'true',
  };
  for (const _ of [1, 2]) expect((await developer.post(NEW, form)).html).toContain('Signing secret');
  const read = async () => (await shop.get('/webhooks')).body.data;
  const [hook, ...others] = await read();
  expect(others).toEqual([]);
  expect(hook).toMatchObject({
    description: 'Paid orders',
    events: ['order.paid', 'product.updated'],
    ordered: true,
    filter: null,
  });
  const here = `/developer/webhooks/${hook.id}/edit`;
  await fill(developer, here, here, { description: '', events: ['order.paid'] });
  expect(await read()).toMatchObject([{ description: null, events: ['order.paid'], ordered: true }]);
});

it('says in words why a delivery failed', async () => {
  const { shop, receiver, webhook } = await shopWithWebhook();
  receiver.respond = () => Promise.reject(new TypeError('refused'));
  await emitEvent(shop);
  await untilNewestIs(shop, webhook.id, 'failed');
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(`/developer/webhooks/${webhook.id}`);
  expect(html.match(/no connection/g)).toHaveLength(2);
  expect(html).not.toContain('no_connection');
  const [, delivery = ''] = /href="([^"]+\/deliveries\/\d+)"/.exec(html) ?? [];
  const one = await developer.get(delivery);
  expect(one.html).toContain('Attempt 1: no connection');
  expect(one.html).not.toContain('The response had no body');
});

it('leads back from a filter that no delivery matches', async () => {
  const { shop, webhook } = await shopWithWebhook();
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/webhooks/${webhook.id}`;
  expect((await developer.get(`${here}?status=dead`)).html).toContain(
    `<a href="${here}">Show all deliveries</a>`,
  );
});

it('filters deliveries by event and status, also on the pages that follow', async () => {
  const { shop, receiver, webhook } = await shopWithWebhook();
  await emitEvent(shop);
  await untilNewestIs(shop, webhook.id, 'delivered');
  receiver.respond = () => new Response(null, { status: 500 });
  for (let count = 0; count < 9; count++) await shop.post(`/webhooks/${webhook.id}/ping`);
  await untilNewestIs(shop, webhook.id, 'failed');
  const developer = await asDeveloper(shop.slug);
  const log = async (query: string) => {
    const { html } = await developer.get(`/developer/webhooks/${webhook.id}${query}`);
    const names = html.matchAll(/deliveries\/\d+" aria-label="([\w.]+) evt_\w+"/g);
    return { html, events: [...names].map(([, event]) => event) };
  };
  expect((await log('?event=stock.changed')).events).toEqual(['stock.changed']);
  expect((await log('?event=ping&status=delivered')).events).toEqual([]);
  const pings = await log('?event=ping&status=');
  expect(pings.events).toEqual(Array(8).fill('ping'));
  expect(pings.html).toMatch(/<option value="ping" selected/);
  const [, next = ''] = /href="[^"?]*(\?page=2[^"]*)"/.exec(pings.html) ?? [];
  expect((await log(next.replaceAll('&amp;', '&'))).events).toEqual(['ping']);
});

it('says that a plan has no webhooks, and offers none', async () => {
  const shop = await world({ plan: 'starter' });
  const developer = await asDeveloper(shop.slug);
  const { status, html } = await developer.get('/developer/webhooks');
  expect(status).toBe(200);
  expect(html).toContain('Your plan has no webhooks');
  expect(html).not.toContain(NEW);
});

/** A webhook, and the functions that open and submit the page of one of its conditions. */
async function hookWith(shop: World, body: object) {
  const developer = await asDeveloper(shop.slug);
  const { id } = (await shop.post('/webhooks', { url: URL, ...body })).body;
  const pathOf = (key: string) => `/developer/webhooks/${id}/conditions/${key}`;
  return {
    developer,
    here: `/developer/webhooks/${id}`,
    open: (key: string) => developer.get(pathOf(key)),
    save: (key: string, fields: Parameters<typeof fill>[3]) =>
      fill(developer, pathOf(key), pathOf(key), fields),
    filter: async () => (await shop.get('/webhooks')).body.data[0].filter,
  };
}

it('sets conditions one by one, shows them by name, and takes them out', async () => {
  const shop = await world();
  const product = (await shop.post('/products', { name: 'Field map', type: 'simple', price: 5 })).body;
  const category = (await shop.post('/categories', { name: 'Maps' })).body;
  const events = ['order.paid', 'product.updated', 'category.updated'];
  const hook = await hookWith(shop, { events });
  await hook.save('sku', { texts: 'A-1\nB, 2' });
  await hook.save('product_id', { ids: String(product.id) });
  await hook.save('category_id', { ids: String(category.id) });
  await hook.save('parent_id', { ids: String(category.id) });
  await hook.save('customer_id', { ids: '5' });
  expect(await hook.filter()).toEqual({
    sku: ['A-1', 'B, 2'],
    product_id: [product.id],
    customer_id: [5],
    category_id: [category.id],
    parent_id: [category.id],
  });
  expect((await hook.open('product_id')).html).toMatch(/value="\d+" checked[^>]*><span>Field map/);
  // Who is gone, or was never there, keeps their place and can be taken out.
  expect((await hook.open('customer_id')).html).toContain('Customer 5');
  const shown = (await hook.developer.get(hook.here)).html;
  expect(shown).toContain('A-1, B, 2');
  for (const key of ['product_id', 'category_id', 'parent_id', 'customer_id'])
    await hook.save(key, { ids: [] });
  expect(await hook.filter()).toEqual({ sku: ['A-1', 'B, 2'] });
  await hook.save('sku', { texts: '' });
  expect(await hook.filter()).toBeNull();
});

it('finds variants by SKU and customers by e-mail without JavaScript', async () => {
  const shop = await world();
  const variants = ['S', 'M'].map((Size) => ({ sku: `TEE-${Size}`, price: 5, attributes: { Size } }));
  const [tee, ada] = await Promise.all([
    createProduct(shop, { name: 'Tee', type: 'configurable', variants }),
    registerCustomer(shop, { name: 'Ada' }),
    registerCustomer(shop, { name: 'Grace' }),
  ]);
  const medium = tee.body.variants[1];
  const hook = await hookWith(shop, { events: ['stock.changed', 'order.paid'] });
  const found = await hook.save('variant_id', { '_q.ids': 'tee-m', _find: 'ids' });
  expect(found.html).toContain(`name="ids" value="${medium.id}"/><span>TEE-M<small> Tee, M</small>`);
  expect(found.html).toContain('name="_q.ids" value="tee-m"');
  expect(found.html).not.toContain('TEE-S');
  expect((await hook.save('variant_id', { '_q.ids': 'shirt', _find: 'ids' })).html).toContain(
    'No variant matches “shirt”.',
  );
  const people = await hook.save('customer_id', { '_q.ids': ada.email, _find: 'ids' });
  expect(people.html).toContain(`${ada.email}<small> Ada</small>`);
  expect(people.html).not.toContain('Grace');
  await hook.save('variant_id', { ids: String(medium.id) });
  await hook.save('customer_id', { ids: String(ada.id) });
  expect(await hook.filter()).toEqual({ variant_id: [medium.id], customer_id: [ada.id] });
  const { html } = await hook.open('variant_id');
  expect(html).toContain(`value="${medium.id}" checked=""/><span>TEE-M<small> Tee, M</small>`);
  expect(html).not.toContain('TEE-S');
  expect((await hook.open('customer_id')).html).toContain(
    `value="${ada.id}" checked=""/><span>${ada.email}<small> Ada</small>`,
  );
});

it('has a condition for each field of the webhook’s events, and says what is wrong with its values', async () => {
  const shop = await world();
  const hook = await hookWith(shop, { events: ['order.paid'], filter: { status: ['paid'] } });
  expect([(await hook.open('changed')).status, (await hook.open('status')).status]).toEqual([404, 200]);
  const bad = await hook.save('customer_id', { ids: 'seven' });
  expect([bad.status, bad.html.includes('id="f-ids-error"')]).toEqual([422, true]);
  const long = await hook.save('status', { texts: 'x'.repeat(256) });
  expect([long.status, long.html.includes('id="f-texts-error"')]).toEqual([422, true]);
  // Each is said by the name of the field that the form has.
  expect([bad.html.includes('Texts: '), long.html.includes('Ids: ')]).toEqual([false, false]);
  const edit = `${hook.here}/edit`;
  const events = await fill(hook.developer, edit, edit, { events: ['category.updated'] });
  expect([events.status, events.html.includes('id="f-events-error"')]).toEqual([422, true]);
  expect(events.html).toContain('Remove it first');
  expect(await hook.filter()).toEqual({ status: ['paid'] });
});

it('asks where two people have changed the same condition, and keeps what only the other changed', async () => {
  const shop = await world();
  const hook = await hookWith(shop, { events: ['stock.changed'], filter: { sku: ['A'], reason: ['sale'] } });
  const page = `${hook.here}/conditions/sku`;
  const mine = fieldsOf((await hook.open('sku')).html, page);
  const unchanged = fieldsOf((await hook.open('sku')).html, page);
  await hook.save('sku', { texts: 'A\nB' });
  await hook.developer.post(page, unchanged);
  expect(await hook.filter()).toEqual({ sku: ['A', 'B'], reason: ['sale'] });
  const asked = await hook.developer.post(page, { ...mine, texts: 'C' });
  expect([asked.status, asked.html.includes('A, B')]).toEqual([409, true]);
  expect(await hook.filter()).toEqual({ sku: ['A', 'B'], reason: ['sale'] });
  const [, choice = ''] = /name="_resolve" value="(mine[^"]*)"/.exec(asked.html) ?? [];
  await hook.developer.post(page, { ...fieldsOf(asked.html, page), _resolve: choice });
  expect(await hook.filter()).toEqual({ sku: ['C'], reason: ['sale'] });
});

it('says when a time range has no events to replay', async () => {
  const shop = await world();
  const { developer, here } = await hookWith(shop, { events: ['order.paid'] });
  await shop.post(`${here.replace('/developer', '')}/ping`);
  const replay = (from: string, to: string) =>
    fill(developer, `${here}/replay`, `${here}/replay`, { from, to });
  const none = await replay('2020-01-01T00:00', '2020-12-31T23:59');
  expect([none.status, none.html.includes('id="f-from-error"')]).toEqual([422, true]);
  expect(none.html).toContain('No event of this time range is stored');
  const some = await replay('2020-01-01T00:00', '2099-12-31T23:59');
  expect(some.html).toContain('Sent again.');
});
