import { expect, test } from 'vitest';
import {
  instantOf,
  isTimeZone,
  localSpanText,
  localTime,
  localTimeText,
} from '../../../src/kernel/values/time-zone.ts';

test.each([
  ['2027-05-01T10:00', 'Europe/Berlin', '2027-05-01T08:00:00.000Z'],
  ['2027-05-01T10:00:30', 'Asia/Kolkata', '2027-05-01T04:30:30.000Z'],
  ['2027-01-01T00:00', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z'],
  ['2028-02-29T23:59', 'America/St_Johns', '2028-03-01T03:29:00.000Z'],
  ['0026-05-01T10:00', 'Europe/Berlin', '0026-05-01T09:06:32.000Z'],
  ['0000-01-01T00:00', 'UTC', '0000-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59', 'Asia/Kolkata', '9999-12-31T18:29:00.000Z'],
  ['9999-12-31T23:59', 'America/New_York', '+010000-01-01T04:59:00.000Z'],
])('reads %s in %s as %s', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant);
  expect(localTime(instant, zone)).toBe(local);
});

test.each([
  ['2027-10-31T02:30', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
  ['2027-11-07T01:30', 'America/New_York', '2027-11-07T05:30:00.000Z'],
  ['2027-04-04T01:45', 'Australia/Lord_Howe', '2027-04-03T14:45:00.000Z'],
])('reads %s, which the clock of %s shows twice, as the first of the two', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant);
});

test.each([
  ['2027-03-28T02:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
  ['2027-03-14T02:30', 'America/New_York', '2027-03-14T07:30:00.000Z'],
  ['2027-10-03T02:15', 'Australia/Lord_Howe', '2027-10-02T15:45:00.000Z'],
  ['2011-12-30T10:00', 'Pacific/Apia', '2011-12-30T20:00:00.000Z'],
])('reads %s, which the clock of %s skips, as much later as it skips', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant);
});

test.each([
  ['2027-10-31T01:59', 'Europe/Berlin', '2027-10-30T23:59:00.000Z'],
  ['2027-10-31T03:00', 'Europe/Berlin', '2027-10-31T02:00:00.000Z'],
  ['2027-03-14T01:59', 'America/New_York', '2027-03-14T06:59:00.000Z'],
  ['2027-03-14T03:00', 'America/New_York', '2027-03-14T07:00:00.000Z'],
])('reads %s in %s, next to a change of the clock', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant);
});

test('knows zones by their names, not by an offset', () => {
  expect(['Europe/Berlin', 'UTC', 'Asia/Kolkata'].every(isTimeZone)).toBe(true);
  expect(['+01:00', '-0530', '+01', 'Europe/Nowhere', ''].filter(isTimeZone)).toEqual([]);
});

test.each([
  [
    '2027-05-01T08:00Z',
    '2027-05-01T09:30Z',
    'Europe/Berlin',
    'Sat, May 1, 2027, 10:00–11:30 (Europe/Berlin)',
  ],
  ['2027-05-01T21:00Z', '2027-05-01T22:00Z', 'Asia/Kolkata', 'Sun, May 2, 2027, 02:30–03:30 (Asia/Kolkata)'],
  [
    '2027-12-31T22:00Z',
    '2027-12-31T23:30Z',
    'Europe/Berlin',
    'Fri, Dec 31, 2027, 23:00–Sat, Jan 1, 2028, 00:30 (Europe/Berlin)',
  ],
])('writes the time from %s to %s in %s as %s', (from, to, zone, text) => {
  expect(localSpanText([from, to], zone)).toBe(text);
});

test('tells two times apart that the clock shows alike', () => {
  const zone = 'America/New_York';
  const hours = ['2027-11-07T05:00Z', '2027-11-07T06:00Z', '2027-11-07T07:00Z'] as const;
  expect(hours.map((at) => localTimeText(at, zone))).toEqual([
    'Sun, Nov 7, 2027, 01:00 GMT-4 (America/New York)',
    'Sun, Nov 7, 2027, 01:00 GMT-5 (America/New York)',
    'Sun, Nov 7, 2027, 02:00 GMT-5 (America/New York)',
  ]);
  expect(localSpanText([hours[0], hours[1]], zone)).toBe(
    'Sun, Nov 7, 2027, 01:00 GMT-4–01:00 GMT-5 (America/New York)',
  );
});
