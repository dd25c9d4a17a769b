import {
  assignIds,
  type CatalogContext,
  fittingSlugs,
  itemsAdded,
  loadBySlugs,
  type ProductDraft,
  type ProductState,
  type StoredProduct,
} from '../../catalog/index.ts';
import { itemsBySku } from '../../inventory/index.ts';
import type { LineError } from '../csv/csv-row.ts';
import type { Group } from '../csv/groups.ts';
import { byLine, LineErrors, skusByLine } from '../csv/line-errors.ts';
import type { MappedProduct } from '../csv/shopify.ts';
import { deriveSku } from '../csv/sku.ts';
import { seenBefore } from '../progress.ts';
import type { ImportRow } from '../tables.ts';
import { type CategoryPaths, ignoredLevels, type Path, usedLevels } from './category-paths.ts';
import { type DryRun, skusWithout } from './dry-run.ts';
import {
  type MapContext,
  type MappedGroup,
  mapGroups,
  type SeenProduct,
  withScattered,
} from './map-groups.ts';
import type { MergeContext } from './match-variants.ts';
import { mergeProduct, refusalOf } from './merge-product.ts';
import { ProductQuota } from './product-quota.ts';
import type { ScatteredHandles } from './scattered-handles.ts';

/** The dependencies of a running import. */
export interface PlanContext extends CatalogContext, MapContext {
  readonly paths: CategoryPaths;
  readonly scattered: ScatteredHandles;
  /** The dry run; null when products are written. */
  readonly dryRun: DryRun | null;
  /** Whether a write exceeded the quota of products: from then on, a plan leaves out what exceeds it. */
  readonly isOverQuota: boolean;
}

/** The writes for some groups of a file. */
export interface Plan {
  /** The number of groups planned, the first ones. */
  readonly taken: number;
  /** The merged products, including unchanged ones. */
  readonly writes: Awaited<ReturnType<typeof assignIds>>;
  /** All products in the groups, with their first lines. */
  readonly seen: readonly SeenProduct[];
  /** The errors of skipped lines. */
  readonly errors: LineErrors;
  /** The SKUs of the groups' rows, by line. */
  readonly skus: ReadonlyMap<number, string>;
}

/** Upper bound of categories created for the products of one batch. */
const MAX_NEW_CATEGORIES = 10;

/** Reads the stored products and plans the writes. */
export async function planGroups(
  context: PlanContext,
  row: ImportRow,
  groups: readonly Group[],
): Promise<Plan> {
  const { paths, dryRun } = context;
  const lines = groups.flatMap((group) => group.rows);
  const fitting = await fittingGroups(context, await mapGroups(context, groups));
  const slugs = fitting.flatMap(({ seen }) => seen?.slug ?? []);
  const skus = fitting.flatMap(({ product }) => (product ? skusOf(product) : []));
  const [stored, known, items, planned, quota] = await Promise.all([
    loadBySlugs(context, slugs),
    seenBefore(context, row.id, slugs),
    itemsBySku(context, skus),
    dryRun?.owners(skus) ?? [],
    context.isOverQuota ? ProductQuota.load(context, dryRun) : null,
  ]);
  const mapped = await withScattered(context.scattered, fitting, stored);
  const { seen, isRepeated } = recordAllSeen(mapped, known);
  const merged = mergeGroups(
    mapped.filter((group) => !isRepeated(group)),
    {
      stored,
      owners: new Map<string, string | number | null>([
        ...items.map((item) => [item.sku, item.product_id] as const),
        ...planned,
      ]),
      currency: context.currency,
      setsStock: row.setsStock,
      quota,
    },
  );
  const drafts = await inCategories(paths, merged);
  const errors = new LineErrors();
  for (const one of mapped) errors.add(byLine(one.errors), one.unkeptErrors);
  const writes = await assignIds(context, drafts);
  return { taken: mapped.length, writes, seen, errors, skus: skusByLine(lines, context.columns) };
}

/** Returns the first groups: those with few new categories, and with stored products that fit into memory at once. */
async function fittingGroups(context: PlanContext, all: readonly MappedGroup[]): Promise<MappedGroup[]> {
  const few = all.slice(0, context.paths.fitting(all.map(pathOf), MAX_NEW_CATEGORIES));
  const slugs = few.map(({ seen }) => seen?.slug ?? '');
  return few.slice(0, await fittingSlugs(context, slugs));
}

