import { includedShare, type Rate, share } from './rate.ts';
import type { PricingRules } from './rules.ts';

/** Returns the rate of a tax class, or the standard rate if the class has none. */
export const rateOfClass = (rules: PricingRules, taxClass: string | null): Rate =>
  (taxClass !== null && Object.hasOwn(rules.ratesByClass, taxClass)
    ? rules.ratesByClass[taxClass]
    : undefined) ?? rules.standardRate;

/** Returns the tax on an amount, or in it if prices include tax. Minor units, rounded half up. */
export const taxOf = (amount: number, rate: Rate, included: boolean): number =>
  included ? includedShare(amount, rate) : share(amount, rate);
