import type { Details } from '../tables.ts';

/** The lists of a product whose entries have ids of their own, which carts and orders name. */
const LISTS = ['links', 'groups', 'items'] as const;
type List = (typeof LISTS)[number];

const idsIn = ({ links = [], bundle_groups = [] }: Details): Readonly<Record<List, readonly number[]>> => ({
  links: links.map(({ id }) => id),
  groups: bundle_groups.map(({ id }) => id),
  items: bundle_groups.flatMap(({ items }) => items.map(({ id }) => id)),
});

/** Returns the highest id that each list of a product has or has had. */
function lastIdsOf(details: Details): NonNullable<Details['lastIds']> {
  const ids = idsIn(details);
  const last = LISTS.map((list) => [list, Math.max(0, details.lastIds?.[list] ?? 0, ...ids[list])] as const);
  return Object.fromEntries(last.filter(([, id]) => id > 0));
}

/** Returns details that remember the ids of those before, so that no later entry gets one of them. */
export function withLastIds(after: Details, before: Details | undefined): Details {
  const current = lastIdsOf(after);
  const earlier = before ? lastIdsOf(before) : {};
  const lastIds = Object.fromEntries(
    LISTS.map((list) => [list, Math.max(current[list] ?? 0, earlier[list] ?? 0)] as const).filter(
      ([, id]) => id > 0,
    ),
  );
  return Object.keys(lastIds).length > 0 ? { ...after, lastIds } : after;
}

/**
 * Returns the ids of a list's entries: given ids that exist are kept, and the others numbered from the highest one that
 * the list ever had. An id that is gone is not given again: a cart may name it.
 */
export function assignLocalIds(
  before: Details,
  list: List,
  wanted: readonly { readonly id?: number | undefined }[],
): number[] {
  const known = new Set(idsIn(before)[list]);
  const used = new Set<number>();
  let highest = lastIdsOf(before)[list] ?? 0;
  return wanted.map(({ id }) => {
    const assigned = id !== undefined && known.has(id) && !used.has(id) ? id : ++highest;
    used.add(assigned);
    return assigned;
  });
}
