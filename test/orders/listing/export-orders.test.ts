import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { eventsOfType } from '../../support/fixtures/selling/orders.ts';
import { orderOf, refund, soldCups } from '../../support/fixtures/selling/refunds.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';
import { shop3 } from '../shipped-order.ts';
import { sell, threeOrders } from './three-orders.ts';

const csv = { headers: { accept: 'text/csv' } };

it('exports a page as CSV, with the next page in Link', async () => {
  const { shop, ids } = await threeOrders();
  const first = await shop.get('/orders?limit=2', csv);
  expect(first.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  const lines = first.body.split('\r\n');
  expect(lines[0]).toMatch(/^number,id,created_at,status,payment_status,fulfilment_status,/);
  expect(lines.slice(1, 3).map((row: string) => row.split(',')[1])).toEqual([ids[2], ids[1]]);
  expect([lines.length, lines[3]]).toEqual([4, '']);
  const next = /^<https:\/\/api\.example\.com\/v1(.+)>; rel="next"$/.exec(
    first.headers.get('link') ?? '',
  )?.[1];
  const second = await shop.get(next ?? '', csv);
  expect(second.body.split('\r\n')[1].split(',')[1]).toBe(ids[0]);
  expect(second.headers.get('link')).toBeNull();
  const json = await shop.get('/orders', { headers: { accept: 'text/csv;q=0.5, application/json' } });
  expect(json.body.data).toHaveLength(3);
  expect((await shop.get('/orders?q=', csv)).status).toBe(422);
});

it('keeps commas, quotes, line breaks and formulas in their cell', async () => {
  const shop = await world();
  const [id] = await sell(shop, [{ name: '=HYPERLINK("https://evil.example.com")', email: 'a@example.com' }]);
  await databaseOf(shop).run(
    sql`UPDATE orders SET note = ${'a, "b"\nc'}, phone = '+49 30 1' WHERE id = ${id}`,
  );
  const { body } = await shop.get('/orders', csv);
  expect(body).toContain(`,"'=HYPERLINK(""https://evil.example.com"")",a@example.com,'+49 30 1,`);
  expect(body).toContain(',"a, ""b""\nc",');
});

it.each(['＝1+1', '＋1', '－1', '＠home', '\t=1', "'＝1"])(
  'puts an apostrophe before %j, which some spreadsheets take for a formula',
  async (note) => {
    const shop = await world();
    const [id] = await sell(shop, [{ name: 'Ada', email: 'a@example.com' }]);
    await databaseOf(shop).run(sql`UPDATE orders SET note = ${note} WHERE id = ${id}`);
    expect((await shop.get('/orders', csv)).body).toMatch(new RegExp(`[,"]'${note.replaceAll('+', '\\+')}`));
  },
);

it.each([
  ["x;=cmd|'/C calc'!A0;", "x;'=cmd|'/C calc'!A0;"],
  ['x;;@SUM(1)', "x;;'@SUM(1)"],
  ["x;'-1", "x;''-1"],
  ['x;"=1;', `x;'""=1;`],
  ['x;\t=1', "x;'\t=1"],
  ['x\n+1', "x\n'+1"],
  ['x\r\n＝1', "x\r\n'＝1"],
  ['\n=1+1', "'\n'=1+1"],
  ['x; = 1 - 1;', 'x; = 1 - 1;'],
])(
  'puts one within %j, where the spreadsheets of many languages begin a cell or a row',
  async (note, written) => {
    const shop = await world();
    const [id] = await sell(shop, [{ name: 'Ada', email: 'a@example.com' }]);
    await databaseOf(shop).run(sql`UPDATE orders SET note = ${note} WHERE id = ${id}`);
    const { body } = await shop.get('/orders', csv);
    expect([`,${written},`, `,"${written}",`].filter((cell) => body.includes(cell))).toHaveLength(1);
  },
);

it('exports the tracking numbers of parcels that are on their way, not of cancelled ones', async () => {
  const { shop, path } = await shop3();
  const ship = (number: string) =>
    shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }], tracking: { number } });
  const wrong = (await ship('WRONG-1')).body.id;
  await ship('RIGHT-2');
  await shop.patch(`${path}/fulfilments/${wrong}`, { status: 'cancelled' });
  const { body } = await shop.get('/orders', csv);
  expect(body).toContain(',RIGHT-2,');
  expect(body).not.toContain('WRONG-1');
});

it('says when an order was paid, and how much of it was refunded', async () => {
  const sold = await soldCups();
  const cells = async (...names: string[]) => {
    const { body } = await sold.shop.get('/orders', csv);
    const [header = [], row = []] = body.split('\r\n').map((line: string) => line.split(','));
    return names.map((name) => row[header.indexOf(name)]);
  };
  const { paid_at, created_at } = await orderOf(sold);
  expect(Date.parse(paid_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
  expect(await cells('paid_at', 'refunded')).toEqual([paid_at, '0']);
  expect(await eventsOfType(sold.shop, 'order.created')).toMatchObject([{ paid_at: null }]);
  expect(await eventsOfType(sold.shop, 'order.paid')).toMatchObject([{ paid_at }]);
  for (const amount of [0.1, 0.2]) expect((await refund(sold, { amount })).body.status).toBe('succeeded');
  expect(await cells('paid_at', 'refunded', 'grand_total')).toEqual([paid_at, '0.3', '34.9']);
});
