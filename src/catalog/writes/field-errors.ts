import type { Failure } from '../../kernel/core/errors.ts';
import { amountError, type Currencies, toMinor } from '../../kernel/values/money.ts';
import type { Prices } from '../tables.ts';

/** Collects the validation errors of a product by field. */
export class FieldErrors {
  readonly byField: Record<string, string[]> = {};

  /** `money` has the currencies in which amounts are allowed. */
  constructor(private readonly money: Currencies) {}

  get isEmpty(): boolean {
    return Object.keys(this.byField).length === 0;
  }

  add(field: string, message: string): void {
    this.byField[field] = [...(this.byField[field] ?? []), message];
  }

  /** Adds the errors of a failed validation. */
  addAll({ errors = {} }: Failure): void {
    for (const [field, messages] of Object.entries(errors))
      for (const message of messages) this.add(field, message);
  }

  /** Adds an error at the field of each key that repeats an earlier one; undefined keys are ignored. */
  repeated(keys: readonly unknown[], field: (n: number) => string, message: string): void {
    const seen = new Set<unknown>();
    keys.forEach((key, n) => {
      if (key !== undefined && seen.has(key)) this.add(field(n), message);
      seen.add(key);
    });
  }

  /** Returns an amount in minor units. Returns 0 and adds an error when it is invalid in its currency. */
  amount(field: string, value: number, currency: string): number {
    const error = amountError(value, currency);
    if (error) this.add(field, error);
    return (error ? null : toMinor(value, currency)) ?? 0;
  }

  /**
   * Returns the price in the main currency together with those in other currencies. Errors are added at `price`
   * and `prices` behind the prefix `field`.
   */
  prices(field: string, price: number, others: Readonly<Record<string, number>>): Prices {
    return this.withMain(field, price, this.pricesIn(`${field}prices.`, others));
  }

  /** Returns prices with `price` as the one in the main currency. Adds an error when they have another amount there. */
  withMain(field: string, price: number, prices: Prices): Prices {
    const { currency } = this.money;
    const main = this.amount(`${field}price`, price, currency);
    const isOther = prices[currency] !== undefined && prices[currency] !== main;
    if (isOther) this.add(`${field}prices.${currency}`, `must be the same as price, which is in ${currency}`);
    return { ...prices, [currency]: main };
  }

  /** Returns prices by currency. Errors are added behind the prefix `field`. */
  pricesIn(field: string, given: Readonly<Record<string, number>>): Prices {
    const prices: Record<string, number> = {};
    for (const [code, value] of Object.entries(given)) {
      if (!this.money.currencies.includes(code))
        this.add(`${field}${code}`, "must be one of the tenant's currencies");
      else prices[code] = this.amount(`${field}${code}`, value, code);
    }
    return prices;
  }
}
