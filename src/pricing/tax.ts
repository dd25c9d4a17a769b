import { type Rate, share, shareInside } from './rate.ts';
import type { PricingRules } from './rules.ts';

/** The rate of a product's tax class: its own where the tenant has set one, else the standard rate. */
export const rateOfClass = (rules: PricingRules, taxClass: string | null): Rate =>
  (taxClass !== null && Object.hasOwn(rules.ratesByClass, taxClass)
    ? rules.ratesByClass[taxClass]
    : undefined) ?? rules.standardRate;

/** The tax of one amount in minor units, rounded half up: on top of it, or inside it when prices include tax. */
export const taxOf = (amount: number, rate: Rate, included: boolean): number =>
  included ? shareInside(amount, rate) : share(amount, rate);
