import {
  type CatalogContext,
  MAX_SLUG_LENGTH,
  type StoredProduct,
  storedSlugs,
} from '../../catalog/index.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { lengthOf } from '../../kernel/text/text.ts';
import type { MediaPlace } from '../../media/index.ts';
import type { Columns } from '../csv/columns.ts';
import type { CellSource, LineError } from '../csv/csv-row.ts';
import type { Group } from '../csv/groups.ts';
import { type MappedProduct, mapProduct, slugOfHandle, slugsOfHandle } from '../csv/shopify.ts';
import { leavesOut } from './match-variants.ts';
import type { ScatteredHandles } from './scattered-handles.ts';
import { uploadedPictures } from './uploaded-pictures.ts';

/** What mapping the groups of a file needs. */
export interface MapContext extends TenantContext, MediaPlace, Pick<CatalogContext, 'currency'> {
  readonly columns: Columns;
}

/** The first line of a product's group. */
export interface SeenProduct {
  readonly slug: string;
  readonly line: number;
}

/** A group mapped to a product. */
export interface MappedGroup {
  /** The Handle in lower case; `null` if it is missing. */
  readonly handle: string | null;
  readonly product: MappedProduct | null;
  /** Its slug and first line; `null` if the Handle gives no slug. */
  readonly seen: SeenProduct | null;
  readonly errors: LineError[];
  /** The number of line errors that were not kept in `errors`. */
  readonly unkeptErrors: number;
}

/** Maps groups to products, with the pictures and stored slugs that their cells name. */
export async function mapGroups(context: MapContext, groups: readonly Group[]): Promise<MappedGroup[]> {
  const source = await cellSource(context, groups);
  return groups.map((group) => mapGroup(source, group));
}

/** Reads what the cells of these groups name. */
async function cellSource(context: MapContext, groups: readonly Group[]) {
  const { columns, currency } = context;
  const lines = groups.flatMap((group) => group.rows);
  // No slug is longer, and a cell may have a million characters.
  const accented = groups.flatMap(({ handle }) =>
    handle !== null && lengthOf(handle) <= MAX_SLUG_LENGTH ? slugsOfHandle(handle) : [],
  );
  const [pictures, slugs] = await Promise.all([
    uploadedPictures(context, lines, columns),
    accented.length > 0 ? storedSlugs(context, accented) : new Set<string>(),
  ]);
  return { columns, currency, pictures, slugs };
}

function mapGroup(source: CellSource & Pick<MapContext, 'currency'>, group: Group): MappedGroup {
  const { kept, count } = group.errors;
  const { product, errors } = mapProduct(group.rows, source, source.currency);
  // An unreadable line may be a variant, so no stored variant may be deleted.
  const whole = product && count > 0 ? { ...product, complete: false } : product;
  const droppedSlug = group.tooLong ? slugOfHandle(group.handle ?? '', source) : '';
  const seen = product ?? (droppedSlug === '' ? null : { slug: droppedSlug, line: kept[0]?.line ?? 0 });
  return {
    handle: group.handle,
    product: whole,
    seen,
    errors: [...kept, ...errors],
    unkeptErrors: count - kept.length,
  };
}

/** Marks products as incomplete that leave out stored variants, which may be on lines elsewhere in the file. */
export async function withScattered(
  scattered: ScatteredHandles,
  groups: readonly MappedGroup[],
  stored: ReadonlyMap<string, StoredProduct>,
): Promise<MappedGroup[]> {
  const found: MappedGroup[] = [];
  for (const group of groups) {
    const { product, handle } = group;
    const before = product?.complete ? stored.get(product.slug) : undefined;
    const isApart = product && before && leavesOut(product, before) && (await scattered.has(handle ?? ''));
    found.push(isApart ? { ...group, product: { ...product, complete: false } } : group);
  }
  return found;
}
