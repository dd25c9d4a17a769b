import { toNumber } from '../kernel/values/money.ts';
import { cheapestQuote, quoteMethods, type ShippingQuote } from '../shipping/index.ts';
import type { PricedLine, PricingRules } from './rules.ts';
import type { ChosenShipping, ShippingMethodOption } from './schemas.ts';

/** Why shipping costs what it costs; the first that holds. */
type ShippingRule =
  | 'nothing_shipped'
  | 'no_method'
  | 'free_shipping_coupon'
  | 'free_shipping_promotion'
  | 'free_over'
  | 'flat_rate'
  | 'subtotal_tier'
  | 'weight_tier';

/** The shipping of a cart. Amounts in minor units. */
export interface PricedShipping {
  readonly rule: ShippingRule;
  readonly amount: number;
  /** The methods that fit, with their prices before a promotion; also when nothing is shipped. */
  readonly quotes: readonly ShippingQuote[];
  /** The quote that applies: that of the chosen method, or else the cheapest; null if none fits. */
  readonly selected: ShippingQuote | null;
  /** Grams of the lines that are shipped. */
  readonly weight: number;
}

/** The lines of a cart, its subtotal less discount, and which promotion makes shipping free: by code or automatic. */
interface ShippedCart {
  readonly lines: readonly PricedLine[];
  readonly goods: number;
  readonly freeBy: 'coupon' | 'promotion' | null;
}

/** Prices shipping by the chosen method, or by the cheapest one. */
export function priceShipping(
  { shippingMethods, chosenMethod = null }: PricingRules,
  { lines, goods, freeBy }: ShippedCart,
): PricedShipping {
  const weight = weightOf(lines);
  const quotes = quoteMethods(shippingMethods, { goods, weight });
  const selected = quotes.find(({ method }) => method.id === chosenMethod) ?? cheapestQuote(quotes);
  const rule = ruleOf(selected, { ships: lines.some((line) => line.ships), freeBy });
  const amount = CHARGED.has(rule) ? (selected?.price ?? 0) : 0;
  return { rule, amount, quotes, selected, weight };
}

/** The rules that charge the price of the method. */
const CHARGED: ReadonlySet<ShippingRule> = new Set(['flat_rate', 'subtotal_tier', 'weight_tier']);

const RULES = { flat: 'flat_rate', subtotal: 'subtotal_tier', weight: 'weight_tier' } as const;

function ruleOf(
  selected: ShippingQuote | null,
  { ships, freeBy }: Pick<ShippedCart, 'freeBy'> & { readonly ships: boolean },
): ShippingRule {
  if (!ships) return 'nothing_shipped';
  if (selected === null) return 'no_method';
  if (freeBy) return `free_shipping_${freeBy}`;
  return selected.isFree ? 'free_over' : RULES[selected.method.basis];
}

/** Returns the grams of the lines that are shipped, at most 2^53 − 1. */
const weightOf = (lines: readonly PricedLine[]): number =>
  lines.reduce(
    (sum, { ships, weight = 0, quantity }) =>
      ships ? Math.min(sum + weight * quantity, Number.MAX_SAFE_INTEGER) : sum,
    0,
  );

const isWaived = ({ rule }: PricedShipping): boolean =>
  rule === 'free_shipping_coupon' || rule === 'free_shipping_promotion';

/** Returns what a promotion for free shipping takes off the price of the method that applies, in minor units. */
export const waivedShipping = (shipping: PricedShipping): number =>
  isWaived(shipping) ? (shipping.selected?.price ?? 0) : 0;

/** Returns what is charged for a quoted method, in minor units: nothing under a promotion for free shipping. */
const shippingCharge = (shipping: PricedShipping, quote: ShippingQuote): number =>
  isWaived(shipping) ? 0 : quote.price;

/** Returns whether the cart's goods can be shipped, or need no shipping. */
export const isDeliverable = ({ rule }: PricedShipping): boolean => rule !== 'no_method';

/** Returns the method that applies with its charge, in the API's form; null if there is none. */
export function presentShippingMethod(shipping: PricedShipping, currency: string): ChosenShipping | null {
  const { rule, selected } = shipping;
  if (selected === null || rule === 'nothing_shipped') return null;
  const { id, name } = selected.method;
  return { id, name, price: toNumber(shippingCharge(shipping, selected), currency) };
}

/** Returns the methods to choose from; none if nothing is shipped. */
export const presentShippingMethods = (shipping: PricedShipping, currency: string): ShippingMethodOption[] =>
  shipping.rule === 'nothing_shipped'
    ? []
    : shipping.quotes.map((quote) => ({
        id: quote.method.id,
        name: quote.method.name,
        description: quote.method.description,
        price: toNumber(shippingCharge(shipping, quote), currency),
        min_days: quote.method.minDays,
        max_days: quote.method.maxDays,
        selected: quote === shipping.selected,
      }));
