import type { SellableView } from '../../catalog/index.ts';
import { iso } from '../../kernel/core/clock.ts';
import { ownEntry } from '../../kernel/core/records.ts';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import { isInCalendar } from '../../kernel/values/time-zone.ts';
import type { Json, Options, ResolvedOptions } from './offer.ts';

/** Resolves `{"booking": {"from": ISO, "to": ISO}}` to the future slot with these times. */
export function resolveSlot(
  { product, slots, details }: SellableView,
  options: Options,
  at: number,
): Result<ResolvedOptions> {
  const booking = ownEntry(options, 'booking');
  const open = slots.filter(({ startsAt }) => startsAt > at);
  if (booking === undefined || booking === null || typeof booking !== 'object' || Array.isArray(booking)) {
    return invalid('options.booking', `is required: {"from", "to"} of a slot${slotList(open)}`);
  }
  const period = readPeriod(booking as Options); // The check above leaves only an object.
  if (!period.ok) return period;
  const { startsAt, endsAt } = period.value;
  const slot = open.find((one) => one.startsAt === startsAt && one.endsAt === endsAt);
  if (!slot) return invalid('options.booking', `must be an open slot${slotList(open)}`);
  const need = {
    kind: 'slot' as const,
    id: slot.id,
    productId: product.id,
    variantId: null,
    quantity: 1,
    available: slot.free,
    period: period.value,
  };
  const times = { from: iso(startsAt), to: iso(endsAt) };
  const { timezone = 'UTC' } = details;
  return ok({
    options: { booking: times },
    selected: [
      { name: 'From', value: times.from, timezone },
      { name: 'To', value: times.to, timezone },
    ],
    prices: product.prices,
    ships: false,
    needs: [need],
    until: startsAt,
  });
}

/** Returns the times of a booking, or which of them is no date-time. */
function readPeriod({ from, to }: Options): Result<{ startsAt: number; endsAt: number }> {
  const [startsAt, endsAt] = [instant(from), instant(to)];
  if (startsAt === null)
    return invalid('options.booking.from', 'must be a date-time such as 2027-05-01T09:00:00Z');
  if (endsAt === null)
    return invalid('options.booking.to', 'must be a date-time such as 2027-05-01T10:00:00Z');
  return ok({ startsAt, endsAt });
}

/** Parses an ISO 8601 date-time with an offset to ms; null if invalid or not in the calendar. */
function instant(value: Json | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value)) return null;
  if (!isInCalendar(value.slice(0, 16))) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}

/** Lists the next 5 slots for an error message. */
const slotList = (slots: SellableView['slots']): string => {
  const next = slots.toSorted((a, b) => a.startsAt - b.startsAt).slice(0, 5);
  const names = next.map(({ startsAt, endsAt }) => `${iso(startsAt)} to ${iso(endsAt)}`);
  return names.length === 0 ? ': none is open' : ` such as ${names.join('; ')}`;
};
