import { expect, inject, it } from 'vitest';
import { listHits, type ProductSearchQuery, productAt, productPages } from '../../../src/catalog/index.ts';
import type { TenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { catchUp } from '../../../src/search/indexing/catch-up.ts';
import { findRanked } from '../../../src/search/query/find.ts';
import { searchProducts } from '../../../src/search/query/search-products.ts';
import { Generator } from '../../catalog/filters/filter-catalogue.ts';
import { catalogVersion } from '../../support/fixtures/catalog/imports.ts';
import {
  askNewest,
  buildIndex,
  evictIndex,
  indexOf,
  ringIndex,
} from '../../support/fixtures/catalog/list-index.ts';
import { contextOf, searchOf } from '../../support/runtime/runtime.ts';
import { random } from '../../support/seeded-random.ts';
import { type World, world } from '../../support/world.ts';

const CASES = inject('filterCases');
/** Changes to each catalogue, and searches after each. */
const CHANGES = 4;
const SEARCHES = 6;
const PRODUCTS = 16;

const WORDS = [
  'Blue',
  'Blau',
  'Mug',
  'mugs',
  'Çay',
  'Straße',
  'Kettle',
  'a1',
  'A-1',
  '漢字',
  '漢字の本',
  'สีดำ',
  '١٥',
  '15',
  'เสื้อยืดสีดำ',
  '5 kg',
  '5kg',
];
const PARTS = ['Kitchen', 'Blue things', 'Öl', '大漢字'];

/** The number in a SKU: above those that tell equal slugs, and so SKUs that are made of them, apart. */
const skuNumber = (n: number): number => 100 + n;

/** A product of up to three words in its name, its vendor, its tags and its description. */
const productOf = (g: Generator, categoryIds: readonly number[], n: number) => ({
  name: [g.pick(WORDS), ...g.some(WORDS, 2)].join(' '),
  type: 'simple',
  price: 1 + g.below(5),
  vendor: g.chance(0.5) ? g.pick(WORDS) : null,
  tags: g.some(WORDS, 2),
  description: `<p>${g.some(WORDS, 3).join('&nbsp;')}</p>`,
  attributes: g.chance(0.3) ? { Use: g.pick(['Kettle', 'tea &amp; Çay']) } : {},
  category_ids: g.some(categoryIds, 2),
  ...(g.chance(0.3) ? { sku: `${g.pick(WORDS.slice(0, 9))}-${skuNumber(n)}` } : {}),
});

/** A text of one or two words, whole, begun or mistyped, as a shopper may type it. */
function textOf(g: Generator): string {
  const typed = (word: string) =>
    g.pick([word, word, word.slice(0, 2), word.toUpperCase(), word.replace(/(.)(.)$/, '$2$1'), `${word}x`]);
  return [g.pick([...WORDS, 'Kitchen', 'things', `a1-${skuNumber(g.below(PRODUCTS))}`]), ...g.some(WORDS, 1)]
    .map(typed)
    .join(' ');
}

const queryOf = (g: Generator): ProductSearchQuery => ({
  q: textOf(g),
  page: 1 + g.below(2),
  limit: 1 + g.below(5),
  sort: g.pick(['relevance', 'relevance', 'price_asc', 'name_desc']),
  facets: ['vendor', 'tag'],
  ...(g.chance(0.3) ? { price_max: '3' } : {}),
  ...(g.chance(0.2) ? { tag: [g.pick(WORDS)] } : {}),
});

/** Reads a search from both databases alone. */
async function fromDatabases(ctx: TenantContext, query: ProductSearchQuery) {
  const { ranks } = await findRanked({ db: searchOf(ctx), tenantId: ctx.tenantId }, query.q);
  const hits = ranks.map(([tier, place]) => ({ tier, place, productId: productAt(place) }));
  return (await listHits(ctx, { ...query, hits, mainCurrency: 'EUR' })).answer;
}

/** Compares a page, and the one that its cursor leads to. Returns whether anything was found. */
async function compare(shop: World, query: ProductSearchQuery, seed: string): Promise<boolean> {
  const ctx = contextOf(shop);
  const caller = { currency: 'EUR', catalogVersion: Number(await catalogVersion(shop)) };
  const found = await searchProducts({ ...ctx, caller }, query, 0);
  if (!found.ok) throw new Error(JSON.stringify(found));
  const { value: page } = found.value;
  const expected = await fromDatabases(ctx, query);
  expect({ ok: true, value: page }, `${seed}: ${JSON.stringify(query)}`).toEqual(expected);
  const { next_cursor } = page.meta;
  if (next_cursor !== null)
    await compare(shop, { ...query, page: 1, cursor: productPages.query.cursor.parse(next_cursor) }, seed);
  return page.data.length > 0;
}

it(`agrees with the databases in ${CASES} random searches`, async () => {
  const seed = inject('seed');
  let found = 0;
  for (let n = 0; n < CASES; n += CHANGES * SEARCHES) {
    const g = new Generator(random(seed + n));
    const shop = await world();
    const made = await Promise.all(PARTS.map((name) => shop.post('/categories', { name })));
    const categoryIds = made.map(({ body }) => body.id);
    const ids: number[] = [];
    const create = async () => {
      const { status, body } = await shop.post('/products', productOf(g, categoryIds, ids.length));
      expect(status, JSON.stringify(body)).toBe(201);
      ids.push(body.id);
    };
    while (ids.length < PRODUCTS) await create();
    await buildIndex(shop);
    for (let changes = 0; changes < CHANGES; changes++) {
      const { name, description, vendor } = productOf(g, categoryIds, 0);
      await g.pick([
        create,
        () => shop.patch(`/products/${g.pick(ids)}`, { name, description, vendor }),
        () => shop.patch(`/categories/${g.pick(categoryIds)}`, { name: g.pick(WORDS) }),
        () => shop.delete(`/products/${g.pick(ids)}`),
      ])();
      while (!(await catchUp(contextOf(shop))).complete);
      for (let searches = 0; searches < SEARCHES; searches++) {
        await g.pick([evictIndex, ringIndex, async () => undefined])(shop);
        found += Number(await compare(shop, queryOf(g), `seed ${seed + n}`));
      }
      expect(await askNewest(shop), 'the index answered').toMatchObject({ page: expect.anything() });
    }
    await indexOf(shop).reset();
  }
  expect(found).toBeGreaterThan(CASES / 4);
}, 900_000);
