import { z } from 'zod';
import { DAY, MINUTE } from '../../../../kernel/core/clock.ts';
import { instantOf, isInCalendar, isTimeZone, localTime } from '../../../../kernel/values/time-zone.ts';
import {
  Checks,
  Field,
  type Filled,
  list,
  optional,
  type RowContext,
  Rows,
  rowsOf,
  wholeNumber,
} from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';

/** A time slot as a form has it: local times of the product's zone. */
export interface LocalSlot {
  readonly id?: number;
  readonly from: string;
  readonly to: string;
  readonly capacity: number;
}

const localTimeField = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\.0+)?$/, {
    abort: true,
    error: 'must be a date and time',
  })
  .refine(isInCalendar, 'must be a date and time of the calendar')
  .transform((text) => text.replace(/\.0+$/, '').replace(/(T\d{2}:\d{2}):00$/, '$1'));

const SlotRow = z
  .object({ id: wholeNumber.optional(), from: localTimeField, to: localTimeField, capacity: wholeNumber })
  .transform(({ id, ...slot }): LocalSlot => ({ ...(id !== undefined && { id }), ...slot }));

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Largest number of days that a series spans. */
const MAX_SERIES_DAYS = 366;

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { abort: true, error: 'must be a date' })
  .refine((day) => isInCalendar(`${day}T00:00`), 'must be a date of the calendar');
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time');
/** The length of a slot, in minutes. */
const minutes = wholeNumber.pipe(
  z
    .number()
    .min(1, 'must be at least 1')
    .max((MAX_SERIES_DAYS * DAY) / MINUTE, `must be at most ${MAX_SERIES_DAYS} days`),
);

const Series = z
  .object({
    'series.first': optional(date),
    'series.last': optional(date),
    'series.time': optional(time),
    'series.minutes': optional(minutes),
    'series.capacity': optional(wholeNumber),
    'series.days': list,
  })
  .partial();

/** The time zone, the slots and a series of slots to be added. */
export const SlotForm = z
  .object({
    timezone: z.string().trim().refine(isTimeZone, 'must be a time zone such as Europe/Berlin'),
    slots: rowsOf(SlotRow, ['from', 'to', 'capacity']),
    ...Series.shape,
  })
  .transform(
    ({ timezone, slots, ...series }, context): Values & { timezone: string; slots: LocalSlot[] } => ({
      timezone,
      slots: [...slots, ...seriesOf({ ...series, timezone }, context)],
    }),
  );

const REQUIRED = 'is required for a series';

/** A series of slots, and the zone of its times. */
interface ZonedSeries extends z.output<typeof Series> {
  readonly timezone: string;
}

/**
 * Returns one slot for each day of a series, which begins and ends by the clock there; none for an empty one, or on a
 * day whose clock skips the slot. Adds an error for each missing part.
 */
function seriesOf(series: ZonedSeries, context: z.RefinementCtx): LocalSlot[] {
  const { 'series.first': first, 'series.time': start, 'series.minutes': minutes } = series;
  const { 'series.last': last, 'series.capacity': capacity, 'series.days': days = [] } = series;
  if (!first) {
    const isBlank = [last, start, minutes, capacity].every((value) => value == null) && days.length === 0;
    if (!isBlank) context.addIssue({ code: 'custom', path: ['series.first'], message: REQUIRED });
    return [];
  }
  const missing = Object.entries({
    'series.time': start,
    'series.minutes': minutes,
    'series.capacity': capacity,
  });
  for (const [field, value] of missing) {
    if (value === null || value === undefined)
      context.addIssue({ code: 'custom', path: [field], message: REQUIRED });
  }
  const count = (Date.parse(last ?? first) - Date.parse(first)) / DAY + 1;
  if (!(count >= 1 && count <= MAX_SERIES_DAYS)) {
    const message = `must be the first day, or at most ${MAX_SERIES_DAYS - 1} days after it`;
    context.addIssue({ code: 'custom', path: ['series.last'], message });
    return [];
  }
  if (!start || !minutes || typeof capacity !== 'number') return [];
  const dates = Array.from({ length: count }, (_, n) => new Date(Date.parse(first) + n * DAY)).filter(
    (day) => days.length === 0 || days.includes(WEEKDAYS[day.getUTCDay()] ?? ''),
  );
  const slots = dates.flatMap((day) => slotOn(day, { start, minutes, capacity, zone: series.timezone }));
  if (slots.length === 0) context.addIssue({ code: 'custom', ...noSlot(dates) });
  return slots;
}

