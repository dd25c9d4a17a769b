/** A copy of the marketplace feed that is kept by its changes, the feed read anew, and the products: all the same. */
import { afterEach, expect, inject, it, vi } from 'vitest';
import { Generator } from '../../catalog/filters/filter-catalogue.ts';
import { productsBySlug } from '../../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { changeCatalogue, changingShop } from '../../support/fixtures/catalog/random-changes.ts';
import { stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { random } from '../../support/seeded-random.ts';
import type { Answer, World } from '../../support/world.ts';

type Row = Answer['body'];

const CHANGES = 30;

/** Reads what changed in the feed since an instant, or all of it, a few rows a page. */
async function readFeed(shop: World, since: string | null): Promise<{ rows: Row[]; next: string | null }> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const from = since === null ? '' : `&updated_since=${since}`;
    const { status, body } = await shop.get(`/marketplace/products?limit=3${from}${cursor}`, NEWEST);
    expect(status, JSON.stringify(body)).toBe(200);
    rows.push(...body.data);
    if (body.meta.next_cursor === null) return { rows, next: body.meta.next_updated_since };
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
}

/** Returns the row of a feed that a product, or one of its variants, should have. Stock may lag in a product. */
function rowOf(product: Row, one: Row, stock: number | undefined): Row {
  const { sku, price, barcode, in_stock } = one;
  const values = Object.values(one === product ? {} : one.attributes);
  return {
    id: one.id,
    product_id: product.id,
    sku,
    name: [product.name, ...(values.length > 0 ? [values.join(' / ')] : [])].join(' - '),
    price,
    currency: 'EUR',
    stock,
    in_stock,
    images: [...new Set([...(one === product || one.image === null ? [] : [one.image]), ...product.images])],
    ...(barcode !== undefined && { barcode }),
  };
}

/** Returns the rows by id. The path of a category changes without a change of the row. */
const byId = (rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map(({ category_path, ...row }) => [row.id, row]));

/** Returns the rows of all that is sold, by the products. */
async function rowsOfProducts(shop: World): Promise<Map<number, Row>> {
  const { results } = await storeOf(shop)
    .prepare('SELECT id, max(0, on_hand - reserved) AS stock FROM inventory_items WHERE tenant_id = ?')
    .bind(shop.tenantId)
    .all<{ id: number; stock: number }>();
  const stock = new Map(results.map((item) => [item.id, item.stock]));
  const products: Row[] = Object.values(await productsBySlug(shop));
  return byId(
    products
      .filter(({ status, type }) => status === 'active' && type !== 'grouped')
      .flatMap((product) =>
        (product.type === 'configurable' ? product.variants : [product]).map((one: Row) =>
          rowOf(product, one, stock.get(one.id)),
        ),
      ),
  );
}

afterEach(() => vi.restoreAllMocks());

it('has the same rows, whatever changed in between', async () => {
  const seed = inject('seed');
  const g = new Generator(random(seed));
  stopClockAt(Date.now());
  const changing = await changingShop(g);
  const { shop } = changing;
  const copy = new Map<number, Row>();
  let since: string | null = null;
  for (let changed = 0; changed < CHANGES; changed++) {
    await changeCatalogue(changing);
    if (changed < CHANGES - 1 && g.chance(0.6)) continue;
    const { rows, next } = await readFeed(shop, since);
    for (const [id, row] of byId(rows)) copy.set(id, row);
    since = next;
  }
  const whole = byId((await readFeed(shop, null)).rows);
  for (const [id, row] of copy) {
    // What is no longer sold.
    if (!whole.has(id)) expect(row, `seed ${seed}`).toMatchObject({ stock: 0, in_stock: false });
  }
  const kept = new Map([...copy].filter(([id]) => whole.has(id)));
  const sorted = (rows: Map<number, Row>) => [...rows].sort(([a], [b]) => a - b);
  expect(sorted(kept), `seed ${seed}`).toEqual(sorted(whole));
  const shown = new Map([...whole].map(([id, { updated_at, ...row }]) => [id, row]));
  expect(sorted(shown), `seed ${seed}`).toEqual(sorted(await rowsOfProducts(shop)));
}, 300_000);
