import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { markPaid } from '../../../../src/orders/index.ts';
import { asDeveloper, fieldsOfForm } from '../../../support/fixtures/browser.ts';
import { createProduct } from '../../../support/fixtures/catalog/products.ts';
import { copyOrders, placedOrder } from '../../../support/fixtures/selling/orders.ts';
import { contextOf, databaseOf } from '../../../support/runtime/runtime.ts';
import { world } from '../../../support/world.ts';

/** A shop with a paid order of Ada's and a tagged one of Bob's, a year later, and a developer of it. */
async function twoOrders() {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 99 })).body;
  const person = (name: string) => ({
    customer: { customerId: null, phone: null, name, email: `${name.toLowerCase()}@example.com` },
  });
  const ada = (await placedOrder(shop, cup, person('Ada'))).row.id;
  const bob = (await placedOrder(shop, cup, person('Bob'))).row.id;
  await markPaid(contextOf(shop), ada, { provider: 'sandbox', reference: 'a' });
  await shop.patch(`/orders/${bob}`, { tags: ['VIP guest'] });
  const dated = (id: string, day: string) =>
    databaseOf(shop).run(
      sql`UPDATE orders SET created_at = ${Date.parse(`${day}T12:00:00Z`)} WHERE id = ${id}`,
    );
  await dated(ada, '2026-03-01');
  await dated(bob, '2027-03-01');
  const developer = await asDeveloper(shop.slug);
  const found = async (query: string) => {
    const { status, html } = await developer.get(`/developer/orders?${query}`);
    expect(status, html).toBe(200);
    return [...html.matchAll(/orders\/(ord_\w+)"/g)].map(([, id]) => (id === ada ? 'ada' : 'bob'));
  };
  return { shop, developer, found };
}

it('searches, filters and sorts orders', async () => {
  const { found } = await twoOrders();
  for (const [query, expected] of [
    ['', ['bob', 'ada']],
    ['q=ada%40example.com', ['ada']],
    ['q=1002', ['bob']],
    ['q=++', ['bob', 'ada']],
    ['payment_status=paid', ['ada']],
    ['fulfilment_status=unfulfilled&payment_status=paid', ['ada']],
    ['status=pending', ['bob']],
    ['tag=VIP+guest', ['bob']],
    ['from=2026-03-01&to=2026-03-01', ['ada']],
    ['from=2026-03-02', ['bob']],
    ['to=2027-02-28', ['ada']],
    ['from=0001-01-01&to=9999-12-31', ['bob', 'ada']],
    ['sort=oldest', ['ada', 'bob']],
    ['status=&tag=&from=&q=bob', ['bob']],
  ] as const) {
    expect(await found(query), query).toEqual(expected);
  }
});

it('keeps the filters, marks the view that they make, and clears them', async () => {
  const { developer } = await twoOrders();
  const query = 'status=paid&payment_status=paid%2Cpartially_refunded&fulfilment_status=unfulfilled';
  const { html } = await developer.get(`/developer/orders?${query}&sort=total_asc`);
  expect(html).toContain(`?${query.replaceAll('&', '&amp;')}" aria-current="page">To fulfil<`);
  expect(fieldsOfForm(html, 'action="/developer/orders"')).toMatchObject({
    payment_status: 'paid,partially_refunded',
    status: 'paid',
    fulfilment_status: 'unfulfilled',
    sort: 'total_asc',
    tag: '',
    from: '',
  });
  expect((await developer.get('/developer/orders?tag=none')).html).toContain('Show all orders');
});

it('says that the days of its filter are in UTC', async () => {
  const { developer } = await twoOrders();
  const { html } = await developer.get('/developer/orders');
  expect(html).toMatch(/From \(UTC\)\s*<input name="from"/);
  expect(html).toMatch(/Until \(UTC\)\s*<input name="to"/);
});

it.each([
  ['from=yesterday', 'from'],
  ['to=2026-02-30', 'to'],
  [`tag=${'x'.repeat(65)}`, 'tag'],
  [`q=${'x'.repeat(256)}`, 'q'],
  ['sort=cheapest', 'sort'],
])('says what is wrong with %s and keeps the form', async (query, name) => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const { status, html } = await developer.get(`/developer/orders?status=paid&${query}`);
  expect([status, html.includes('role="alert"')]).toEqual([422, true]);
  expect(html).toMatch(new RegExp(`role="alert">${name}: `));
  expect(fieldsOfForm(html, 'action="/developer/orders"')).toMatchObject({ status: 'paid' });
  expect((await developer.get(`/developer/orders/export?${query}`)).status).toBe(422);
});

