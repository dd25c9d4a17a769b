import { type CategoryRow, column } from '../reads/rows.ts';
import type { Category } from './schemas.ts';

/** Returns a category with the given children. */
export const presentCategory = (row: CategoryRow, children: Category[] = []): Category => {
  const seo = column.seo(row.seo);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    parent_id: row.parent_id,
    image_url: row.image_url,
    ...(seo === null ? {} : { seo }),
    children,
  };
};

/** Returns the tree below `root` (null: the whole tree), siblings sorted by name. */
export function presentTree(rows: readonly CategoryRow[], root: number | null): Category[] {
  const below = Map.groupBy(rows, (row) => row.parent_id);
  const build = (parent: number | null): Category[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id)
      .map((row) => presentCategory(row, build(row.id)));
  return build(root);
}
