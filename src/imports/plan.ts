import {
  assignIds,
  type CatalogScope,
  loadBySlugs,
  type ProductDraft,
  type ProductState,
} from '../catalog/index.ts';
import { itemsBySku } from '../inventory/index.ts';
import { slugify } from '../kernel/core/fold.ts';
import type { Database } from '../kernel/data/database.ts';
import type { CategoryPaths, Path } from './category-paths.ts';
import type { Columns } from './csv/columns.ts';
import type { LineError } from './csv/csv-row.ts';
import type { Group } from './csv/groups.ts';
import { byLine, LineErrors } from './csv/line-errors.ts';
import { type MappedProduct, mapProduct } from './csv/shopify.ts';
import { madeSku } from './csv/sku.ts';
import { mergeProduct } from './merge-product.ts';
import { metBefore } from './store.ts';
import type { ImportRow } from './tables.ts';

/** What an import has at hand while it runs. */
export interface PlanContext {
  readonly db: Database;
  readonly shop: CatalogScope;
  readonly columns: Columns;
  readonly paths: CategoryPaths;
}

/** What is to be done for some products of a file. */
export interface Plan {
  /** How many of the groups are planned: the rest needs more new categories than fit. */
  readonly taken: number;
  /** The products as they shall be, unchanged ones included. */
  readonly writes: Awaited<ReturnType<typeof assignIds>>;
  /** All products that were met, and their lines. */
  readonly met: readonly Met[];
  /** The lines that can't be taken. */
  readonly errors: LineErrors;
}

/** The line that a product's group begins on. */
interface Met {
  readonly slug: string;
  readonly line: number;
}

/** So many categories are made at most for the products that are written together. */
const NEW_CATEGORIES = 10;

/** Looks up what the shop has of these products and says what has to be written. */
export async function planGroups(desk: PlanContext, row: ImportRow, groups: readonly Group[]): Promise<Plan> {
  const { db, shop, paths } = desk;
  const all = groups.map((group) => mapGroup(desk, group));
  const mapped = all.slice(0, paths.fitting(all.map(pathOf), NEW_CATEGORIES));
  const products = mapped.flatMap(({ product }) => product ?? []);
  const slugs = mapped.flatMap(({ met }) => met?.slug ?? []);
  const [stored, known, items] = await Promise.all([
    loadBySlugs(db, shop.tenantId, slugs),
    metBefore(db, row, slugs),
    itemsBySku(db, shop.tenantId, products.flatMap(skusOf)),
  ]);
  const owners = new Map<string, string | number>(items.map((item) => [item.sku, item.product_id]));
  const met: Met[] = [];
  const wanted: Wanted[] = [];
  for (const one of mapped) {
    const { product } = one;
    const apart = meet(one, known, met);
    if (apart) one.errors.push(apart);
    if (apart || !product) continue;
    const before = stored.get(product.slug) ?? null;
    const { after, errors } = mergeProduct(product, before, {
      currency: shop.currency,
      setsStock: row.setsStock,
      isTaken: (sku) => ![undefined, product.slug, before?.id].includes(owners.get(sku)),
    });
    for (const error of errors) one.errors.push(error);
    if (!after) continue;
    for (const { sku } of [after, ...after.variants]) owners.set(sku, product.slug);
    wanted.push({ of: one, before, after });
  }
  const wishes = await inCategories(paths, wanted);
  const errors = new LineErrors();
  for (const one of mapped) {
    const kept = byLine(one.errors);
    errors.add(kept, one.unkept);
  }
  return { taken: mapped.length, writes: await assignIds(db, wishes, shop.currency), met, errors };
}

/** What a group comes to. */
interface MappedGroup {
  readonly product: MappedProduct | null;
  /** Under which slug its lines were met; `null` where they have no Handle that makes one. */
  readonly met: Met | null;
  readonly errors: LineError[];
  /** How many lines with an error are in `errors` no more. */
  readonly unkept: number;
}

interface Wanted {
  readonly of: MappedGroup;
  readonly before: ProductDraft['before'];
  readonly after: ProductState;
}

const pathOf = ({ product }: MappedGroup): Path => product?.categoryPath ?? [];

function mapGroup({ columns, shop }: PlanContext, group: Group): MappedGroup {
  const { kept, count } = group.errors;
  const { product, errors } = mapProduct(group.rows, columns, shop.currency);
  // A line that can't be read may be a variant: then none that the shop has may go.
  const whole = product && count > 0 ? { ...product, complete: false } : product;
  const dropped = group.tooLong ? { slug: slugify(group.handle ?? ''), line: kept[0]?.line ?? 0 } : null;
  const met = product ?? (dropped?.slug ? dropped : null);
  return { product: whole, met, errors: [...kept, ...errors], unkept: count - kept.length };
}

/** Notes that a group was met; returns the error where lines of its product stand elsewhere too. */
function meet({ met, product }: MappedGroup, known: Map<string, number>, fresh: Met[]): LineError | null {
  if (!met) return null;
  const { slug, line } = met;
  const elsewhere = known.get(slug);
  if (elsewhere === undefined) {
    known.set(slug, line);
    fresh.push({ slug, line });
    return null;
  }
  if (!product) return null;
  return { line, message: `Lines of "${slug}" stand apart, from line ${elsewhere} on: move them together.` };
}

/** Puts products into the file's categories, unless they are there already, beside others maybe. */
async function inCategories(paths: CategoryPaths, wanted: readonly Wanted[]): Promise<ProductDraft[]> {
  const refused = await paths.make(wanted.map(({ of }) => pathOf(of)));
  return wanted.flatMap(({ of, before, after }) => {
    const id = paths.idAt(pathOf(of));
    if (id === undefined) {
      const why = refused?.failure.message ?? '';
      of.errors.push({ line: of.product?.line ?? 0, message: `Its category can't be made. ${why}` });
      return [];
    }
    const stays = id === null || after.categoryIds.includes(id);
    return [{ before, after: stays ? after : { ...after, categoryIds: [id] } }];
  });
}

/** Every SKU that the product may come to have. */
const skusOf = ({ slug, variants }: MappedProduct): string[] => [
  madeSku(slug),
  ...variants.map(({ sku }) => sku),
];
