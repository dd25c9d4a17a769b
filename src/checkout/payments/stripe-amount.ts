import { exponent } from '../../kernel/values/money.ts';

/** The decimals of currencies for which Stripe differs from ISO 4217. */
const STRIPE_DECIMALS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** Returns how many of Stripe's units a minor unit of a currency has. */
const unitsOf = (currency: string): number => {
  const decimals = exponent(currency);
  return 10 ** ((STRIPE_DECIMALS[currency] ?? decimals) - decimals);
};

/**
 * Returns an amount in Stripe's units, or `null` if Stripe can't charge or refund it: fractions of ISK, UGX and
 * MGA are rejected, and the last digit of a three-decimal currency must be 0.
 */
export function stripeAmount(minor: number, currency: string): number | null {
  const amount = minor * unitsOf(currency);
  const step = exponent(currency) === 3 ? 10 : 1;
  return Number.isSafeInteger(amount) && amount % step === 0 ? amount : null;
}

/** Returns an amount of Stripe's in minor units, rounded to the nearest. */
export const minorAmount = (amount: number, currency: string): number =>
  Math.round(amount / unitsOf(currency));
