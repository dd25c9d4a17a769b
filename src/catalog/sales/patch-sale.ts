import { now } from '../../kernel/core/clock.ts';
import type { Currencies } from '../../kernel/values/money.ts';
import type { SaleInput } from '../products/input-schemas.ts';
import type { Prices, ProductType, Sale } from '../tables.ts';
import type { FieldErrors } from '../writes/field-errors.ts';

/** Returns why a product of this type can't have a sale of its own, or null. */
export function saleRefusal(type: ProductType): string | null {
  if (type === 'configurable') return 'must be set on the variants of a configurable product';
  if (type === 'grouped' || type === 'bundled') return `must be set on the members of a ${type} product`;
  return null;
}

/** The sale of a body, and what it is checked against. */
interface SalePatch {
  readonly errors: FieldErrors;
  readonly money: Currencies;
  /** Prefix of the field names in errors. */
  readonly field: string;
  /** Undefined keeps `before`, null removes it. */
  readonly input: SaleInput | null | undefined;
  readonly before: Sale | null;
  /** The ordinary prices before the patch, of a stored product or variant. */
  readonly stored: Prices | undefined;
  /** The ordinary prices after the patch. */
  readonly prices: Prices;
}

/** Returns the sale of a product or variant: as given, else as before. Adds an error for each invalid value. */
export function patchSale(patch: SalePatch): Sale | null {
  const { errors, input, before, field } = patch;
  if (input === null) return null;
  if (input === undefined) {
    // One that has ended is removed by this write or by the schedule, whichever comes first.
    if (before && !hasEnded(before)) requireBelow(patch, before.prices);
    return before;
  }
  const prices = givenPrices(patch, input);
  requireBelow(patch, prices);
  const startsAt = input.starts_at ? Date.parse(input.starts_at) : null;
  const endsAt = input.ends_at ? Date.parse(input.ends_at) : null;
  if (hasEnded({ endsAt })) errors.add(`${field}sale.ends_at`, 'must be in the future');
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    errors.add(`${field}sale.ends_at`, 'must be after the start');
  // One that has begun by another clock doesn't begin again where it is sent back.
  return { prices, startsAt, endsAt, running: before?.running === true && before.startsAt === startsAt };
}

const hasEnded = ({ endsAt }: Pick<Sale, 'endsAt'>): boolean => endsAt !== null && endsAt <= now();

function givenPrices({ errors, field }: SalePatch, { price, prices = {} }: SaleInput): Prices {
  const others = errors.pricesIn(`${field}sale.prices.`, prices);
  return price === undefined ? others : errors.withMain(`${field}sale.`, price, others);
}

/**
 * Adds an error in each currency where the sale is not below the ordinary price, unless both stay as they were: an import
 * may have lowered the ordinary one.
 */
function requireBelow(patch: SalePatch, sale: Prices): void {
  const { errors, money, field, input, before, stored, prices } = patch;
  for (const [currency, price] of Object.entries(sale)) {
    const isMain = currency === money.currency && (input?.price !== undefined || !input?.prices);
    const at = isMain ? `${field}sale.price` : `${field}sale.prices.${currency}`;
    const ordinary = prices[currency];
    const isUnchanged = price === before?.prices[currency] && ordinary === stored?.[currency];
    if (isUnchanged || errors.byField[at] || !money.currencies.includes(currency)) continue;
    if (ordinary === undefined) errors.add(at, `requires a price in ${currency}`);
    else if (price >= ordinary) errors.add(at, 'must be below the ordinary price');
  }
}
