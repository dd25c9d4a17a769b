import { loadBySlugs, numbered, type ProductState, type Shop, type Wish } from '../catalog/index.ts';
import { itemsBySku } from '../inventory/index.ts';
import type { Database } from '../kernel/database.ts';
import type { Columns } from './columns.ts';
import { desired } from './desired.ts';
import type { Group } from './groups.ts';
import type { LineError } from './line.ts';
import type { CategoryPaths } from './paths.ts';
import { type MappedProduct, mapProduct } from './shopify.ts';
import { madeSku } from './sku.ts';
import { metBefore } from './store.ts';
import type { ImportRow } from './tables.ts';

/** What an import has at hand while it runs. */
export interface Desk {
  readonly db: Database;
  readonly shop: Shop;
  readonly columns: Columns;
  readonly paths: CategoryPaths;
}

/** What is to be done for some products of a file. */
export interface Plan {
  /** The products as they shall be, unchanged ones included. */
  readonly writes: Awaited<ReturnType<typeof numbered>>;
  /** All products that were met, and their lines. */
  readonly met: readonly { readonly slug: string; readonly line: number }[];
  /** One for each line that can't be taken, in order. */
  readonly errors: readonly LineError[];
}

/** Looks up what the shop has of these products and says what has to be written. */
export async function planGroups(desk: Desk, row: ImportRow, groups: readonly Group[]): Promise<Plan> {
  const { db, shop } = desk;
  const { products, errors } = mapAll(desk, groups);
  const slugs = products.map(({ slug }) => slug);
  const [stored, met, items] = await Promise.all([
    loadBySlugs(db, shop.tenantId, slugs),
    metBefore(db, row, slugs),
    itemsBySku(db, shop.tenantId, products.flatMap(skusOf)),
  ]);
  const owners = new Map<string, string | number>(items.map((item) => [item.sku, item.product_id]));
  const wishes: Wish[] = [];
  const fresh: { slug: string; line: number }[] = [];
  for (const product of products) {
    const { slug, line } = product;
    const elsewhere = met.get(slug);
    if (elsewhere !== undefined) {
      errors.push({
        line,
        message: `Lines of "${slug}" stand apart, from line ${elsewhere} on: move them together.`,
      });
      continue;
    }
    met.set(slug, line);
    fresh.push({ slug, line });
    const before = stored.get(slug) ?? null;
    const { after, errors: lost } = desired(product, before, {
      currency: shop.currency,
      setsStock: row.setsStock,
      isTaken: (sku) => ![undefined, slug, before?.id].includes(owners.get(sku)),
    });
    errors.push(...lost);
    if (!after) continue;
    for (const { sku } of [after, ...after.variants]) owners.set(sku, slug);
    const category = await desk.paths.idAt(product.categoryPath ?? []);
    if (typeof category === 'object' && category !== null) {
      errors.push({ line, message: `Its category can't be made. ${category.failure.message ?? ''}` });
    } else wishes.push({ before, after: inCategory(category, after) });
  }
  return { writes: await numbered(db, wishes, shop.currency), met: fresh, errors: byLine(errors) };
}

/** Puts a product into the file's category, unless it is there already, beside others maybe. */
const inCategory = (id: number | null, after: ProductState): ProductState =>
  id === null || after.categoryIds.includes(id) ? after : { ...after, categoryIds: [id] };

function mapAll({ columns, shop }: Desk, groups: readonly Group[]) {
  const products: MappedProduct[] = [];
  const errors: LineError[] = [];
  for (const group of groups) {
    const mapped = mapProduct(group.rows, columns, shop.currency);
    errors.push(...group.errors, ...mapped.errors);
    // A line that can't be read may be a variant: then none that the shop has may go.
    const whole = group.errors.length === 0;
    if (mapped.product) products.push(whole ? mapped.product : { ...mapped.product, complete: false });
  }
  return { products, errors };
}

/** Every SKU that the product may come to have. */
const skusOf = ({ slug, variants }: MappedProduct): string[] => [
  madeSku(slug),
  ...variants.map(({ sku }) => sku),
];

/** One error for each line, in their order. */
export function byLine(errors: readonly LineError[]): LineError[] {
  const lines = Map.groupBy(errors, ({ line }) => line);
  return [...lines]
    .sort(([a], [b]) => a - b)
    .map(([line, list]) => ({ line, message: list.map(({ message }) => message).join(' ') }));
}
