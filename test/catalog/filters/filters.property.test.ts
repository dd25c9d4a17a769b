/** Filters, facets, sorts and cursors against a model over random catalogues. FILTER_CASES asks for more cases. */
import { afterEach, expect, inject, it, vi } from 'vitest';
import { switchSales } from '../../../src/catalog/sales/switch-sales.ts';
import { HOUR } from '../../../src/kernel/core/clock.ts';
import { fold } from '../../../src/kernel/text/fold.ts';
import { catalogVersion } from '../../support/fixtures/catalog/imports.ts';
import { buildIndex } from '../../support/fixtures/catalog/list-index.ts';
import { stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { random } from '../../support/seeded-random.ts';
import { type World, world } from '../../support/world.ts';
import { COLORS, catalogue, Generator, MATERIALS, SIZES, TAGS, TYPES } from './filter-catalogue.ts';
import {
  expectedCard,
  expectedFacet,
  expectedIds,
  type ModelProduct,
  type ModelQuestion,
  productsAt,
} from './filter-model.ts';

/** When each catalogue is asked, from its making (ms): its sales have begun, begin or end in between. */
const INSTANTS = [0, 1.5 * HOUR, 4 * HOUR];
/** Questions asked of each catalogue at each instant. */
const QUESTIONS = 8;
const CASES = inject('filterCases');

const FACETS = ['price', 'in_stock', 'type', 'vendor', 'tag', 'category', 'attr.Color', 'attr.material'];

/** Returns a random question. */
function questionOf(g: Generator, categoryIds: readonly number[]): ModelQuestion {
  const bounds = [50 * (1 + g.below(16)), 50 * (1 + g.below(16))].sort((a, b) => a - b);
  const filter = (name: string, probability: number, list: readonly string[]) =>
    g.chance(probability) ? { [name]: [g.pick(list), ...g.some(list, 2)] } : {};
  return {
    currency: g.chance(0.75) ? 'EUR' : 'USD',
    status: g.pick(['active', 'active', 'active', 'all', 'inactive']),
    sort: g.pick(['newest', 'oldest', 'best_selling', 'price_asc', 'price_desc', 'name_asc', 'name_desc']),
    ...(g.chance(0.25) ? { priceMin: bounds[0] } : {}),
    ...(g.chance(0.25) ? { priceMax: bounds[1] } : {}),
    ...(g.chance(0.25) ? { inStock: true } : {}),
    ...(g.chance(0.15) ? { onSale: true } : {}),
    ...(g.chance(0.25) ? { categories: [g.pick(categoryIds), ...g.some(categoryIds, 1)] } : {}),
    values: {
      ...filter('type', 0.15, TYPES),
      ...filter('vendor', 0.2, ['ÇAY', 'acme, inc', 'orsted']),
      ...filter('tag', 0.2, TAGS),
      ...filter('attr.color', 0.25, COLORS),
      ...filter('attr.size', 0.15, SIZES),
      ...filter('attr.material', 0.2, MATERIALS),
    },
  };
}

/** Returns the query string of a question. */
function queryOf(g: Generator, question: ModelQuestion, facets: readonly string[]): string {
  const query = new URLSearchParams({
    currency: question.currency,
    status: question.status,
    sort: question.sort,
  });
  if (question.priceMin !== undefined) query.set('price_min', String(question.priceMin / 100));
  if (question.priceMax !== undefined) query.set('price_max', (question.priceMax / 100).toFixed(2));
  if (question.inStock) query.set('in_stock', 'true');
  if (question.onSale) query.set('on_sale', 'true');
  if (question.categories) query.set('category_id', question.categories.join(','));
  for (const [name, values] of Object.entries(question.values)) {
    const spelt = g.chance(0.5) ? name : name.replace('color', 'COLOR');
    query.set(spelt, values.map((value) => value.replaceAll(',', '\\,')).join(','));
  }
  if (facets.length > 0) query.set('facets', facets.join(','));
  return query.toString();
}

async function ask(shop: World, path: string, version: string) {
  const { status, body } = await shop.get(path, { headers: { 'x-catalog-version': version } });
  expect(status, `${path} ${JSON.stringify(body)}`).toBe(200);
  return body;
}

/** A catalogue as it is sold at one instant, and its version then. */
interface Moment {
  readonly products: readonly ModelProduct[];
  readonly categoryNames: ReadonlyMap<number, string>;
  readonly version: string;
  readonly seed: number;
}

async function holds(shop: World, moment: Moment, g: Generator): Promise<void> {
  const { products, categoryNames, version, seed } = moment;
  const question = questionOf(g, [...categoryNames.keys()]);
  const facets = g.some(FACETS, 4);
  const query = queryOf(g, question, facets);
  const asked = `seed ${seed}: ${query}`;
  const ids = expectedIds(products, question);
  const limit = 1 + g.below(6);
  const walked: number[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await ask(shop, `/products?${query}&limit=${limit}${at}`, version);
    expect(page.meta.total, asked).toBe(ids.length);
    for (const { id, ...card } of page.data) {
      walked.push(id);
      const product = products.find((one) => one.id === id);
      expect(card, `${id} of ${asked}`).toMatchObject(
        product ? expectedCard(product, question.currency) : {},
      );
    }
    for (const name of facets) {
      const expected = expectedFacet(products, question, {
        name: name.startsWith('attr.') ? `attr.${fold(name.slice(5))}` : name,
        categoryNames,
      });
      expect(page.meta.facets[name], `${name} of ${asked}`).toEqual(expected);
    }
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  expect(walked, asked).toEqual(ids);
  const second = await ask(shop, `/products?${query}&limit=${limit}&page=2`, version);
  expect(
    second.data.map(({ id }: { id: number }) => id),
    asked,
  ).toEqual(ids.slice(limit, 2 * limit));
}

afterEach(() => vi.restoreAllMocks());

/** Who answers: a tenant has an index or not. */
const SOURCES = {
  'the database': async () => undefined,
  'the index': (shop: World) => buildIndex(shop),
} as const;

it.each(Object.entries(SOURCES))(
  `with %s agrees with the model in ${CASES} random cases`,
  async (_, prepare) => {
    const seed = inject('seed');
    for (let n = 0; n < CASES; n += QUESTIONS * INSTANTS.length) {
      const g = new Generator(random(seed + n));
      const shop = await world({ plan: 'enterprise', currencies: ['EUR', 'USD'] });
      const made = await catalogue(shop, g);
      await prepare(shop);
      for (const later of INSTANTS) {
        const at = made.madeAt + later;
        if (later > 0) stopClockAt(at);
        await switchSales(contextOf(shop));
        const products = productsAt(made.products, at);
        const moment = { ...made, products, version: String(await catalogVersion(shop)), seed: seed + n };
        for (let asked = 0; asked < QUESTIONS; asked++) await holds(shop, moment, g);
      }
      vi.restoreAllMocks();
    }
  },
  900_000,
);
