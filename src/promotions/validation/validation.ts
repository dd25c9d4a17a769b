import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import { fold } from '../../kernel/text/fold.ts';
import { type Amount, amountError, type Currencies } from '../../kernel/values/money.ts';
import type { CouponCreate, CouponPatch } from '../coupons/schemas.ts';
import type { PromotionCreate, PromotionPatch } from '../schemas.ts';
import type { PromotionRow } from '../tables.ts';

/** The columns of a promotion that the tenant sets. */
export type PromotionFields = Omit<
  PromotionRow,
  'id' | 'tenantId' | 'uses' | 'createdAt' | 'updatedAt' | 'deletedAt'
>;

/** Returns the lookup form of a code, without case and accents. */
export const codeKey = (code: string): string => fold(code.trim());

/** Returns the lookup key of an automatic promotion: random, and no code can contain its first character. */
const keyWithoutCode = (): string => `!${randomBase62(22)}`;

/** The fields of a new promotion that its input leaves out. A coupon keeps those that it can't express. */
const DEFAULTS: PromotionFields = {
  name: '',
  automatic: false,
  code: '',
  codeKey: '',
  kind: 'percent',
  value: 0,
  buy: null,
  get: null,
  minimumSubtotal: null,
  minimumQuantity: null,
  productIds: null,
  categoryIds: null,
  firstOrder: false,
  priority: 100,
  combinable: false,
  active: true,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerCustomer: null,
};

/** Returns the columns of a row that the tenant sets. */
function fieldsOf(row: PromotionRow): PromotionFields {
  const {
    id: _,
    tenantId: __,
    uses: ___,
    createdAt: ____,
    updatedAt: _____,
    deletedAt: ______,
    ...own
  } = row;
  return own;
}

const orElse = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);

/** Returns the ids of an input, or those before if it has none; null for an empty list, as responses show both alike. */
const idsOr = (ids: number[] | null | undefined, before: number[] | null): number[] | null =>
  ids?.length === 0 ? null : orElse(ids, before);

/** Returns the instant (ms) of an input, or the one before if it has none. */
function instantOr(value: string | null | undefined, before: number | null): number | null {
  if (value === undefined) return before;
  return value === null ? null : Date.parse(value);
}

/** The fields that coupons and promotions have in common. */
const limitsOf = (input: CouponPatch | PromotionPatch, old: PromotionFields) => ({
  startsAt: instantOr(input.starts_at, old.startsAt),
  endsAt: instantOr(input.ends_at, old.endsAt),
  maxUses: orElse(input.max_uses, old.maxUses),
  maxUsesPerCustomer: orElse(input.max_uses_per_customer, old.maxUsesPerCustomer),
});

/** Merges input into a new or existing coupon and validates it; a 422 names the invalid fields. */
export function couponFields(
  before: PromotionRow | null,
  input: CouponCreate | CouponPatch,
  money: Currencies,
): Result<PromotionFields> {
  const old = before ? fieldsOf(before) : DEFAULTS;
  const code = orElse(input.code, old.code);
  const fields: PromotionFields = {
    ...old,
    ...limitsOf(input, old),
    code,
    codeKey: codeKey(code),
    name: old.name === old.code ? code : old.name,
    kind: orElse(input.kind, old.kind),
    value: orElse(input.value, input.kind === 'free_shipping' ? 0 : old.value),
    minimumSubtotal: orElse(input.minimum_subtotal, old.minimumSubtotal),
    productIds: idsOr(input.product_ids, old.productIds),
    categoryIds: idsOr(input.category_ids, old.categoryIds),
  };
  return checked(fields, fieldErrors(fields, pricedIn(old, money)));
}

