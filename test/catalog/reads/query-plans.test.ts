import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { NO_FILTERS } from '../../../src/catalog/filters/facets.ts';
import { slugOwner } from '../../../src/catalog/former-slugs.ts';
import { nextDocuments, readChanges } from '../../../src/catalog/list-index/changes/index.ts';
import { SORTS } from '../../../src/catalog/products/query-schemas.ts';
import { listByIds } from '../../../src/catalog/reads/list-by-ids.ts';
import { listProducts } from '../../../src/catalog/reads/list-products.ts';
import { readProduct } from '../../../src/catalog/reads/read-product.ts';
import { relatedProducts } from '../../../src/catalog/reads/related-products.ts';
import { db } from '../../support/runtime/runtime.ts';

/** What a plan may scan: JSON values, constant rows, and common tables that are bounded themselves. */
const BOUNDED =
  /VIRTUAL TABLE|CONSTANT ROW|^SCAN (own|traits|t|above|below|a|c|candidates|s|given|best|d|v|\(subquery-\d+\))$/;

/** Returns whether a step scans the result of a subquery, whose own steps the plan shows. */
const isSubquery = (step: string, plan: readonly { detail: string }[]): boolean => {
  const name = step.split(' ')[1];
  return plan.some(({ detail }) => [`CO-ROUTINE ${name}`, `MATERIALIZE ${name}`].includes(detail));
};

const ctx = () => ({ db: db(), tenantId: 1 });
const shown = { currency: 'EUR', mainCurrency: 'EUR' };
const filters = {
  categoryIds: [1, 2],
  price: { min: 100, max: 900 },
  inStock: true,
  values: [
    ['vendor', ['a', 'b']],
    ['tag', ['c']],
    ['attr.color', ['black']],
  ],
} as const;
const FACETS = ['price', 'in_stock', 'type', 'vendor', 'tag', 'category', 'attr.color'];
const list = {
  page: 1,
  limit: 20,
  after: null,
  q: null,
  include: [],
  ...shown,
  sort: 'price_asc',
  facets: FACETS.map((name) => ({ key: name, name })),
} as const;
/** A read and its name. */
type Read = readonly [name: string, read: () => Promise<unknown>];

/** What a storefront lists: all products, those of a category, those with some words. */
const LISTS = {
  'of all products': {},
  'of a category': { filters: { ...NO_FILTERS, categoryIds: [1] } },
  'of words': { q: 'blue cup' },
} as const;
const include = ['variants', 'images', 'categories'] as const;
const lists: readonly Read[] = SORTS.flatMap((sort) =>
  Object.entries(LISTS).map(([which, asked]) => {
    const query = {
      ...list,
      filters: NO_FILTERS,
      facets: [],
      include,
      status: 'active',
      sort,
      ...asked,
    } as const;
    return [`${which}, ${sort}`, () => listProducts(ctx(), query)] as const;
  }),
);
const hits = [{ tier: 0, place: 1, productId: 1 }];
const detail = { ...shown, forEditor: false, status: 'active' as const };

it.each<Read>([
  ['by slug', () => readProduct(ctx(), { id: slugOwner(1, 'product', 'cup'), ...detail })],
  [
    'by ids',
    () =>
      listByIds(ctx(), {
        asked: { by: 'ids', values: [1, 2] },
        page: 1,
        limit: 2,
        after: null,
        include: ['variants', 'categories'],
        status: 'all',
        ...shown,
      }),
  ],
  [
    'by ids of variants',
    () =>
      listByIds(ctx(), {
        asked: { by: 'variantIds', values: [1, 2] },
        page: 1,
        limit: 2,
        after: null,
        include: [],
        status: 'all',
        ...shown,
      }),
  ],
  [
    'by SKUs',
    () =>
      listByIds(ctx(), {
        asked: { by: 'skus', values: ['a'] },
        page: 1,
        limit: 1,
        after: null,
        include: [],
        status: 'all',
        ...shown,
      }),
  ],
  [
    'by a barcode',
    () =>
      listByIds(ctx(), {
        asked: { by: 'barcode', barcode: '4006381333931' },
        page: 1,
        limit: 1,
        after: null,
        include,
        status: 'all',
        ...shown,
      }),
  ],
  ...lists,
  ['with facets', () => listProducts(ctx(), { ...list, filters: NO_FILTERS, status: 'active' })],
  ['with filters and facets', () => listProducts(ctx(), { ...list, filters, status: 'active' })],
  ['with filters, of all statuses', () => listProducts(ctx(), { ...list, filters, status: 'all' })],
  ['of hits', () => listProducts(ctx(), { ...list, filters, hits, sort: 'relevance', status: 'active' })],
  ['of changes by the list index', () => readChanges(ctx(), { after: { clock: 0, change: 0 } }, {})],
  ['of products by the list index', () => nextDocuments(ctx(), 0, 10)],
  ['related', () => relatedProducts(ctx(), { id: 1, limit: 8, ...shown })],
])('a read %s scans no table', async (_, read) => {
  const prepare = vi.spyOn(Object.getPrototypeOf(env.DB), 'prepare');
  await read();
  // Others are of work in the background of earlier tests.
  const isOfRead = (_: unknown, n: number) => prepare.mock.contexts[n] === env.DB;
  const statements = prepare.mock.calls.filter(isOfRead).map(([sql]) => String(sql));
  prepare.mockRestore();
  expect(statements.length).toBeGreaterThan(0);
  for (const sql of statements) {
    const values = Array.from(sql.matchAll(/\?/g), () => null);
    const explained = env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values);
    const { results } = await explained.all<{ detail: string }>();
    const scans = results.map((row) => row.detail).filter((step) => step.startsWith('SCAN'));
    expect(
      scans.filter((step) => !BOUNDED.test(step) && !isSubquery(step, results)),
      sql,
    ).toEqual([]);
  }
});
