import type { Currencies } from '../../kernel/core/money.ts';
import type { Details, ProductType } from '../tables.ts';
import type { FieldErrors } from './field-errors.ts';
import type { ProductState, SlotState } from './product-state.ts';
import type { ProductPatch } from './schemas.ts';

/** Product type of each type-specific key of a product body. */
const TYPE_OF_KEY = {
  variants: 'configurable',
  links: 'downloadable',
  grouped: 'grouped',
  bundle_groups: 'bundled',
  booking: 'booking',
} as const satisfies Record<string, ProductType>;

/** Returns the given keys that belong to another type than the product's. */
export const keysOfOtherTypes = (type: ProductType, input: ProductPatch): string[] =>
  // The object is constant, so its keys are exactly those declared.
  (Object.keys(TYPE_OF_KEY) as (keyof typeof TYPE_OF_KEY)[]).filter(
    (key) => TYPE_OF_KEY[key] !== type && input[key] !== undefined,
  );

/**
 * Returns the type-specific fields: as given, else as before. Adds an error when a required one is missing.
 */
export function detailsOf(
  before: ProductState | null,
  input: ProductPatch,
  money: Currencies,
  errors: FieldErrors,
  type: ProductType,
): Details {
  const kept = before?.type === type ? before.details : {};
  if (type === 'downloadable') return { links: linksOf(kept, input, money, errors) };
  if (type === 'grouped') {
    const grouped = input.grouped ?? kept.grouped;
    if (!grouped) errors.add('grouped', 'is required for a grouped product');
    if (new Set(grouped?.map((member) => member.product_id)).size < (grouped?.length ?? 0)) {
      errors.add('grouped', 'must not repeat a product');
    }
    return { grouped: grouped ?? [] };
  }
  if (type === 'bundled') {
    const groups = input.bundle_groups ? groupsOf(kept, input.bundle_groups) : kept.bundle_groups;
    if (!groups) errors.add('bundle_groups', 'is required for a bundled product');
    return { bundle_groups: groups ?? [] };
  }
  if (type === 'booking') {
    const timezone = input.booking?.timezone ?? kept.timezone;
    if (!timezone) errors.add('booking', 'is required for a booking product');
    return { timezone: timezone ?? 'UTC' };
  }
  return {};
}

function linksOf(kept: Details, input: ProductPatch, money: Currencies, errors: FieldErrors) {
  if (!input.links) return kept.links ?? [];
  const ids = assignLocalIds(kept.links ?? [], input.links);
  return input.links.map(({ title, url, price, prices }, n) => ({
    id: ids[n] ?? 0,
    title,
    url,
    prices: errors.prices(`links.${n}.`, price, prices ?? {}, money),
  }));
}

function groupsOf(kept: Details, groups: NonNullable<ProductPatch['bundle_groups']>) {
  const before = kept.bundle_groups ?? [];
  const ids = assignLocalIds(before, groups);
  const itemIds = assignLocalIds(
    before.flatMap((group) => group.items),
    groups.flatMap((group) => group.items),
  );
  let next = 0;
  return groups.map(({ title, required, multiple, items }, n) => ({
    id: ids[n] ?? 0,
    title,
    required,
    multiple,
    items: items.map((item) => ({ ...item, id: itemIds[next++] ?? 0 })),
  }));
}

/** Keeps given ids that exist, and numbers the others from the highest existing id. */
function assignLocalIds(before: readonly { id: number }[], wanted: readonly { id?: number | undefined }[]) {
  const known = new Set(before.map(({ id }) => id));
  const used = new Set<number>();
  let highest = Math.max(0, ...known);
  return wanted.map(({ id }) => {
    const mine = id !== undefined && known.has(id) && !used.has(id) ? id : ++highest;
    used.add(mine);
    return mine;
  });
}

/**
 * Returns the given slots, matched by id, else by their times with an unclaimed slot; or the previous slots.
 */
export function slotsOf(
  before: ProductState | null,
  input: ProductPatch,
  errors: FieldErrors,
): readonly SlotState[] {
  const known = before?.slots ?? [];
  if (!input.booking) return known;
  const wanted = input.booking.slots.map(({ id, from, to, capacity }) => ({
    id,
    startsAt: Date.parse(from),
    endsAt: Date.parse(to),
    capacity,
  }));
  const at = (n: number) => `booking.slots.${n}`;
  const times = ({ startsAt, endsAt }: Omit<SlotState, 'id'>) => `${startsAt} ${endsAt}`;
  const ids = wanted.map(({ id }) => id);
  errors.repeated(ids, (n) => `${at(n)}.id`, 'must be unique among the slots');
  errors.repeated(wanted.map(times), at, 'must not have the times of another slot');
  const named = new Set(ids);
  return wanted.map((slot, n) => {
    const old = known.find((one) =>
      slot.id === undefined ? !named.has(one.id ?? 0) && times(one) === times(slot) : one.id === slot.id,
    );
    if (slot.id !== undefined && !old) errors.add(`${at(n)}.id`, 'must be a slot of this product');
    return { ...slot, id: old?.id ?? null };
  });
}

/** Every product that a grouped or bundled one names, whether its stock counts or not. */
export const memberIds = ({ grouped = [], bundle_groups = [] }: Details): number[] => [
  ...new Set([...grouped, ...bundle_groups.flatMap(({ items }) => items)].map((one) => one.product_id)),
];

/** Returns the details with a member removed. A group may become empty. */
export function withoutMember({ grouped, bundle_groups, ...details }: Details, productId: number): Details {
  const isOther = (one: { product_id: number }) => one.product_id !== productId;
  return {
    ...details,
    ...(grouped && { grouped: grouped.filter(isOther) }),
    ...(bundle_groups && {
      bundle_groups: bundle_groups.map((group) => ({ ...group, items: group.items.filter(isOther) })),
    }),
  };
}

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
  const byKey = new Map(members.map((member) => [`${member.groupId}:${member.memberId}`, member]));
  return [...byKey.values()];
}