/** A group with its stored product (null: new) and the merged one. */
interface MergedGroup {
  readonly of: MappedGroup;
  readonly before: ProductDraft['before'];
  readonly after: ProductState;
}

const fullPathOf = ({ product }: MappedGroup): Path => product?.categoryPath ?? [];
const pathOf = (group: MappedGroup): Path => usedLevels(fullPathOf(group));

/** Records the groups' products. Adds an error to each group whose product the import has read before. */
function recordAllSeen(groups: readonly MappedGroup[], known: Map<string, number>) {
  const seen: SeenProduct[] = [];
  const repeated = new Set<MappedGroup>();
  for (const group of groups) {
    const error = recordSeen(group, known, seen);
    if (!error) continue;
    group.errors.push(error);
    repeated.add(group);
  }
  return { seen, isRepeated: (group: MappedGroup) => repeated.has(group) };
}

/** The stored products by slug, the owner of each SKU (a product's id or slug, or null), and options. */
interface MergeSources extends Omit<MergeContext, 'isTaken'> {
  readonly stored: ReadonlyMap<string, StoredProduct>;
  readonly owners: Map<string, string | number | null>;
  /** Null while no write has exceeded it. */
  readonly quota: ProductQuota | null;
}

/** Merges the groups' products into the stored ones, in order. Adds the errors of skipped lines. */
function mergeGroups(groups: readonly MappedGroup[], sources: MergeSources): MergedGroup[] {
  const { stored, owners, quota } = sources;
  return groups.flatMap((group) => {
    const { product } = group;
    if (!product) return [];
    const before = stored.get(product.slug) ?? null;
    const { after, errors } = mergeProduct(product, before, {
      ...sources,
      isTaken: (sku) => ![null, product.slug, before?.id].includes(owners.get(sku) ?? null),
    });
    for (const error of errors) group.errors.push(error);
    if (!after) return [];
    const refused =
      refusalOf(before?.state ?? null, after) ?? quota?.add(itemsAdded({ before, after })) ?? null;
    if (refused !== null) {
      group.errors.push({ line: product.line, message: refused });
      return [];
    }
    for (const sku of skusWithout(before?.state, after)) owners.set(sku, null);
    for (const sku of skusWithout(after)) owners.set(sku, product.slug);
    return [{ of: group, before, after }];
  });
}

/** Records a group's product; returns an error if the import has read the product before. */
function recordSeen(
  { seen, product }: MappedGroup,
  known: Map<string, number>,
  newlySeen: SeenProduct[],
): LineError | null {
  if (!seen) return null;
  const { slug, line } = seen;
  const firstLine = known.get(slug);
  if (firstLine === undefined) {
    known.set(slug, line);
    newlySeen.push({ slug, line });
    return null;
  }
  if (!product) return null;
  return {
    line,
    message: `Lines of "${slug}" also begin on line ${firstLine}: the lines of one product must be contiguous.`,
  };
}

/** Assigns products to the file's categories; a product already in its category keeps its other categories. */
async function inCategories(paths: CategoryPaths, merged: readonly MergedGroup[]): Promise<ProductDraft[]> {
  const isThere = ({ of, after }: MergedGroup) =>
    after.categoryIds.some((id) => paths.isNamedBy(fullPathOf(of), id));
  const refused = await paths.make(merged.filter((one) => !isThere(one)).map(({ of }) => pathOf(of)));
  return merged.flatMap((one) => {
    const { of, before, after } = one;
    if (isThere(one)) return [{ before, after }];
    const id = paths.idAt(pathOf(of));
    const report = (message: string) =>
      of.errors.push({ line: of.product?.line ?? 0, columns: ['category', 'productType'], message });
    if (id === undefined) {
      report(`Its category can't be created. ${refused?.failure.message ?? ''}`);
      return [];
    }
    const ignored = ignoredLevels(fullPathOf(of));
    if (ignored !== null) report(ignored);
    const stays = id === null || after.categoryIds.includes(id);
    return [{ before, after: stays ? after : { ...after, categoryIds: [id] } }];
  });
}

/** Returns every SKU that the product may get. */
const skusOf = ({ slug, variants }: MappedProduct): string[] => [
  deriveSku(slug),
  ...variants.map(({ sku }) => sku),
];
