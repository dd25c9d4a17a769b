const DAY_MS = 86_400_000;

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

/** Returns an instant as a zone's local time for `datetime-local`: `2027-05-01T10:00`, with seconds if it has some. */
export function localTime(instant: string | number, zone: string): string {
  // Swedish is written like ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return format.format(new Date(instant)).replace(' ', 'T').replace(/:00$/, '');
}

/** Returns the instant of a local time: the first if the clock shows it twice, an hour later if the clock skips it. */
export function instantOf(local: string, zone: string): string {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (instant: number) => Date.parse(`${localTime(instant, zone)}Z`) - instant;
  // With the offset before a change of the clock, then with the one after it.
  const before = asUtc - offsetAt(asUtc - DAY_MS);
  const after = asUtc - offsetAt(asUtc + DAY_MS);
  const shown = [before, after].find((instant) => instant + offsetAt(instant) === asUtc);
  return new Date(shown ?? before).toISOString();
}

/** Returns an instant as a zone's local time in words: `Sat, May 1, 2027, 10:00 (Europe/Berlin)`. */
export function localTimeText(instant: string, zone: string): string {
  const format = new Intl.DateTimeFormat('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  });
  return `${format.format(new Date(instant))} (${zoneName(zone)})`;
}

/** Returns a zone's name without underscores: `America/New York`. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');
