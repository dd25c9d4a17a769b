import { fold } from '../../kernel/text/fold.ts';
import type { Product, SelectedOption, Variant } from './schemas.ts';

type Options = NonNullable<Product['options']>;

const isSame = (a: string, b: string): boolean => fold(a) === fold(b);

/** Returns whether a variant has all of the selected values; names and labels compare without case and accents. */
const matches = ({ options = [] }: Variant, selected: readonly SelectedOption[]): boolean =>
  selected.every(({ name, label }) =>
    options.some((own) => isSame(own.name, name) && isSame(own.label, label)),
  );

/** What an agent asks for of a product with options. */
export interface Wish {
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
  { selected, preferences }: Wish,
): readonly SelectedOption[] {
  const rank = ({ name }: SelectedOption) => {
    const at = preferences.findIndex((preference) => isSame(preference, name));
    return at < 0 ? preferences.length : at;
  };
  const kept = [...selected].sort((a, b) => rank(a) - rank(b));
  while (kept.length > 0 && !variants.some((variant) => matches(variant, kept))) kept.pop();
  return selected.filter((one) => kept.includes(one));
}

/** Returns the variants that have the selected values. */
export const selectedVariants = (
  variants: readonly Variant[],
  selected: readonly SelectedOption[],
): readonly Variant[] => variants.filter((variant) => matches(variant, selected));

/**
 * Returns the options with what each value would mean beside the other selections: whether a variant with it exists,
 * and whether it can be bought.
 */
export const withAvailability = (
  options: Options,
  variants: readonly Variant[],
  selected: readonly SelectedOption[],
) =>
  options.map(({ name, values }) => {
    const others = selected.filter((one) => !isSame(one.name, name));
    return {
      name,
      values: values.map(({ label }) => {
        const having = selectedVariants(variants, [...others, { name, label }]);
        const available = having.some(({ availability }) => availability.available);
        return { label, available, exists: having.length > 0 };
      }),
    };
  });
