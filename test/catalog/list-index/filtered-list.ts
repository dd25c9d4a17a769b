import { env } from 'cloudflare:workers';
import { NO_FILTERS } from '../../../src/catalog/filters/facets.ts';
import { listFiltered } from '../../../src/catalog/reads/list-filtered.ts';
import { type ListQuery, listProducts } from '../../../src/catalog/reads/list-products.ts';
import { NEWEST } from '../../../src/kernel/cache/versioned-cache.ts';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';

/** A filtered list with facets. */
export const QUERY: ListQuery = {
  q: null,
  page: 1,
  limit: 10,
  after: null,
  include: [],
  sort: 'price_asc',
  status: 'active',
  currency: 'EUR',
  mainCurrency: 'EUR',
  filters: { ...NO_FILTERS, values: [['tag', ['red']]], price: { min: 100, max: null }, inStock: true },
  facets: ['price', 'vendor', 'tag', 'in_stock'].map((name) => ({ key: name, name })),
};

/** Creates so many products that {@link QUERY} shows, in a category if one is named. */
export async function fill(shop: World, count: number, category = ''): Promise<void> {
  const line = (n: number) => `p-${n},P ${n},${1 + (n % 7)},red,Vendor ${n % 3},5,${category}\n`;
  const lines = Array.from({ length: count }, (_, n) => line(n)).join('');
  await importFile(shop, `Handle,Title,Variant Price,Tags,Vendor,Variant Inventory Qty,Type\n${lines}`);
}

/** Reads the list as the Worker does: from the tenant's ListIndex object if it answers. */
export const readList = (shop: World, bindings: Env = env, version = NEWEST) =>
  listFiltered({ ...contextOf(shop), env: bindings }, QUERY, version);

/** Reads the list from the database alone. */
export const listFromDatabase = (shop: World) => listProducts(contextOf(shop), QUERY);
