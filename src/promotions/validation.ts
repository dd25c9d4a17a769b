import { fold } from '../kernel/core/fold.ts';
import { type Amount, amountError, type Currencies } from '../kernel/core/money.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { CouponCreate, CouponPatch } from './schemas.ts';
import type { CouponRow } from './tables.ts';

/** The part of a coupon's row that the tenant decides. */
export type CouponFields = Omit<
  CouponRow,
  'id' | 'tenantId' | 'uses' | 'createdAt' | 'updatedAt' | 'deletedAt'
>;

/** How a code is looked up: case and accents don't matter. */
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

const given = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);
const ms = (value: string | null | undefined, before: number | null): number | null =>
  value === undefined ? before : value === null ? null : Date.parse(value);

/** A coupon as it shall be: made from nothing, or changed. 422 names what can't be. */
export function couponFields(
  before: CouponFields | null,
  input: CouponCreate | CouponPatch,
  money: Currencies,
): Result<CouponFields> {
  const old = before ?? BLANK;
  const code = given(input.code, old.code);
  const fields: CouponFields = {
    code,
    codeKey: codeKey(code),
    kind: given(input.kind, old.kind),
    value: given(input.value, old.value),
    minimumSubtotal: given(input.minimum_subtotal, old.minimumSubtotal),
    startsAt: ms(input.starts_at, old.startsAt),
    endsAt: ms(input.ends_at, old.endsAt),
    maxUses: given(input.max_uses, old.maxUses),
    maxUsesPerCustomer: given(input.max_uses_per_customer, old.maxUsesPerCustomer),
    productIds: given(input.product_ids, old.productIds),
    categoryIds: given(input.category_ids, old.categoryIds),
  };
  const errors = faultsOf(fields, money);
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : ok(fields);
}

function faultsOf(fields: CouponFields, money: Currencies): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const check = (field: string, fault: string | null) => {
    if (fault !== null) errors[field] = [fault];
  };
  const { kind, value, minimumSubtotal, startsAt, endsAt } = fields;
  if (kind === 'percent') check('value', percentFault(value));
  if (kind === 'fixed')
    check('value', amountsFault(value, money) ?? (isNothing(value) ? 'must be more than 0' : null));
  if (kind === 'free_shipping' && value !== 0) check('value', 'is not for free shipping');
  if (minimumSubtotal !== null) check('minimum_subtotal', amountsFault(minimumSubtotal, money));
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) check('ends_at', 'must be after starts_at');
  return errors;
}

/** Six decimals are what a rate is reckoned with exactly. */
function percentFault(value: Amount): string | null {
  if (typeof value !== 'number' || value <= 0 || value > 100) return 'must be a percentage up to 100';
  return Math.abs(value * 1e6 - Math.round(value * 1e6)) > 1e-3 ? 'must have at most 6 decimals' : null;
}

const isNothing = (value: Amount): boolean =>
  typeof value === 'number' ? value === 0 : Object.values(value).some((amount) => amount === 0);

/** A number has to be one in each currency of the tenant; an object names currencies of the tenant. */
function amountsFault(amount: Amount, { currency, currencies }: Currencies): string | null {
  const named = typeof amount === 'number' ? { [currency]: amount } : amount;
  const entries = Object.entries(named);
  if (entries.length === 0) return 'must name a currency';
  for (const [code, value] of entries) {
    if (!currencies.includes(code)) return `the tenant does not sell in ${code}`;
    const fault = amountError(value, code);
    if (fault) return fault;
  }
  return null;
}
