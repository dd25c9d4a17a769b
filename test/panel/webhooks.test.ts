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
  await fill(developer, NEW, NEW, {
    ...{ url: URL, description: 'Paid orders', events: ['order.paid', 'stock.changed'], ordered: 'true' },
    ...{ _list: 'filter', 'filter.0.key': 'sku', 'filter.0.values': 'A-1\nB, 2' },
    ...{ 'filter.1.key': 'product_id', 'filter.1.values': '7' },
    ...{ 'filter.2.key': 'status', 'filter.2.values': ' ' },
  });
  const read = async () => (await shop.get('/webhooks')).body.data;
  const [hook] = await read();
  expect(hook).toMatchObject({
    ...{ description: 'Paid orders', events: ['order.paid', 'stock.changed'], ordered: true },
    filter: { sku: ['A-1', 'B, 2'], product_id: [7] },
  });
  const here = `/developer/webhooks/${hook.id}/edit`;
  await fill(developer, here, here, { 'filter.0.values': '', 'filter.1.values': '', description: '' });
  expect(await read()).toMatchObject([{ filter: null, description: null, ordered: true }]);
});

it.each([
  ['changed', 'price', 'has no key &quot;changed&quot; for these events'],
  ['product_id', 'seven', 'Product id must be 1 to 100 ids'],
])('says at the conditions what is wrong with %s: %s', async (key, value, words) => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const got = await fill(developer, NEW, NEW, {
    ...{ url: URL, events: 'order.paid', _list: 'filter', 'filter.0.key': key, 'filter.0.values': value },
  });
  expect([got.status, got.html.includes('id="f-filter-error"')]).toEqual([422, true]);
  expect(got.html).toContain(words);
  expect(fieldsOf(got.html, NEW)).toMatchObject({ 'filter.0.key': key, 'filter.0.values': value });
});
