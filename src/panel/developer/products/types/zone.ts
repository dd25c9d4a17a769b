/** Local times of a time zone, as `datetime-local` fields have them: `2027-05-01T10:00`. */

/** Returns whether the runtime knows a time zone of this name. */
export function isTimeZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/** Returns an instant as local time of a zone, with seconds only if it has some. */
export function localTime(instant: string | number, zone: string): string {
  // Swedish is written like ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return format.format(new Date(instant)).replace(' ', 'T').replace(/:00$/, '');
}

/** Returns the instant of a local time. One that the clock shows twice is the first; one that it skips is an hour later. */
export function instantOf(local: string, zone: string): string {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (instant: number) => Date.parse(`${localTime(instant, zone)}Z`) - instant;
  const first = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(first)).toISOString();
}