/** Merges input into a new or existing promotion and validates it; a 422 names the invalid fields. */
export function promotionFields(
  before: PromotionRow | null,
  input: PromotionCreate | PromotionPatch,
  money: Currencies,
): Result<PromotionFields> {
  const old = before ? fieldsOf(before) : DEFAULTS;
  const { conditions = {}, effect } = input;
  const automatic = input.trigger === undefined ? old.automatic : input.trigger === 'automatic';
  const code = automatic ? '' : orElse(input.code, old.code);
  const fields: PromotionFields = {
    ...old,
    ...limitsOf(input, old),
    ...(effect && effectFields(effect)),
    name: orElse(input.name, old.name),
    automatic,
    code: code ?? '',
    codeKey: automatic ? keyOfAutomatic(old) : codeKey(code ?? ''),
    minimumSubtotal: orElse(conditions.minimum_subtotal, old.minimumSubtotal),
    minimumQuantity: orElse(conditions.minimum_quantity, old.minimumQuantity),
    productIds: idsOr(conditions.product_ids, old.productIds),
    categoryIds: idsOr(conditions.category_ids, old.categoryIds),
    firstOrder: orElse(conditions.first_order, old.firstOrder),
    priority: orElse(input.priority, old.priority),
    combinable: orElse(input.combinable, old.combinable),
    active: orElse(input.active, old.active),
  };
  const errors = fieldErrors(fields, pricedIn(old, money));
  if (automatic && typeof input.code === 'string')
    errors.code = ['must be omitted without the trigger "code"'];
  if (!automatic && fields.code === '') errors.code = ['is required with the trigger "code"'];
  return checked(fields, inPromotion(errors, fields));
}

/** Returns the key that an automatic promotion has in place of a code's. */
const keyOfAutomatic = (old: PromotionFields): string => (old.automatic ? old.codeKey : keyWithoutCode());

function effectFields(effect: PromotionCreate['effect']) {
  if (effect.kind === 'buy_x_get_y') {
    return { kind: effect.kind, value: effect.percent_off, buy: effect.buy, get: effect.get };
  }
  return { kind: effect.kind, value: 'value' in effect ? effect.value : 0, buy: null, get: null };
}

/** The paths of a promotion's fields that a coupon has at its top. */
const PATHS: Readonly<Record<string, string>> = {
  value: 'effect.value',
  minimum_subtotal: 'conditions.minimum_subtotal',
  product_ids: 'conditions.product_ids',
  category_ids: 'conditions.category_ids',
};

/** Names errors by their path in a promotion. */
export const inPromotion = (
  errors: Readonly<Record<string, string[]>>,
  { kind }: Pick<PromotionFields, 'kind'>,
): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => {
      if (field === 'value' && kind === 'buy_x_get_y') return ['effect.percent_off', texts];
      return [PATHS[field] ?? field, texts];
    }),
  );

const checked = (
  fields: PromotionFields,
  errors: Readonly<Record<string, string[]>>,
): Result<PromotionFields> =>
  Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : ok(fields);

/**
 * Returns the currencies of a promotion's amounts. It keeps those in which the tenant no longer sells, so that it can
 * still be changed and switched off.
 */
const pricedIn = (
  { value, minimumSubtotal }: PromotionFields,
  { currency, currencies }: Currencies,
): Currencies => ({
  currency,
  currencies: [...currencies, ...[value, minimumSubtotal].flatMap((amount) => Object.keys(amount ?? {}))],
});

function fieldErrors(fields: PromotionFields, money: Currencies): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const check = (field: string, error: string | null) => {
    if (error !== null) errors[field] = [error];
  };
  const { kind, value, minimumSubtotal, startsAt, endsAt } = fields;
  if (kind === 'percent' || kind === 'buy_x_get_y') check('value', percentError(value));
  if (kind === 'fixed')
    check('value', amountsError(value, money) ?? (isZero(value) ? 'must be more than 0' : null));
  if (kind === 'free_shipping' && value !== 0) check('value', 'must be 0 or omitted for free shipping');
  if (minimumSubtotal !== null) check('minimum_subtotal', amountsError(minimumSubtotal, money));
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) check('ends_at', 'must be after the start');
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
