import type { SlotFields } from '../../inventory/index.ts';
import { keysOf } from '../../kernel/core/records.ts';
import type { Patch } from '../patches/patch.ts';
import type { ProductPatch } from '../products/input-schemas.ts';
import type { Details, ProductType } from '../tables.ts';
import type { FieldErrors } from './field-errors.ts';
import { assignLocalIds, withLastIds } from './local-ids.ts';

/** Product type of each type-specific key of a product body. */
const TYPE_OF_KEY = {
  variants: 'configurable',
  links: 'downloadable',
  grouped: 'grouped',
  bundle_groups: 'bundled',
  booking: 'booking',
} as const satisfies Record<string, ProductType>;

/** Returns the given keys that belong to another type than the product's. All types are read with `variants`. */
export const keysOfOtherTypes = (type: ProductType, input: ProductPatch): string[] =>
  keysOf(TYPE_OF_KEY).filter(
    (key) => TYPE_OF_KEY[key] !== type && (key === 'variants' ? input.variants?.length : input[key]),
  );

/**
 * Returns the type-specific fields: as given, else as before. Adds an error when a required one is missing.
 */
export const patchDetails = (patch: Patch): Details => withLastIds(typeDetails(patch), patch.before?.details);

function typeDetails({ before, input, type, errors }: Patch): Details {
  const { lastIds } = before?.details ?? {};
  const kept: Details = before?.type === type ? before.details : { ...(lastIds && { lastIds }) };
  if (type === 'downloadable') return { links: patchLinks(kept, input, errors) };
  if (type === 'grouped') return { grouped: patchMembers(kept, input, errors) };
  if (type === 'bundled') return { bundle_groups: patchGroups(kept, input, errors) };
  if (type === 'booking') return { timezone: patchTimezone(kept, input, errors) };
  return {};
}

function patchMembers(kept: Details, input: ProductPatch, errors: FieldErrors) {
  const members = input.grouped ?? kept.grouped;
  if (!members) errors.add('grouped', 'is required for a grouped product');
  const ids = (members ?? []).map((member) => member.product_id);
  if (new Set(ids).size < ids.length) errors.add('grouped', 'must not repeat a product');
  return members ?? [];
}

function patchTimezone(kept: Details, input: ProductPatch, errors: FieldErrors): string {
  const timezone = input.booking?.timezone ?? kept.timezone;
  if (!timezone) errors.add('booking', 'is required for a booking product');
  return timezone ?? 'UTC';
}

function patchLinks(kept: Details, input: ProductPatch, errors: FieldErrors) {
  if (!input.links) return kept.links ?? [];
  const before = kept.links ?? [];
  const ids = assignLocalIds(kept, 'links', input.links);
  return input.links.map(({ id, title, url, price, prices }, n) => {
    const known = before.find((link) => link.id === id && link.id === ids[n])?.url;
    if (url === undefined && known === undefined) errors.add(`links.${n}.url`, 'is required for a new link');
    return {
      id: ids[n] ?? 0,
      title,
      url: url ?? known ?? '',
      prices: errors.prices(`links.${n}.`, price, prices ?? {}),
    };
  });
}

function patchGroups(kept: Details, input: ProductPatch, errors: FieldErrors) {
  const groups = input.bundle_groups;
  if (!groups) {
    if (!kept.bundle_groups) errors.add('bundle_groups', 'is required for a bundled product');
    return kept.bundle_groups ?? [];
  }
  const ids = assignLocalIds(kept, 'groups', groups);
  const items = groups.flatMap((group) => group.items);
  const itemIds = assignLocalIds(kept, 'items', items);
  let next = 0;
  return groups.map(({ title, required, multiple, items: own }, n) => ({
    id: ids[n] ?? 0,
    title,
    required,
    multiple,
    items: own.map((item) => ({ ...item, id: itemIds[next++] ?? 0 })),
  }));
}

/**
 * Returns the given slots, matched by id, else by their times with an unclaimed slot; or the previous slots.
 */
export function patchSlots({ before, input, errors }: Patch): readonly SlotFields[] {
  const known = before?.slots ?? [];
  if (!input.booking) return known;
  const wanted = input.booking.slots.map(({ id, from, to, capacity }) => ({
    id,
    startsAt: Date.parse(from),
    endsAt: Date.parse(to),
    capacity,
  }));
  const at = (n: number) => `booking.slots.${n}`;
  const times = ({ startsAt, endsAt }: Omit<SlotFields, 'id'>) => `${startsAt} ${endsAt}`;
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
