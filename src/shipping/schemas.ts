import { z } from '@hono/zod-openapi';
import { rawText, shownFault, storedText } from '../kernel/text/text.ts';
import { Country } from '../kernel/values/countries.ts';
import { AmountByCurrency } from '../kernel/values/currencies.ts';
import type { Amount } from '../kernel/values/money.ts';

/** The most methods of a tenant, prices of one method by value or weight, and bytes of all methods as JSON. */
const MAX_METHODS = 20;
const MAX_TIERS = 20;
const MAX_METHODS_BYTES = 32 * 1024;
/** The longest delivery time (days), and the largest weight at which a price begins (grams: a thousand tonnes). */
const MAX_DAYS = 365;
const MAX_TIER_WEIGHT = 1_000_000_000;

const days = z.int().min(0).max(MAX_DAYS).nullable().optional();

const Tier = z
  .strictObject({
    from_subtotal: AmountByCurrency.optional(),
    from_weight: z.int().min(0).max(MAX_TIER_WEIGHT).optional().openapi({ description: 'Grams.' }),
    price: AmountByCurrency,
  })
  .openapi('ShippingTier');
type Tier = z.output<typeof Tier>;

/** A shipping method as settings have it. */
export const ShippingMethodSettings = z
  .strictObject({
    id: rawText(64, {
      least: 1,
      pattern: [/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/, 'must be words of a-z and 0-9, joined by "-" or "_"'],
    }).openapi({ example: 'express' }),
    name: storedText(100),
    description: rawText(500).nullable().optional(),
    countries: z.array(Country).min(1).max(300).optional().openapi({
      description:
        'Where it delivers. Omitted: everywhere. With it, it is not offered before the country is known.',
    }),
    price: AmountByCurrency.optional().openapi({
      description:
        'A number for every currency, or an amount by currency: the method is not offered in other currencies.',
    }),
    tiers: z.array(Tier).min(1).max(MAX_TIERS).optional().openapi({
      description:
        'In place of `price`: prices from a value of the goods (after discount) or from a weight (grams) on. Ascending, of one kind, the first from 0.',
    }),
    free_over: AmountByCurrency.nullable().optional().openapi({
      description: 'Free from this value of the goods (after discount) on.',
    }),
    min_days: days,
    max_days: days,
    active: z.boolean().default(true).openapi({
      description: 'Whether it is offered. Where no method is active, nothing can be shipped.',
    }),
  })
  .superRefine((method, ctx) => {
    for (const [path, message] of methodErrors(method))
      ctx.addIssue({ code: 'custom', path: [...path], message });
  })
  .openapi('ShippingMethodSettings');
export type ShippingMethodSettings = z.output<typeof ShippingMethodSettings>;

/** A tenant's shipping methods, in the order in which they are offered. */
export const ShippingMethods = z
  .array(ShippingMethodSettings)
  .max(MAX_METHODS)
  .superRefine((methods, ctx) => {
    methods.forEach(({ id }, n) => {
      if (methods.findIndex((one) => one.id === id) === n) return;
      ctx.addIssue({ code: 'custom', path: [n, 'id'], message: 'must be unique among the methods' });
    });
    if (new TextEncoder().encode(JSON.stringify(methods)).length <= MAX_METHODS_BYTES) return;
    ctx.addIssue({
      code: 'custom',
      path: [],
      message: `must have at most ${MAX_METHODS_BYTES} bytes as JSON`,
    });
  });

/** Adds an issue at each name of a request's methods that shows nothing, or turns what stands around it. */
export function checkMethodNames(
  methods: readonly Pick<ShippingMethodSettings, 'name'>[],
  ctx: z.RefinementCtx,
): void {
  methods.forEach(({ name }, n) => {
    const message = shownFault(name);
    if (message) ctx.addIssue({ code: 'custom', path: ['methods', n, 'name'], message });
  });
}

type FieldError = readonly [path: readonly (string | number)[], message: string];

function methodErrors(method: {
  readonly price?: unknown;
  readonly tiers?: readonly Tier[] | undefined;
  readonly min_days?: number | null | undefined;
  readonly max_days?: number | null | undefined;
}): FieldError[] {
  const { price, tiers, min_days, max_days } = method;
  const errors: FieldError[] = [];
  if ((price === undefined) === (tiers === undefined))
    errors.push([['price'], 'requires either price or tiers']);
  if (min_days != null && max_days != null && max_days < min_days) {
    errors.push([['max_days'], 'must not be less than min_days']);
  }
  return [...errors, ...tierErrors(tiers ?? [])];
}

/** Returns what is wrong with tiers: their kind, their start at 0, or their order. */
function tierErrors(tiers: readonly Tier[]): FieldError[] {
  const kind = tiers[0]?.from_weight === undefined ? 'from_subtotal' : 'from_weight';
  const other = kind === 'from_weight' ? 'from_subtotal' : 'from_weight';
  return tiers.flatMap((tier, n): FieldError[] => {
    const path = ['tiers', n, kind] as const;
    const from = tier[kind];
    if (tier[other] !== undefined) return [[['tiers', n, other], `must not be given beside ${kind}`]];
    if (from === undefined) return [[path, 'is required']];
    const previous = tiers[n - 1]?.[kind];
    if (n === 0)
      return valuesOf(from).every((value) => value === 0) ? [] : [[path, 'must be 0 in the first tier']];
    return previous === undefined || isAscending(previous, from)
      ? []
      : [[path, 'must be greater than in the tier before']];
  });
}

const valuesOf = (amount: Amount): number[] =>
  typeof amount === 'number' ? [amount] : Object.values(amount);

/** Returns whether the second amount is the greater one in each currency that both name. */
function isAscending(before: Amount, after: Amount): boolean {
  if (typeof before === 'number') return valuesOf(after).every((value) => value > before);
  return Object.entries(before).every(([currency, value]) => {
    const next = typeof after === 'number' ? after : after[currency];
    return next === undefined || next > value;
  });
}

/** Returns the amounts of methods with the path of their fields, such as `0.tiers.1.price`. */
export const methodAmounts = (
  methods: readonly ShippingMethodSettings[],
): (readonly [path: string, amount: Amount])[] =>
  methods.flatMap(({ price, tiers = [], free_over }, n) => {
    const fields: (readonly [string, Amount | null | undefined])[] = [
      [`${n}.price`, price],
      [`${n}.free_over`, free_over],
      ...tiers.flatMap((tier, i) => [
        [`${n}.tiers.${i}.from_subtotal`, tier.from_subtotal] as const,
        [`${n}.tiers.${i}.price`, tier.price] as const,
      ]),
    ];
    return fields.flatMap(([path, amount]) => (amount == null ? [] : [[path, amount] as const]));
  });
