/** Filters, facets, sorts and cursors against a model over random catalogues. FILTER_CASES asks for more cases. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { fold } from '../../../src/kernel/text/fold.ts';
import { random } from '../../support/seeded-random.ts';
import { type World, world } from '../../support/world.ts';
import { expectedFacet, expectedIds, type ModelProduct, type ModelQuestion } from './filter-model.ts';

/** Questions asked of each catalogue, and catalogues. */
const QUESTIONS = 10;
// Bindings of the tests are strings; vitest.config.ts passes this one on.
const CASES = Number((env as unknown as { FILTER_CASES?: string }).FILTER_CASES ?? 40);

const VENDORS = ['Çay', 'cay', 'Acme, Inc', 'ØRSTED', null];
const TAGS = ['Red', 'rèd', 'new', 'Straße', 'STRASSE'];
const COLORS = ['Black', 'black', 'Gold', 'Grün'];
const SIZES = ['S', 'M'];
const MATERIALS = ['Wool', 'wool', 'Silk', 'Gold'];
const NAMES = ['Äpfel', 'apfel', 'Zebra', 'Mug', 'mug', 'Öl'];
const TYPES = ['simple', 'configurable', 'virtual', 'downloadable', 'grouped', 'bundled', 'booking'];
const FACETS = ['price', 'in_stock', 'type', 'vendor', 'tag', 'category', 'attr.Color', 'attr.material'];

class Generator {
  constructor(private readonly next: () => number) {}
  chance = (probability: number): boolean => this.next() < probability;
  below = (most: number): number => Math.floor(this.next() * most);
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
  some<T>(list: readonly T[], most: number): T[] {
    return [...new Set(Array.from({ length: this.below(most + 1) }, () => this.pick(list)))];
  }
}

interface Catalogue {
  readonly products: readonly ModelProduct[];
  readonly categoryNames: ReadonlyMap<number, string>;
  readonly version: string;
}

