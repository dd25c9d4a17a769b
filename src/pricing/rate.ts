import { divideHalfUp } from '../kernel/core/money.ts';

/** A rate in millionths of a percent, an integer: 8.875 % is 8,875,000. */
export type Rate = number;

/** The rate of 100 %. */
const ONE_HUNDRED_PERCENT: Rate = 100_000_000;

/** Converts a percentage (18, 8.875) to a rate; rounds to six decimals. */
export const rateOf = (percent: number): Rate => Math.round(percent * 1_000_000);

/** Returns `rate` of an amount in minor units, rounded half up: 18 % of 1,025 → 185 (184.5). */
export const share = (amount: number, rate: Rate): number =>
  divideHalfUp(BigInt(amount) * BigInt(rate), ONE_HUNDRED_PERCENT);

/** Returns the part of a gross amount that is `rate` of the net, rounded half up: 20 % in 1,200 → 200. */
export const includedShare = (amount: number, rate: Rate): number =>
  divideHalfUp(BigInt(amount) * BigInt(rate), ONE_HUNDRED_PERCENT + rate);
