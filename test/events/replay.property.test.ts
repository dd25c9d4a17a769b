/** A copy of the catalogue that follows the events equals what the API shows, and each event names what changed. */
import { afterEach, expect, inject, it, vi } from 'vitest';
import { Generator } from '../catalog/filters/filter-catalogue.ts';
import { productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { changeCatalogue, changingShop } from '../support/fixtures/catalog/random-changes.ts';
import { stopClockAt } from '../support/fixtures/catalog/sales.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { random } from '../support/seeded-random.ts';
import type { Answer, World } from '../support/world.ts';
import { pullAll } from './feed/pull-events.ts';

type Product = Answer['body'];

const CHANGES = 15;

/** The fields of a product that an editor sets, with the name that an event has for a change of each. */
const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['sku', 'name', 'slug', 'type', 'status', 'price', 'description', 'images', 'seo', 'barcode', 'tags']
      .concat(['vendor', 'tax_class', 'weight', 'attributes', 'metadata', 'inventory_policy', 'links'])
      .concat(['grouped', 'bundle_groups'])
      .map((field) => [field, field]),
  ),
  prices: 'price',
  categories: 'category_ids',
};

/** The stock of everything, by the id of the product or variant. Lists may lag. */
async function stockById(shop: World): Promise<Map<number, number>> {
  const { results } = await storeOf(shop)
    .prepare(
      'SELECT id, max(0, on_hand - reserved) AS stock FROM inventory_items WHERE tenant_id = ? AND deleted = 0',
    )
    .bind(shop.tenantId)
    .all<{ id: number; stock: number }>();
  return new Map(results.map(({ id, stock }) => [id, stock]));
}

/** Returns the products by id, as editors see them. */
const productsOf = async (shop: World): Promise<Map<number, Product>> =>
  new Map(Object.values(await productsBySlug(shop)).map((product: Product) => [product.id, product]));

/** A copy of a catalogue that knows of its changes by events alone. */
class Copy {
  readonly products = new Map<number, Product>();
  readonly stock = new Map<number, number>();
  private cursor: string | null = null;

  constructor(private readonly shop: World) {}

  /** Applies all new events; returns the names of changed fields, by product. */
  async pull(): Promise<Map<number, Set<string>>> {
    const { events, cursor } = await pullAll(this.shop, 'limit=100', this.cursor);
    this.cursor = cursor;
    const changes = new Map<number, Set<string>>();
    for (const { type, data } of events) {
      if (type === 'stock.changed') this.move(data);
      if (type !== 'product.updated') continue;
      const { changed, former_slug, sequence, occurred_at, category_ids, stock, in_stock, ...fields } = data;
      if (former_slug !== undefined) expect(this.products.get(data.id)?.slug).toBe(former_slug);
      if (changed.includes('deleted')) this.products.delete(data.id);
      else this.products.set(data.id, fields);
      if (changed.includes('created')) this.stock.set(data.id, stock);
      changes.set(data.id, new Set([...(changes.get(data.id) ?? []), ...changed]));
    }
    return changes;
  }

  /** Each change begins where the one before ended. */
  private move({ product_id, variant_id, old_stock, new_stock }: Product): void {
    const id = variant_id ?? product_id;
    expect([id, this.stock.get(id) ?? old_stock]).toEqual([id, old_stock]);
    this.stock.set(id, new_stock);
  }

  async expectCurrent(shown: ReadonlyMap<number, Product>, asked: string): Promise<void> {
    expect([...this.products.keys()].sort(), asked).toEqual([...shown.keys()].sort());
    for (const [id, product] of this.products) expect(shown.get(id), asked).toMatchObject(product);
    const stock = await stockById(this.shop);
    for (const [id, known] of this.stock)
      if (stock.has(id)) expect([id, known], asked).toEqual([id, stock.get(id)]);
    // New variants have no event of their own before their stock changes.
    for (const [id, count] of stock) this.stock.set(id, count);
  }
}

/** Expects that each field in which two states of a product differ is named as changed. */
function expectNamed(before: Product, after: Product, names: ReadonlySet<string>, asked: string): void {
  for (const [field, name] of Object.entries(NAMES)) {
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) continue;
    expect([...names], `${asked}: ${field}`).toContain(name);
  }
}

afterEach(() => vi.restoreAllMocks());

it('has the same products and stock after any changes', async () => {
  const seed = inject('seed');
  const g = new Generator(random(seed));
  stopClockAt(Date.now());
  const changing = await changingShop(g);
  const { shop } = changing;
  const copy = new Copy(shop);
  await copy.pull();
  let before = await productsOf(shop);
  for (let changed = 0; changed < CHANGES; changed++) {
    await changeCatalogue(changing);
    const asked = `seed ${seed}, change ${changed}`;
    const names = await copy.pull();
    const after = await productsOf(shop);
    await copy.expectCurrent(after, asked);
    for (const [id, product] of after)
      expectNamed(before.get(id) ?? product, product, names.get(id) ?? new Set(), asked);
    before = after;
  }
}, 300_000);
