/** What a list finds by `q` the search finds as well, in any script; and a product is found by its own name. */
import { expect, inject, it } from 'vitest';
import { Generator } from '../../catalog/filters/filter-catalogue.ts';
import { createProduct, NEWEST } from '../../support/fixtures/catalog/products.ts';
import { indexAll } from '../../support/fixtures/catalog/sales.ts';
import { random } from '../../support/seeded-random.ts';
import { type Answer, type World, world } from '../../support/world.ts';

const PRODUCTS = 30;
const QUESTIONS = 40;

const WORDS = [
  ...[
    'Blue',
    'Mug',
    'mugs',
    'Çay',
    'Straße',
    'strasse',
    'naïve',
    'İzmir',
    'łódź',
    'æther',
    'ŒUVRE',
    'ё',
    'ﬁsh',
  ],
  ...['T-Shirt', 'tshirt', "men's", 'rock’n’roll', 'ʻokina', 'C++', 'e-mail', 'foo_bar', 'a.b', 'A-1', 'a1'],
  ...['漢字', '漢字の本', 'สีดำ', '한글', 'ガ', 'ｶﾞ', '١٥', '15', '5 kg', '5kg', '½', 'x²', 'Ａ１', 'ⅷ'],
];

async function ask(shop: World, path: string, q: string): Promise<Map<number, Answer['body']>> {
  const options = path === '/search' ? {} : NEWEST;
  const { status, body } = await shop.get(`${path}?limit=100&q=${encodeURIComponent(q)}`, options);
  expect(status, `${path} ${q} ${JSON.stringify(body)}`).toBe(200);
  return new Map(body.data.map((one: Answer['body']) => [one.id, one]));
}

/** Returns a text as a shopper may type it: whole, begun, in another case or another form of Unicode. */
function typed(g: Generator): string {
  const word = g.pick(WORDS);
  const begun = [...word].slice(0, 2).join('');
  const forms = [word, begun, word.toUpperCase(), word.normalize('NFD'), word.normalize('NFKC')];
  return g.pick([...forms, `${word} ${g.pick(WORDS)}`]);
}

it('agree on what has each word', async () => {
  const seed = inject('seed');
  const g = new Generator(random(seed));
  const shop = await world();
  const products: Answer['body'][] = [];
  for (let n = 0; n < PRODUCTS; n++) {
    const name = [g.pick(WORDS), ...g.some(WORDS, 2)].join(g.pick([' ', '-', '/']));
    const sku = g.chance(0.3) ? { sku: `${g.pick(WORDS)}-${n}` } : {};
    products.push((await createProduct(shop, { name, ...sku })).body);
  }
  await indexAll(shop);
  let found = 0;
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const q = typed(g);
    const [listed, searched] = [await ask(shop, '/products', q), await ask(shop, '/search', q)];
    const missed = [...listed.values()].filter(({ id }) => !searched.has(id));
    expect(
      missed.map(({ name, sku }) => [name, sku]),
      `seed ${seed}: ${q}`,
    ).toEqual([]);
    found += listed.size;
  }
  expect(found).toBeGreaterThan(0);
  for (const { id, name } of products) {
    for (const path of ['/products', '/search'])
      expect([...(await ask(shop, path, name)).keys()], `seed ${seed}: ${path} ${name}`).toContain(id);
  }
});
