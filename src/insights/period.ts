import { DAY, HOUR } from '../kernel/core/clock.ts';

/** The periods that can be shown. */
export const PERIODS = ['24h', '7d', '30d'] as const;
export type Period = (typeof PERIODS)[number];

/** A period, its equal parts, and the hours that it is compared with; times in ms since the epoch. */
export interface Window {
  readonly from: number;
  /** The length and the number of the parts: hours, or days of UTC. */
  readonly width: number;
  readonly parts: number;
  /** The last hour that counts, which has begun. */
  readonly lastHour: number;
  /** How far back the compared period lies. It ends as far into its last part as this one. */
  readonly shift: number;
}

/** Days of UTC in the longer periods, today included. */
const DAYS = { '7d': 7, '30d': 30 } as const;

/** Returns the beginning of the hour of an instant. */
export const hourOf = (at: number): number => at - (at % HOUR);
/** Returns the beginning of the day (UTC) of an instant. */
export const dayOf = (at: number): number => at - (at % DAY);

/** Returns the window of a period that ends at an instant. */
export function windowOf(period: Period, at: number): Window {
  const lastHour = hourOf(at);
  if (period === '24h') {
    return { from: lastHour - 23 * HOUR, width: HOUR, parts: 24, lastHour, shift: DAY };
  }
  const days = DAYS[period];
  return { from: dayOf(at) - (days - 1) * DAY, width: DAY, parts: days, lastHour, shift: days * DAY };
}