/** Creates a catalogue of 14 products of all types through the API. */
async function catalogue(shop: World, g: Generator): Promise<Catalogue> {
  const parents = new Map<number, number[]>();
  const categoryNames = new Map<number, string>();
  for (const [n, name] of ['Top', 'Below', 'Other'].entries()) {
    const parent = n === 1 ? [...parents.keys()][0] : undefined;
    const { body } = await shop.post('/categories', { name, ...(parent ? { parent_id: parent } : {}) });
    parents.set(body.id, [body.id, ...(parent ? [parent] : [])]);
    categoryNames.set(body.id, name);
  }
  const products: ModelProduct[] = [];
  let version = '';
  for (let n = 0; n < 14; n++) {
    const type =
      n < TYPES.length ? (TYPES[n] ?? '') : g.pick(['simple', 'configurable', 'configurable', 'virtual']);
    const price = () => 100 * (1 + g.below(8));
    const amounts = () => ({ EUR: price(), ...(g.chance(0.6) ? { USD: price() } : {}) });
    const prices: Record<string, number> = amounts();
    const stock = g.pick([0, 0, 3]);
    const policy = g.pick(['deny', 'deny', 'deny', 'continue']);
    const chosen = g.some([...parents.keys()], 2);
    const regular = type !== 'configurable' && g.chance(0.4) ? (prices.EUR ?? 0) + 100 : null;
    const attributes = {
      ...(g.chance(0.5) ? { Material: g.some(MATERIALS, 2) } : {}),
      ...(g.chance(0.2) ? { color: g.pick(COLORS) } : {}),
    };
    if (attributes.Material?.length === 0) delete attributes.Material;
    const base = {
      ...{
        name: `${g.pick(NAMES)}`,
        type,
        sku: `p${n}`,
        slug: `p${n}`,
        vendor: g.pick(VENDORS),
        tags: g.some(TAGS, 3),
      },
      ...{ status: g.chance(0.15) ? ('inactive' as const) : ('active' as const), attributes },
      category_ids: chosen,
    };
    const wire = (all: Record<string, number>) => ({
      price: (all.EUR ?? 0) / 100,
      ...(all.USD === undefined ? {} : { prices: { USD: all.USD / 100 } }),
    });
    const combinations = g.some(
      COLORS.filter((color) => color !== 'black').flatMap((Color) => SIZES.map((size) => ({ Color, size }))),
      4,
    );
    const variants = (combinations.length > 0 ? combinations : [{ Color: 'Black', size: 'M' }]).map(
      (own, at) => {
        const given = amounts();
        const held = g.pick([0, 2]);
        return {
          item: { prices: given, attributes: own, inStock: held > 0 || policy !== 'deny' },
          body: { sku: `p${n}-${at}`, ...wire(given), attributes: own, stock: held },
        };
      },
    );
    const member = products.find((one) => one.type === 'simple');
    const body = {
      ...base,
      ...wire(prices),
      ...(type === 'configurable' ? { variants: variants.map((one) => one.body) } : {}),
      ...(['simple', 'virtual', 'configurable'].includes(type) ? { inventory_policy: policy } : {}),
      ...(['simple', 'virtual'].includes(type) ? { stock } : {}),
      ...(regular === null ? {} : { regular_price: regular / 100 }),
      ...(type === 'downloadable' ? { links: [{ title: 'L', url: 'https://files.example.com/a' }] } : {}),
      ...(type === 'grouped' ? { grouped: [{ product_id: member?.id }] } : {}),
      ...(type === 'bundled' ? { bundle_groups: [{ title: 'G', items: [{ product_id: member?.id }] }] } : {}),
      ...(type === 'booking'
        ? {
            booking: {
              timezone: 'Europe/Berlin',
              slots: [{ from: '2100-01-01T10:00:00Z', to: '2100-01-01T11:00:00Z', capacity: 1 }],
            },
          }
        : {}),
    };
    const made = await shop.post('/products', body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    version = made.headers.get('x-catalog-version') ?? '';
    const inStock =
      type === 'downloadable' || type === 'booking'
        ? true
        : ['grouped', 'bundled'].includes(type)
          ? (member?.items[0]?.inStock ?? false)
          : stock > 0 || policy !== 'deny';
    products.push({
      ...{
        id: made.body.id,
        name: base.name,
        type,
        status: base.status,
        vendor: base.vendor,
        tags: base.tags,
      },
      ...{
        attributes,
        onSale: regular !== null,
        categories: [...new Set(chosen.flatMap((id) => parents.get(id) ?? []))],
      },
      items:
        type === 'configurable' ? variants.map((one) => one.item) : [{ prices, attributes: {}, inStock }],
    });
  }
  return { products, categoryNames, version };
}

/** Returns a random question. */
function questionOf(g: Generator, categoryIds: readonly number[]): ModelQuestion {
  const bounds = [100 * (1 + g.below(8)), 100 * (1 + g.below(8))].sort((a, b) => a - b);
  const filter = (name: string, probability: number, list: readonly string[]) =>
    g.chance(probability) ? { [name]: [g.pick(list), ...g.some(list, 2)] } : {};
  return {
    currency: g.chance(0.75) ? 'EUR' : 'USD',
    status: g.pick(['active', 'active', 'active', 'all', 'inactive']),
    sort: g.pick(['newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc']),
    ...(g.chance(0.25) ? { priceMin: bounds[0] } : {}),
    ...(g.chance(0.25) ? { priceMax: bounds[1] } : {}),
    ...(g.chance(0.25) ? { inStock: true } : {}),
    ...(g.chance(0.1) ? { onSale: true } : {}),
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

async function holds(shop: World, made: Catalogue, g: Generator): Promise<void> {
  const { products, categoryNames, version } = made;
  const question = questionOf(g, [...categoryNames.keys()]);
  const facets = g.some(FACETS, 4);
  const query = queryOf(g, question, facets);
  const ids = expectedIds(products, question);
  const limit = 1 + g.below(6);
  const walked: number[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await ask(shop, `/products?${query}&limit=${limit}${at}`, version);
    expect(page.meta.total, query).toBe(ids.length);
    walked.push(...page.data.map(({ id }: { id: number }) => id));
    for (const name of facets) {
      const expected = expectedFacet(products, question, {
        name: name.startsWith('attr.') ? `attr.${fold(name.slice(5))}` : name,
        categoryNames,
      });
      expect(page.meta.facets[name], `${name} of ${query}`).toEqual(expected);
    }
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  expect(walked, query).toEqual(ids);
  const second = await ask(shop, `/products?${query}&limit=${limit}&page=2`, version);
  expect(second.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(limit, 2 * limit));
}

it(`agrees with the model in ${CASES} random cases`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`filters: seed ${seed}`);
  for (let n = 0; n < CASES; n += QUESTIONS) {
    const g = new Generator(random(seed + n));
    const shop = await world({ plan: 'enterprise', currencies: ['EUR', 'USD'] });
    const made = await catalogue(shop, g);
    for (let asked = 0; asked < QUESTIONS; asked++) await holds(shop, made, g);
  }
}, 600_000);
