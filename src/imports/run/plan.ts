import {
  assignIds,
  type CatalogContext,
  fittingSlugs,
  itemsAdded,
  loadBySlugs,
  MAX_SLUG_LENGTH,
  type ProductDraft,
  type ProductState,
  type StoredProduct,
} from '../../catalog/index.ts';
import { itemsBySku } from '../../inventory/index.ts';
import { slugify } from '../../kernel/text/fold.ts';
import { lengthOf } from '../../kernel/text/text.ts';
import type { Columns } from '../csv/columns.ts';
import type { CellSource, LineError, Row } from '../csv/csv-row.ts';
import type { Group } from '../csv/groups.ts';
import { byLine, LineErrors, skusByLine } from '../csv/line-errors.ts';
import { type MappedProduct, mapProduct, slugOfHandle } from '../csv/shopify.ts';
import { deriveSku } from '../csv/sku.ts';
import { seenBefore } from '../progress.ts';
import type { ImportRow } from '../tables.ts';
import { type CategoryPaths, ignoredLevels, type Path, usedLevels } from './category-paths.ts';
import { type DryRun, skusWithout } from './dry-run.ts';
import type { MergeContext } from './match-variants.ts';
import { mergeProduct, refusalOf } from './merge-product.ts';
import { ProductQuota } from './product-quota.ts';
import { type PictureHome, uploadedPictures } from './uploaded-pictures.ts';

/** The dependencies of a running import. */
export interface PlanContext extends CatalogContext, PictureHome {
  readonly columns: Columns;
  readonly paths: CategoryPaths;
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

/** The first line of a product's group. */
interface SeenProduct {
  readonly slug: string;
  readonly line: number;
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
  const source = await cellSource(context, groups, lines);
  const all = groups.map((group) => mapGroup(source, group));
  const mapped = await fittingGroups(context, all);
  const slugs = mapped.flatMap(({ seen }) => seen?.slug ?? []);
  const skus = mapped.flatMap(({ product }) => (product ? skusOf(product) : []));
  const [stored, known, items, planned, quota] = await Promise.all([
    loadBySlugs(context, slugs),
    seenBefore(context, row.id, slugs),
    itemsBySku(context, skus),
    dryRun?.owners(skus) ?? [],
    context.isOverQuota ? ProductQuota.load(context, dryRun) : null,
  ]);
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

/** Reads what the cells of these groups name. */
async function cellSource(context: PlanContext, groups: readonly Group[], lines: readonly Row[]) {
  const { columns, currency } = context;
  // No slug is longer, and a cell may have a million characters.
  const accented = groups.flatMap(({ handle }) =>
    handle !== null && lengthOf(handle) <= MAX_SLUG_LENGTH && slugify(handle) !== handle ? handle : [],
  );
  const [pictures, stored] = await Promise.all([
    uploadedPictures(context, lines, columns),
    accented.length > 0 ? loadBySlugs(context, accented) : new Map<string, StoredProduct>(),
  ]);
  return { columns, currency, pictures, slugs: new Set(stored.keys()) };
}

/** A group mapped to a product. */
interface MappedGroup {
  readonly product: MappedProduct | null;
  /** Its slug and first line; `null` if the Handle gives no slug. */
  readonly seen: SeenProduct | null;
  readonly errors: LineError[];
  /** The number of line errors that were not kept in `errors`. */
  readonly unkeptErrors: number;
}

/** A group with its stored product (null: new) and the merged one. */
interface MergedGroup {
  readonly of: MappedGroup;
  readonly before: ProductDraft['before'];
  readonly after: ProductState;
}

const fullPathOf = ({ product }: MappedGroup): Path => product?.categoryPath ?? [];
const pathOf = (group: MappedGroup): Path => usedLevels(fullPathOf(group));

function mapGroup(source: CellSource & Pick<PlanContext, 'currency'>, group: Group): MappedGroup {
  const { kept, count } = group.errors;
  const { product, errors } = mapProduct(group.rows, source, source.currency);
  // An unreadable line may be a variant, so no stored variant may be deleted.
  const whole = product && count > 0 ? { ...product, complete: false } : product;
  const droppedSlug = group.tooLong ? slugOfHandle(group.handle ?? '', source) : '';
  const seen = product ?? (droppedSlug === '' ? null : { slug: droppedSlug, line: kept[0]?.line ?? 0 });
  return { product: whole, seen, errors: [...kept, ...errors], unkeptErrors: count - kept.length };
}

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
