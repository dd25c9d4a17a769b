import { DAY, HOUR, MINUTE } from '../core/clock.ts';

/** Returns whether this is a time zone of the IANA database, such as Europe/Berlin. */
export function isTimeZone(zone: string): boolean {
  // `Intl` takes an offset such as +01:00, too.
  if (!/^[a-z]/i.test(zone)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/** Returns whether a local time, `2027-05-01T10:00`, is in the calendar; parsing alone reads 30 February as 2 March. */
export function isInCalendar(local: string): boolean {
  const time = new Date(`${local}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(local.slice(0, 16));
}

/** The format of the last zone: making one takes some forty times as long as using it, which a series does often. */
let kept: { readonly zone: string; readonly format: Intl.DateTimeFormat } | undefined;

function offsetFormat(zone: string): Intl.DateTimeFormat {
  if (kept?.zone !== zone)
    kept = { zone, format: new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }) };
  return kept.format;
}

/** Returns what a zone's clock is ahead of UTC at an instant, in ms. */
function offsetAt(instant: number, zone: string): number {
  const name =
    offsetFormat(zone)
      .formatToParts(instant)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // `GMT`, `GMT+05:30` or, before there were zones, `GMT+00:53:28`.
  const [, sign, ...parts] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return (sign === '-' ? -1 : 1) * (hours * HOUR + minutes * MINUTE + seconds * 1_000);
}

/** Returns an instant as a zone's local time for `datetime-local`: `2027-05-01T10:00`, with seconds if it has some. */
export function localTime(instant: string | number, zone: string): string {
  const at = new Date(instant).getTime();
  return new Date(at + offsetAt(at, zone)).toISOString().replace(/(:00)?\.\d{3}Z$/, '');
}

/** Returns the instant of a local time: the first if the clock shows it twice, as much later as the clock skips. */
export function instantOf(local: string, zone: string): string {
  const asUtc = Date.parse(`${local}Z`);
  // With the offset before a change of the clock, then with the one after it.
  const before = asUtc - offsetAt(asUtc - DAY, zone);
  const after = asUtc - offsetAt(asUtc + DAY, zone);
  const shown = [before, after].find((instant) => instant + offsetAt(instant, zone) === asUtc);
  return new Date(shown ?? before).toISOString();
}

/**
 * Returns an instant as a zone's local time in words, without the zone: `Sat, May 1, 2027, 10:00`. Within three hours of
 * a change of the clock, which may show a time twice, with the offset from UTC: `02:30 GMT+1`.
 */
function clockText(instant: string, zone: string, { year }: Wording = { year: true }): string {
  const at = Date.parse(instant);
  const isNearChange = offsetAt(at - 3 * HOUR, zone) !== offsetAt(at + 3 * HOUR, zone);
  const format = new Intl.DateTimeFormat('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(year && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
    ...(isNearChange && { timeZoneName: 'shortOffset' }),
  });
  return format.format(at);
}

/** Returns an instant as a zone's local time in words: `Sat, May 1, 2027, 10:00 (Europe/Berlin)`. */
export const localTimeText = (instant: string, zone: string): string =>
  `${clockText(instant, zone)} (${zoneName(zone)})`;

/** Whether dates have their year. */
interface Wording {
  readonly year: boolean;
}

/** Two instants. */
type Span = readonly [from: string, to: string];

/**
 * Returns the time between two instants as a zone's local times in words: `Sat, May 1, 2027, 10:00–11:30`, or without the
 * year. The end has its date where the days differ.
 */
export function localSpan([from, to]: Span, zone: string, wording?: Wording): string {
  const [begin, end] = [clockText(from, zone, wording), clockText(to, zone, wording)];
  const [day = ''] = /^.+, /.exec(begin) ?? [];
  return `${begin}–${end.startsWith(day) ? end.slice(day.length) : end}`;
}

/** Returns the same with the zone: `Sat, May 1, 2027, 10:00–11:30 (Europe/Berlin)`. */
export const localSpanText = (span: Span, zone: string): string =>
  `${localSpan(span, zone)} (${zoneName(zone)})`;

/** A choice of a line item in words; one with a time zone is an instant of a booking. */
interface Choice {
  readonly value: string;
  readonly timezone?: string | undefined;
}

/** Returns the booked time among a line's choices, in the zone of its place; null if the line books none. */
export const bookedTime = ([from, to]: readonly Choice[]): string | null =>
  from?.timezone && to ? localSpanText([from.value, to.value], from.timezone) : null;

/** Returns a zone's name without underscores: `America/New York`. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');
