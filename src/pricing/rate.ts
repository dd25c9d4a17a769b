import { divideHalfUp } from '../kernel/core/money.ts';

/** A rate is an integer of millionths of a percent, so that 8.875 % is exact: 8,875,000. */
export type Rate = number;

/** 100 %. */
const WHOLE: Rate = 100_000_000;

/** A percentage of the wire (18, 8.875) as a rate: exact up to six decimals, rounded beyond them. */
export const rateOf = (percent: number): Rate => Math.round(percent * 1_000_000);

/** `rate` of an amount in minor units, rounded half up: 18 % of 1,025 → 185 (184.5). */
export const share = (amount: number, rate: Rate): number =>
  divideHalfUp(BigInt(amount) * BigInt(rate), WHOLE);

/** The part of an amount that was added to it at `rate`, rounded half up: 20 % inside of 1,200 → 200. */
export const shareInside = (amount: number, rate: Rate): number =>
  divideHalfUp(BigInt(amount) * BigInt(rate), WHOLE + rate);
