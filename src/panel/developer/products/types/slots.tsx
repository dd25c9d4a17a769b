import { localTime } from '../../../../kernel/values/time-zone.ts';
import type { Page } from '../../../../web/index.ts';
import { listSection } from '../editor/list-section.tsx';
import { sectionPages } from '../editor/section.tsx';
import type { Item } from '../product.tsx';
import { apiSlots, type LocalSlot, SlotFields, SlotForm } from './slot-fields.tsx';

const zoneOf = ({ booking }: Item): string => booking?.timezone ?? 'UTC';

/** Returns a product's slots in local times. */
const slotsOf = (product: Item): LocalSlot[] =>
  (product.booking?.slots ?? []).map(({ id, from, to, capacity }) => ({
    id,
    capacity,
    from: localTime(from, zoneOf(product)),
    to: localTime(to, zoneOf(product)),
  }));

/** Returns the booking of a patch. Local times that are not changed keep their instants, also where clocks change. */
function bookingPatch(product: Item, slots: readonly LocalSlot[], timezone: string) {
  const stored = new Map(slotsOf(product).map((slot) => [slot.id, slot]));
  const instants = new Map(product.booking?.slots.map((slot) => [slot.id, slot]));
  return {
    timezone,
    slots: apiSlots(slots, timezone).map((slot, n) => {
      const kept = slot.id === undefined ? undefined : instants.get(slot.id);
      if (!kept || timezone !== zoneOf(product)) return slot;
      const [before, local] = [stored.get(kept.id), slots[n]];
      return {
        ...slot,
        from: before?.from === local?.from ? kept.from : slot.from,
        to: before?.to === local?.to ? kept.to : slot.to,
      };
    }),
  };
}

/** The time slots of a booking. */
export const slotPages: readonly Page[] = sectionPages(
  listSection({
    path: '/slots',
    submit: 'Save slots',
    form: SlotForm,
    key: 'slots',
    label: 'Time slots',
    listOf: slotsOf,
    parts: [{ key: 'timezone', label: 'Time zone', of: zoneOf }],
    write: (product, slots, { changed: { timezone = zoneOf(product) } }) => ({
      booking: bookingPatch(product, slots, String(timezone)),
    }),
    fields: ({ f, product }, slots) => {
      const booked = new Map(
        product.booking?.slots.map(({ id, capacity, available }) => [id, capacity - available]),
      );
      const shown = slots.map((slot) => ({ ...slot, booked: booked.get(slot.id ?? 0) ?? 0 }));
      return <SlotFields f={f} timezone={zoneOf(product)} slots={shown} />;
    },
  }),
);