it('exports all orders that the filters find as one CSV file', async () => {
  const { shop, developer } = await twoOrders();
  await copyOrders(shop, 250);
  const { html } = await developer.get('/developer/orders?status=paid&sort=oldest');
  const path = /href="([^"]+)" download/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const file = await developer.send('GET', path);
  expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"');
  const lines = file.html.trimEnd().split('\r\n');
  expect([lines.length, new Set(lines).size]).toEqual([252, 252]);
  // By the mark, Excel reads names as UTF-8.
  expect(lines[0]).toMatch(/^\ufeffnumber,id,/);
  expect(file.html.lastIndexOf('\ufeff')).toBe(0);
  expect(lines[1]).toMatch(/^1001,/);
});

it('shows open orders, finds archived ones, and changes those that are ticked', async () => {
  const { shop, developer, found } = await twoOrders();
  const { data } = (await shop.get('/orders')).body;
  const [bob, ada] = data.map(({ id }: { id: string }) => id);
  const bulk = '/developer/orders/bulk';
  expect((await developer.get(bulk)).html).toContain('No order is ticked');
  expect((await developer.get(`${bulk}?ids=`)).html).toContain('No order is ticked');
  await developer.get(`${bulk}?ids=${ada}&ids=${bob}`);
  expect(developer.last.html).toContain('Change 2 orders');
  for (const field of ['fulfil', 'archived', 'add_tags']) {
    expect(developer.last.html).toContain(` name="${field}"`);
  }
  const nothing = await developer.submit(bulk, { ids: [ada, bob] });
  expect([nothing.status, nothing.html.includes('Choose at least one change.')]).toEqual([422, true]);
  const long = await developer.submit(bulk, { ids: [ada, bob], add_tags: `sent\n${'x'.repeat(65)}` });
  expect([long.status, long.html]).toEqual([422, expect.stringContaining('href="#f-add_tags"')]);
  expect(long.html).toContain('id="f-add_tags-error">line 2: ');
  const some = await developer.submit(bulk, {
    ids: [ada, bob],
    fulfil: 'yes',
    archived: 'yes',
    add_tags: 'sent',
  });
  expect(some.html).toContain('1 order changed. 1 order stayed as it is.');
  expect(some.html).toMatch(/orders\/ord_\w+">1002<.*only a paid one/s);
  expect((await shop.get(`/orders/${ada}`)).body).toMatchObject({
    fulfilment_status: 'fulfilled',
    tags: ['sent'],
  });
  for (const [query, expected] of [
    ['', ['bob']],
    ['archived=yes', ['ada']],
    ['archived=all', ['bob', 'ada']],
    ['q=ada', ['ada']],
    ['q=ada&archived=no', []],
  ] as const) {
    expect(await found(query), query).toEqual(expected);
  }
  await developer.get(`/developer/orders/${ada}`);
  await developer.submit(`/developer/orders/${ada}/archive`, { archived: 'no' });
  expect(await found('')).toEqual(['bob', 'ada']);
  await developer.submit(bulk, { ids: [ada, bob], add_tags: 'gift', remove_tags: 'sent' });
  for (const id of [ada, bob]) {
    const { tags } = (await shop.get(`/orders/${id}`)).body;
    expect([tags.includes('gift'), tags.includes('sent')]).toEqual([true, false]);
  }
});
