import { type Amount, amountError, type Currencies } from '../kernel/core/money.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { fold } from '../kernel/text/fold.ts';
import type { CouponCreate, CouponPatch } from './schemas.ts';
import type { CouponRow } from './tables.ts';

/** The columns of a coupon that the tenant sets. */
export type CouponFields = Omit<
  CouponRow,
  'id' | 'tenantId' | 'uses' | 'createdAt' | 'updatedAt' | 'deletedAt'
>;

/** Returns the lookup form of a code, without case and accents. */
export const codeKey = (code: string): string => fold(code.trim());

const BLANK: CouponFields = {
  code: '',
  codeKey: '',
  kind: 'percent',
  value: 0,
  minimumSubtotal: null,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerCustomer: null,
  productIds: null,
  categoryIds: null,
};

const orElse = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);
const ms = (value: string | null | undefined, before: number | null): number | null =>
  value === undefined ? before : value === null ? null : Date.parse(value);

/** Merges input into a new or existing coupon and validates it; a 422 names the invalid fields. */
export function couponFields(
  before: CouponFields | null,
  input: CouponCreate | CouponPatch,
  money: Currencies,
): Result<CouponFields> {
  const old = before ?? BLANK;
  const code = orElse(input.code, old.code);
  const fields: CouponFields = {
    code,
    codeKey: codeKey(code),
    kind: orElse(input.kind, old.kind),
    value: orElse(input.value, old.value),
    minimumSubtotal: orElse(input.minimum_subtotal, old.minimumSubtotal),
    startsAt: ms(input.starts_at, old.startsAt),
    endsAt: ms(input.ends_at, old.endsAt),
    maxUses: orElse(input.max_uses, old.maxUses),
    maxUsesPerCustomer: orElse(input.max_uses_per_customer, old.maxUsesPerCustomer),
    productIds: orElse(input.product_ids, old.productIds),
    categoryIds: orElse(input.category_ids, old.categoryIds),
  };
  const errors = fieldErrors(fields, money);
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : ok(fields);
}

function fieldErrors(fields: CouponFields, money: Currencies): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const check = (field: string, error: string | null) => {
    if (error !== null) errors[field] = [error];
  };
  const { kind, value, minimumSubtotal, startsAt, endsAt } = fields;
  if (kind === 'percent') check('value', percentError(value));
  if (kind === 'fixed')
    check('value', amountsError(value, money) ?? (isZero(value) ? 'must be more than 0' : null));
  if (kind === 'free_shipping' && value !== 0) check('value', 'must be 0 or omitted for free shipping');
  if (minimumSubtotal !== null) check('minimum_subtotal', amountsError(minimumSubtotal, money));
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) check('ends_at', 'must be after starts_at');
  return errors;
}

/** Returns the error of a percentage; rates have at most six decimals. */
function percentError(value: Amount): string | null {
  if (typeof value !== 'number' || value <= 0 || value > 100)
    return 'must be a percentage above 0 and up to 100';
  return Math.abs(value * 1e6 - Math.round(value * 1e6)) > 1e-3 ? 'must have at most 6 decimals' : null;
}

const isZero = (value: Amount): boolean =>
  typeof value === 'number' ? value === 0 : Object.values(value).some((amount) => amount === 0);

/** Returns the error of an amount: a number is in the main currency, an object is keyed by currency. */
function amountsError(amount: Amount, { currency, currencies }: Currencies): string | null {
  const named = typeof amount === 'number' ? { [currency]: amount } : amount;
  const entries = Object.entries(named);
  if (entries.length === 0) return 'must name a currency';
  for (const [code, value] of entries) {
    if (!currencies.includes(code)) return `the tenant does not sell in ${code}`;
    const error = amountError(value, code);
    if (error) return error;
  }
  return null;
}
