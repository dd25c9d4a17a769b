import type { Currencies } from '../../kernel/core/money.ts';
import type { Details, ProductType } from '../tables.ts';
import type { FieldErrors } from './field-errors.ts';
import type { ProductState, SlotState } from './product-state.ts';
import type { ProductPatch } from './schemas.ts';

/** The keys of a product body that belong to one type alone. */
const OWNERS = {
  variants: 'configurable',
  links: 'downloadable',
  grouped: 'grouped',
  bundle_groups: 'bundled',
  booking: 'booking',
} as const satisfies Record<string, ProductType>;

/** The keys that were given for another type than the product's. */
export const foreignKeys = (type: ProductType, input: ProductPatch): string[] =>
  // The keys of a constant object are those that it was written with.
  (Object.keys(OWNERS) as (keyof typeof OWNERS)[]).filter(
    (key) => OWNERS[key] !== type && input[key] !== undefined,
  );

/** What belongs to the type alone: as given, else as it was; a fault when a new one lacks it. */
export function detailsOf(
  before: ProductState | null,
  input: ProductPatch,
  money: Currencies,
  faults: FieldErrors,
  type: ProductType,
): Details {
  const kept = before?.type === type ? before.details : {};
  if (type === 'downloadable') return { links: linksOf(kept, input, money, faults) };
  if (type === 'grouped') {
    const grouped = input.grouped ?? kept.grouped;
    if (!grouped) faults.add('grouped', 'a grouped product needs its members');
    if (new Set(grouped?.map((member) => member.product_id)).size < (grouped?.length ?? 0)) {
      faults.add('grouped', 'names a product twice');
    }
    return { grouped: grouped ?? [] };
  }
  if (type === 'bundled') {
    const groups = input.bundle_groups ? groupsOf(kept, input.bundle_groups) : kept.bundle_groups;
    if (!groups) faults.add('bundle_groups', 'a bundled product needs its groups');
    return { bundle_groups: groups ?? [] };
  }
  if (type === 'booking') {
    const timezone = input.booking?.timezone ?? kept.timezone;
    if (!timezone) faults.add('booking', 'a booking product needs its time zone and slots');
    return { timezone: timezone ?? 'UTC' };
  }
  return {};
}

function linksOf(kept: Details, input: ProductPatch, money: Currencies, faults: FieldErrors) {
  if (!input.links) return kept.links ?? [];
  const ids = numbering(kept.links ?? [], input.links);
  return input.links.map(({ title, url, price, prices }, n) => ({
    id: ids[n] ?? 0,
    title,
    url,
    prices: faults.prices(`links.${n}.`, price, prices ?? {}, money),
  }));
}

function groupsOf(kept: Details, groups: NonNullable<ProductPatch['bundle_groups']>) {
  const before = kept.bundle_groups ?? [];
  const ids = numbering(before, groups);
  const itemIds = numbering(
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

/** Keeps the ids that were given and existed, and numbers the others on from the highest. */
function numbering(before: readonly { id: number }[], wanted: readonly { id?: number | undefined }[]) {
  const known = new Set(before.map(({ id }) => id));
  const used = new Set<number>();
  let highest = Math.max(0, ...known);
  return wanted.map(({ id }) => {
    const mine = id !== undefined && known.has(id) && !used.has(id) ? id : ++highest;
    used.add(mine);
    return mine;
  });
}

/** The slots as given, matched by id, else by their times with one that no other names; or as they were. */
export function slotsOf(
  before: ProductState | null,
  input: ProductPatch,
  faults: FieldErrors,
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
  faults.repeated(ids, (n) => `${at(n)}.id`, 'is that of another slot');
  faults.repeated(wanted.map(times), at, 'has the times of another slot');
  const named = new Set(ids);
  return wanted.map((slot, n) => {
    const old = known.find((one) =>
      slot.id === undefined ? !named.has(one.id ?? 0) && times(one) === times(slot) : one.id === slot.id,
    );
    if (slot.id !== undefined && !old) faults.add(`${at(n)}.id`, 'is not a slot of this product');
    return { ...slot, id: old?.id ?? null };
  });
}

/** Every product that a grouped or bundled one names, whether its stock counts or not. */
export const memberIds = ({ grouped = [], bundle_groups = [] }: Details): number[] => [
  ...new Set([...grouped, ...bundle_groups.flatMap(({ items }) => items)].map((one) => one.product_id)),
];

/** Details that name a product no more; a group may be empty then. */
export function without({ grouped, bundle_groups, ...details }: Details, productId: number): Details {
  const others = (one: { product_id: number }) => one.product_id !== productId;
  return {
    ...details,
    ...(grouped && { grouped: grouped.filter(others) }),
    ...(bundle_groups && {
      bundle_groups: bundle_groups.map((group) => ({ ...group, items: group.items.filter(others) })),
    }),
  };
}

/** No product has this id: a required group that has nothing left has it for a member, and so no stock. */
const NOTHING = 0;

/** The products whose stock makes a product's, by group. */
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
  // Without a required group any one choice makes the bundle: all items count as one group.
  const counted = required.length > 0 ? required : groups.map((group) => ({ ...group, id: 0 }));
  const members = counted.flatMap(({ id: groupId, required: needed, items }) =>
    (items.length > 0 || !needed ? items : [{ product_id: NOTHING, quantity: 1 }]).map(
      ({ product_id, quantity }) => ({ groupId, memberId: product_id, quantity }),
    ),
  );
  const byKey = new Map(members.map((member) => [`${member.groupId}:${member.memberId}`, member]));
  return [...byKey.values()];
}
