import type { Details } from '../tables.ts';
import type { ProductState } from './product-state.ts';

/** Returns the ids of all products that a group or bundle names, whether their stock counts or not. */
export const memberIds = ({ grouped = [], bundle_groups = [] }: Details): number[] => [
  ...new Set([...grouped, ...bundle_groups.flatMap(({ items }) => items)].map((one) => one.product_id)),
];

/** Placeholder member, an id that no product has, which gives an empty required group a stock of 0. */
const NO_PRODUCT_ID = 0;

/** Returns the members that determine the product's stock, by group. */
export function membersOf({ details, type }: Pick<ProductState, 'details' | 'type'>) {
  if (type === 'grouped') {
    return (details.grouped ?? []).map(({ product_id }) => ({
      groupId: 0,
      memberId: product_id,
      quantity: 1,
    }));
  }
  const groups = details.bundle_groups ?? [];
  const required = groups.filter((group) => group.required);
  // Without a required group, any single item makes the bundle, so all items count as one group.
  const countedGroups = required.length > 0 ? required : groups.map((group) => ({ ...group, id: 0 }));
  const members = countedGroups.flatMap(({ id: groupId, required: needed, items }) =>
    (items.length > 0 || !needed ? items : [{ product_id: NO_PRODUCT_ID, quantity: 1 }]).map(
      ({ product_id, quantity }) => ({ groupId, memberId: product_id, quantity }),
    ),
  );
  // A group may offer a product in several quantities: the smallest, which comes last, can be chosen the longest.
  const largestFirst = members.toSorted((a, b) => b.quantity - a.quantity);
  const byKey = new Map(largestFirst.map((member) => [`${member.groupId}:${member.memberId}`, member]));
  return [...byKey.values()];
}
