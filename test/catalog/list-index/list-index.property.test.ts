/** The index and the database answer the same, whatever changes, is repeated, late or lost. */
import { env } from 'cloudflare:workers';
import { afterEach, expect, inject, it, vi } from 'vitest';
import { NO_FILTERS } from '../../../src/catalog/filters/facets.ts';
import type { Filters } from '../../../src/catalog/filters/filter-query.ts';
import { SORTS } from '../../../src/catalog/products/query-schemas.ts';
import { listFiltered } from '../../../src/catalog/reads/list-filtered.ts';
import { type ListQuery, listProducts } from '../../../src/catalog/reads/list-products.ts';
import { switchSales } from '../../../src/catalog/sales/switch-sales.ts';
import { NEWEST } from '../../../src/kernel/cache/versioned-cache.ts';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import {
  askNewest,
  buildIndex,
  evictIndex,
  indexOf,
  ringIndex,
} from '../../support/fixtures/catalog/list-index.ts';
import { stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { random } from '../../support/seeded-random.ts';
import { type World, world } from '../../support/world.ts';
import { COLORS, catalogue, Generator, MATERIALS, SIZES, TAGS, TYPES } from '../filters/filter-catalogue.ts';

const CASES = inject('filterCases');
/** Changes to each catalogue, and questions after each. */
const CHANGES = 12;
const QUESTIONS = 4;

const FACETS = ['price', 'in_stock', 'type', 'vendor', 'tag', 'category', 'attr.color', 'attr.material'];

function filtersOf(g: Generator, categoryIds: readonly number[], currency: string): Filters {
  const filter = (name: string, probability: number, list: readonly string[]) =>
    g.chance(probability) ? [[name, [g.pick(list).toLowerCase(), ...g.some(list, 1)]] as const] : [];
  return {
    ...NO_FILTERS,
    values: [
      ...filter('type', 0.15, TYPES),
      ...filter('vendor', 0.2, ['cay', 'acme, inc', 'orsted']),
      ...filter('tag', 0.25, TAGS),
      ...filter('attr.color', 0.2, COLORS),
      ...filter('attr.size', 0.15, SIZES),
      ...filter('attr.material', 0.2, MATERIALS),
      ...(g.chance(0.15) ? [['on_sale', [currency]] as const] : []),
    ],
    categoryIds: g.chance(0.3) ? [g.pick(categoryIds), ...g.some(categoryIds, 1)] : [],
    price: g.chance(0.3) ? { min: g.chance(0.5) ? 200 : null, max: 600 } : null,
    inStock: g.chance(0.25),
    ...(g.chance(0.15) ? { stock: g.pick(['low', 'out'] as const) } : {}),
  };
}

function queryOf(g: Generator, categoryIds: readonly number[]): ListQuery {
  const currency = g.chance(0.7) ? 'EUR' : 'USD';
  return {
    q: g.chance(0.2) ? g.pick(['apf', 'mug', 'P1', 'new p', 'zebra', '😀', 'tilde mug']) : null,
    page: 1 + g.below(2),
    limit: 1 + g.below(8),
    after: null,
    include: [],
    currency,
    mainCurrency: 'EUR',
    sort: g.pick(SORTS),
    status: g.pick(['active', 'active', 'all']),
    filters: filtersOf(g, categoryIds, currency),
    facets: ['price', ...g.some(FACETS, 4)].map((name) => ({ key: name, name })),
  };
}

/** A random change; many a one is refused, such as the deletion of what is gone. */
async function change(shop: World, g: Generator, { ids, categoryIds }: Known): Promise<unknown> {
  const id = g.pick(ids);
  const category = g.pick(categoryIds);
  const product = (body: object) => shop.patch(`/products/${id}`, body);
  const { body } = await shop.get(`/products/${id}`);
  const sku = body.variants?.length > 0 ? g.pick<{ sku: string }>(body.variants).sku : body.sku;
  const changes = [
    () => product({ tags: g.some(TAGS, 3) }),
    () => product({ vendor: g.pick(['Çay', 'ÇAY', 'Ørsted', null]) }),
    () => product({ price: 1 + g.below(8) }),
    () => product({ status: g.pick(['active', 'inactive']) }),
    () => product({ name: `${g.pick(['Äpfel', '😀 mug', '\uff5e tilde', 'Zebra'])}` }),
    () => product({ attributes: { Material: g.some(MATERIALS, 2), Color: g.pick(COLORS) } }),
    () => product({ category_ids: g.some(categoryIds, 2) }),
    () => product({ inventory_policy: g.pick(['deny', 'continue']) }),
    () => product({ sale: { price: 0.5, starts_at: new Date(now() + HOUR).toISOString() } }),
    () => shop.patch('/settings', { low_stock_threshold: g.below(9) }),
    () => shop.delete(`/products/${id}`),
    () =>
      shop.post('/inventory/adjustments', { items: [{ sku, delta: g.pick([-1, -2, 1, 3]), reason: 'r' }] }),
    async () => {
      const made = await shop.post('/products', { name: 'New', type: 'simple', price: 3, tags: ['red'] });
      ids.push(made.body.id);
    },
    async () => {
      // Refused below a category that is deleted.
      const made = await shop.post('/categories', { name: 'More', parent_id: category });
      if (made.status === 201) categoryIds.push(made.body.id);
    },
    () => shop.patch(`/categories/${category}`, { parent_id: g.chance(0.5) ? null : g.pick(categoryIds) }),
    () => shop.patch(`/categories/${category}`, { hidden: g.chance(0.5), name: g.pick(['Tops', 'öl']) }),
    () => shop.delete(`/categories/${category}`),
    async () => {
      stopClockAt(now() + 2 * HOUR);
      await switchSales(contextOf(shop));
    },
  ];
  return g.pick(changes)();
}

interface Known {
  readonly ids: number[];
  readonly categoryIds: number[];
}

/** What may happen to the object at any time. */
const ACCIDENTS = [evictIndex, ringIndex, ringIndex, async () => undefined, async () => undefined] as const;

afterEach(() => vi.restoreAllMocks());

it(`agrees with the database in ${CASES} random cases`, async () => {
  const seed = inject('seed');
  for (let n = 0; n < CASES; n += CHANGES * QUESTIONS) {
    const g = new Generator(random(seed + n));
    const shop = await world({ plan: 'enterprise', currencies: ['EUR', 'USD'] });
    const made = await catalogue(shop, g);
    const known = { ids: made.products.map(({ id }) => id), categoryIds: [...made.categoryNames.keys()] };
    await buildIndex(shop);
    const ctx = { ...contextOf(shop), env };
    // Some are asked again: the index keeps what matched before.
    const earlier: ListQuery[] = [];
    for (let changed = 0; changed < CHANGES; changed++) {
      await change(shop, g, known);
      for (let asked = 0; asked < QUESTIONS; asked++) {
        await g.pick(ACCIDENTS)(shop);
        const again = earlier.length > 0 && g.chance(0.5);
        const query = again ? g.pick(earlier) : queryOf(g, known.categoryIds);
        earlier.push(query);
        const [found, expected] = [await listFiltered(ctx, query, NEWEST), await listProducts(ctx, query)];
        expect(found, `seed ${seed + n}: ${JSON.stringify(query)}`).toEqual(expected);
      }
      expect(await askNewest(shop), 'the index answered').toMatchObject({ page: expect.anything() });
    }
    await indexOf(shop).reset();
    vi.restoreAllMocks();
  }
}, 900_000);
