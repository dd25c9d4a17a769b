import { amountError, type Currencies, toMinor } from '../../kernel/core/money.ts';
import type { Prices } from '../tables.ts';

/** Gathers what is wrong, field by field. */
export class FieldErrors {
  readonly errors: Record<string, string[]> = {};

  add(field: string, message: string): void {
    this.errors[field] = [...(this.errors[field] ?? []), message];
  }

  /** A fault at the field of each key that an earlier place has too; undefined is no key. */
  repeated(keys: readonly unknown[], field: (n: number) => string, message: string): void {
    const seen = new Set<unknown>();
    keys.forEach((key, n) => {
      if (key !== undefined && seen.has(key)) this.add(field(n), message);
      seen.add(key);
    });
  }

  /** An amount in minor units; 0, and a fault, when it is none in its currency. */
  amount(field: string, value: number, currency: string): number {
    const fault = amountError(value, currency);
    if (fault) this.add(field, fault);
    return (fault ? null : toMinor(value, currency)) ?? 0;
  }

  /** A price in the main currency with those in others. */
  prices(field: string, price: number, others: Record<string, number>, money: Currencies): Prices {
    const prices: Record<string, number> = {};
    for (const [code, value] of Object.entries(others)) {
      if (!money.currencies.includes(code)) this.add(`${field}prices.${code}`, 'is not sold in');
      else prices[code] = this.amount(`${field}prices.${code}`, value, code);
    }
    return { ...prices, [money.currency]: this.amount(`${field}price`, price, money.currency) };
  }
}
