import { fold } from '../../kernel/text/fold.ts';
import type { Prices, ProductOption, VariantSummary } from '../tables.ts';

/** Attributes of a variant: option name → value. */
type VariantAttributes = Readonly<Record<string, string>>;

/** Returns the key by which option names are compared: without case and accents. */
export const optionKey = fold;

/** Returns variants whose option names are all spelled as in the first variant that has them. */
export function alignOptionNames<Variant extends { readonly attributes: VariantAttributes }>(
  variants: readonly Variant[],
): Variant[] {
  const spelling = new Map<string, string>();
  const aligned = (name: string) => {
    const key = optionKey(name);
    const known = spelling.get(key) ?? name;
    spelling.set(key, known);
    return known;
  };
  return variants.map((variant) => ({
    ...variant,
    attributes: Object.fromEntries(
      Object.entries(variant.attributes).map(([name, value]) => [aligned(name), value]),
    ),
  }));
}

/** Returns the options of variants, with names and values in the variants' order, spelled as in the first one. */
export function optionsOf(variants: readonly VariantAttributes[]): ProductOption[] {
  const options = new Map<string, { readonly name: string; readonly values: Set<string> }>();
  for (const [name, value] of variants.flatMap((attributes) => Object.entries(attributes))) {
    const key = optionKey(name);
    const option = options.get(key) ?? { name, values: new Set<string>() };
    options.set(key, option);
    option.values.add(value);
  }
  return [...options.values()].map(({ name, values }) => ({ name, values: [...values] }));
}

/**
 * Returns a function that names variants: their values in the order of the product's options, such as "Black / M". It
 * takes the time of the variant's own options, as each variant of a product may have 50 that no other one has.
 */
export function variantNames(options: readonly ProductOption[]): (attributes: VariantAttributes) => string {
  const places = new Map(options.map(({ name }, place) => [optionKey(name), place]));
  return (attributes) =>
    Object.entries(attributes)
      .map(([name, value]) => ({ place: places.get(optionKey(name)) ?? 0, value }))
      .sort((a, b) => a.place - b.place)
      .map(({ value }) => value)
      .join(' / ');
}

/** Returns the summary of a product's variants; null without variants. */
export function summarizeVariants(
  variants: readonly { readonly prices: Prices; readonly attributes: VariantAttributes }[],
): VariantSummary | null {
  if (variants.length === 0) return null;
  const byCurrency = new Map<string, { highest: number; variants: VariantAttributes[] }>();
  for (const { prices, attributes } of variants) {
    for (const [currency, amount] of Object.entries(prices)) {
      const known = byCurrency.get(currency) ?? { highest: amount, variants: [] };
      known.highest = Math.max(known.highest, amount);
      known.variants.push(attributes);
      byCurrency.set(currency, known);
    }
  }
  const entries = [...byCurrency];
  return {
    highest: Object.fromEntries(entries.map(([currency, { highest }]) => [currency, highest])),
    options: optionsOf(variants.map(({ attributes }) => attributes)),
    optionsIn: Object.fromEntries(
      entries
        .filter(([, priced]) => priced.variants.length < variants.length)
        .map(([currency, priced]) => [currency, optionsOf(priced.variants)]),
    ),
  };
}
