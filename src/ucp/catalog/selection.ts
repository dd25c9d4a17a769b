import { fold } from '../../kernel/text/fold.ts';
import type { Product, SelectedOption, Variant } from './schemas.ts';

type Options = NonNullable<Product['options']>;

/** Returns a value of an option as it is compared: names and labels without case and accents. */
const keyOf = ({ name, label }: SelectedOption): string => JSON.stringify([fold(name), fold(label)]);

const keys = new WeakMap<Variant, ReadonlySet<string>>();

/** Returns a variant's values as they are compared, made once: each is compared with up to 500 others. */
function keysOf(variant: Variant): ReadonlySet<string> {
  const known = keys.get(variant);
  if (known) return known;
  const made = new Set(variant.options?.map(keyOf));
  keys.set(variant, made);
  return made;
}

/** Returns the variants that have all of the selected values. */
export function selectedVariants(
  variants: readonly Variant[],
  selected: readonly SelectedOption[],
): readonly Variant[] {
  const wanted = selected.map(keyOf);
  return variants.filter((variant) => wanted.every((key) => keysOf(variant).has(key)));
}

/** What an agent asks for of a product with options. */
export interface RequestedSelection {
  readonly selected: readonly SelectedOption[];
  /** Names of options, those to keep first. */
  readonly preferences: readonly string[];
}

/**
 * Returns the selections that at least one variant meets. While none does, the option that comes last in the
 * preferences is dropped; those that are not among them go first, the last selected before others.
 */
export function effectiveSelection(
  variants: readonly Variant[],
  { selected, preferences }: RequestedSelection,
): readonly SelectedOption[] {
  const preferred = preferences.map(fold);
  const rank = ({ name }: SelectedOption) => {
    const at = preferred.indexOf(fold(name));
    return at < 0 ? preferences.length : at;
  };
  const kept = [...selected].sort((a, b) => rank(a) - rank(b));
  while (kept.length > 0 && selectedVariants(variants, kept).length === 0) kept.pop();
  return selected.filter((one) => kept.includes(one));
}

/**
 * Returns the options with what each value would mean beside the other selections: whether a variant with it exists,
 * and whether it can be bought. Variants may have 25,000 different options in all, so none is compared with each variant.
 */
export function withAvailability(
  options: Options,
  variants: readonly Variant[],
  selected: readonly SelectedOption[],
) {
  const named = new Map(selected.map((one) => [fold(one.name), one]));
  const byValue = variantsByValue(variants);
  const fittingAll = new Set(selectedVariants(variants, selected));
  return options.map(({ name, values }) => {
    const own = named.get(fold(name));
    const others = selected.filter((one) => one !== own);
    const fitting = own ? new Set(selectedVariants(variants, others)) : fittingAll;
    return {
      name,
      values: values.map(({ label }) => {
        const found = (byValue.get(keyOf({ name, label })) ?? []).filter((variant) => fitting.has(variant));
        const available = found.some(({ availability }) => availability.available);
        return { label, available, exists: found.length > 0 };
      }),
    };
  });
}

/** Returns the variants that have each value of an option. */
function variantsByValue(variants: readonly Variant[]): ReadonlyMap<string, readonly Variant[]> {
  const byValue = new Map<string, Variant[]>();
  for (const variant of variants) {
    for (const key of keysOf(variant)) {
      const known = byValue.get(key);
      if (known) known.push(variant);
      else byValue.set(key, [variant]);
    }
  }
  return byValue;
}
