import { beforeAll, describe, expect, it } from 'vitest';
import { type CsvItem, readCsv } from '../../../src/imports/csv/csv.ts';
import { Browser } from '../../support/fixtures/browser.ts';
import { fiveCups } from '../../support/fixtures/catalog/products.ts';
import { send, type World, world } from '../../support/world.ts';

/** A letter with `count` marks, above and below in turn: to put them in order takes the square of their number. */
const marked = (count: number) => `e${'\u0301\u0316'.repeat(count / 2)}`;
const MESSAGE = 'must have at most 30 combining marks in a row';

let shop: World;
let cup: number;
beforeAll(async () => {
  shop = await world();
  cup = (await fiveCups(shop)).body.id;
});

const add = (options: object) =>
  send('POST', '/v1/cart/items', { token: shop.token, body: { product_id: cup, quantity: 1, options } });

describe('a letter with thousands of combining marks is refused before it is normalized', () => {
  it.each([
    ['in a text', { engraving: marked(20_000) }, 'options.engraving'],
    ['in a key', { [marked(32)]: 1 }, `options.${marked(32)}`],
    ['whose marks come from letters', { engraving: `e${'\u0316\uff9e'.repeat(40)}` }, 'options.engraving'],
  ])('%s of a body', async (_case, options, field) => {
    const { status, body } = await add(options);
    expect([status, body.errors]).toEqual([422, { [field]: [MESSAGE] }]);
  });

  it('in a query', async () => {
    const answer = await send('GET', `/v1/products?q=${encodeURIComponent(marked(500))}`, {
      token: shop.token,
    });
    expect([answer.status, answer.body.errors]).toEqual([422, { q: [MESSAGE] }]);
  });

  it('in a form of nobody who is known', async () => {
    const browser = new Browser();
    await browser.get('/developer/sign-in');
    const fields = { shop: shop.slug, email: 'ada@example.com', password: marked(5_000) };
    const { status, html } = await browser.post('/developer/sign-in', fields);
    expect(status).toBe(422);
    expect(html).toContain(MESSAGE);
  });

  it('in a line of a CSV file, which is skipped', async () => {
    const file = async function* () {
      yield new TextEncoder().encode(`a,b\n1,${marked(60_000)}\n2,${marked(30)}\n`);
    };
    const items: CsvItem[] = [];
    for await (const item of readCsv(file())) items.push(item);
    expect(items).toMatchObject([
      { cells: ['a', 'b'] },
      { kind: 'problem', line: 2, message: 'The line has more than 30 combining marks in a row.' },
      { cells: ['2', marked(30).normalize('NFC')] },
    ]);
  });
});

it('keeps 30 marks', async () => {
  const { status, body } = await add({ engraving: marked(30) });
  expect(status).toBe(200);
  expect(body.items[0].options).toEqual({ engraving: marked(30).normalize('NFC') });
});
