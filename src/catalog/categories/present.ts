import { iso } from '../../kernel/core/clock.ts';
import { type CategoryDetailRow, type CategoryRow, column } from '../reads/rows.ts';
import { bySibling } from './placement.ts';
import type { Category, ProductCategory } from './schemas.ts';

/** Returns a category as the products in it show it. */
export function presentProductCategory(row: CategoryRow): ProductCategory {
  const seo = column.seo(row.seo);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    parent_id: row.parent_id,
    image_url: row.image_url,
    ...(seo === null ? {} : { seo }),
    children: [],
  };
}

/** What a reader of categories sees. */
export interface CategoryView {
  /** Whether hidden categories are included. */
  readonly hidden: boolean;
  /** Whether `metadata` is included: for callers with `catalog:write` only. */
  readonly metadata: boolean;
}

/** Returns a category with the given children. */
const presentCategory = (
  row: CategoryDetailRow,
  view: CategoryView,
  children: readonly Category[],
): Category => ({
  ...presentProductCategory(row),
  description: row.description,
  product_count: row.product_count,
  hidden: row.hidden === 1,
  updated_at: iso(row.updated_at),
  ...(view.metadata && { metadata: column.metadata(row.metadata) }),
  children: [...children],
});

/**
 * Returns the categories among `roots` with their descendants, siblings in order. Without `hidden`, a
 * hidden category is left out with its descendants.
 */
export function presentTree(
  rows: readonly CategoryDetailRow[],
  roots: (row: CategoryDetailRow) => boolean,
  view: CategoryView,
): Category[] {
  const shown = rows.filter((row) => view.hidden || row.hidden === 0);
  const below = Map.groupBy(shown, (row) => row.parent_id);
  const build = (siblings: readonly CategoryDetailRow[]): Category[] =>
    siblings.toSorted(bySibling).map((row) => presentCategory(row, view, build(below.get(row.id) ?? [])));
  return build(shown.filter(roots));
}