/** Returns why a series has no slot on any of its days. */
const noSlot = (dates: readonly Date[]) =>
  dates.length === 0
    ? { path: ['series.days'], message: 'none of these days is between the first and the last day' }
    : { path: ['series.time'], message: 'does not exist: the clock skips it' };

interface Daily {
  readonly start: string;
  readonly minutes: number;
  readonly capacity: number;
  readonly zone: string;
}

/** Returns the slot of a day, unless the clock skips all of it. */
function slotOn(day: Date, { start, minutes, capacity, zone }: Daily): LocalSlot[] {
  const from = `${day.toISOString().slice(0, 10)}T${start}`;
  const to = new Date(Date.parse(`${from}Z`) + minutes * MINUTE).toISOString().replace(':00.000Z', '');
  const [begin, end] = [instantOf(from, zone), instantOf(to, zone)];
  // The clock shows the time of an instant, unless it skips the time that the instant was made of.
  const isShown = localTime(begin, zone) === from || localTime(end, zone) === to;
  return isShown && Date.parse(begin) < Date.parse(end) ? [{ from, to, capacity }] : [];
}

/** Returns slots as the API takes them. */
export const apiSlots = (slots: readonly LocalSlot[], zone: string) =>
  slots.map((slot) => ({ ...slot, from: instantOf(slot.from, zone), to: instantOf(slot.to, zone) }));

/** A slot as its fields show it. */
type ShownSlot = LocalSlot & { readonly booked?: number };

interface SlotProps {
  readonly f: Filled;
  readonly timezone: string;
  readonly slots: readonly ShownSlot[];
}

/** The fields of a booking: its time zone, its slots, and a series of slots to be added. */
export const SlotFields = ({ f, timezone, slots }: SlotProps) => (
  <>
    <Field
      f={f}
      name="timezone"
      label="Time zone"
      value={timezone}
      hint="All times below are local times there, such as Europe/Berlin"
      required
    />
    <Rows
      f={f}
      name="slots"
      legend="Time slots"
      one="slot"
      rows={slots}
      counted={['from', 'to', 'capacity']}
      spare={0}
    >
      {SlotInputs}
    </Rows>
    <SeriesFields f={f} open={slots.length === 0} />
  </>
);

const SlotInputs = ({ f, at, row: slot }: RowContext<ShownSlot>) => {
  const id = slot?.id ?? f.request.sent[at('id')]?.[0];
  const moment = { f, type: 'datetime-local', attributes: { step: 'any' } } as const;
  return (
    <>
      {id && <input type="hidden" name={at('id')} value={String(id)} />}
      <Field {...moment} name={at('from')} label="From" value={slot?.from} />
      <Field {...moment} name={at('to')} label="To" value={slot?.to} />
      <Field
        f={f}
        name={at('capacity')}
        label="Places"
        type="number"
        value={slot?.capacity}
        {...(slot?.booked && { hint: `${slot.booked} booked` })}
        attributes={{ min: 0 }}
      />
    </>
  );
};

/** Returns whether something was typed into the fields of a series. */
const isTyped = ({ request: { sent } }: Filled): boolean =>
  Object.entries(sent).some(([name, values]) => name.startsWith('series.') && values.some(Boolean));

/** The fields that add slots of the same time on several days. */
const SeriesFields = ({ f, open }: { readonly f: Filled; readonly open: boolean }) => (
  <details open={open || isTyped(f)}>
    <summary>Add a series of slots</summary>
    <div class="pair">
      <Field f={f} name="series.first" label="First day" type="date" />
      <Field
        f={f}
        name="series.last"
        label="Last day"
        type="date"
        hint="Leave empty for the first day only"
      />
      <Field f={f} name="series.time" label="Begins at" type="time" />
      <Field f={f} name="series.minutes" label="Minutes" type="number" attributes={{ min: 1 }} />
      <Field f={f} name="series.capacity" label="Places in each" type="number" attributes={{ min: 0 }} />
    </div>
    <Checks
      f={f}
      name="series.days"
      legend="On these days (none: every day)"
      options={WEEKDAYS}
      checked={[]}
    />
  </details>
);
