import { MAX_SKU_LENGTH } from '../../../../inventory/index.ts';
import { ownEntry } from '../../../../kernel/core/records.ts';
import { slugify } from '../../../../kernel/text/fold.ts';
import { firstOf } from '../../../../kernel/text/text.ts';

/** An option of a product as a form has it, such as its colours. */
export interface OptionDraft {
  /** The name that it had; null for a new one. */
  readonly was: string | null;
  readonly name: string;
  readonly values: readonly string[];
}

interface StoredOption {
  readonly name: string;
  readonly values: readonly string[];
}

type Attributes = Readonly<Record<string, string>>;

interface KnownVariant {
  readonly id: number;
  readonly attributes: Attributes;
}

/** A variant of the new options; a null `known` is to be made. */
interface Combination<Known extends KnownVariant> {
  readonly known: Known | null;
  readonly attributes: Attributes;
}

/** What becomes of a product's variants when its options change. */
export interface Combined<Known extends KnownVariant> {
  readonly combinations: readonly Combination<Known>[];
  /** Variants whose values are gone. */
  readonly dropped: readonly Known[];
}

interface Stored<Known extends KnownVariant> {
  readonly options: readonly StoredOption[];
  readonly variants: readonly Known[];
}

/** An option's new values by its old ones, and those that no variant has yet. */
interface ValueChange {
  readonly option: OptionDraft;
  readonly renamed: ReadonlyMap<string, string>;
  readonly added: ReadonlySet<string>;
}

/** How new options become variants. */
interface CombineRules {
  /** Whether combinations are made that were removed earlier, beside those of new values. */
  readonly all: boolean;
  /** Whether a value in the place of another one renames it. Else the other one is gone. */
  readonly renames: boolean;
}

/**
 * Returns the combinations of new options. Stored variants are kept: a renamed option or value renames theirs, a
 * new option gives them its first value.
 */
export function combine<Known extends KnownVariant>(
  stored: Stored<Known>,
  options: readonly OptionDraft[],
  { all, renames }: CombineRules,
): Combined<Known> {
  const changes = options.map((option) => valueChange(stored.options, option, renames));
  const kept = new Map<string, Combination<Known>>();
  const dropped: Known[] = [];
  for (const known of stored.variants) {
    const attributes = carriedOver(known.attributes, changes);
    const key = attributes && keyOf(attributes);
    if (!attributes || key === null || kept.has(key)) dropped.push(known);
    else kept.set(key, { known, attributes });
  }
  const isFirst = stored.variants.length === 0;
  const combinations = product(options).flatMap((attributes): Combination<Known>[] => {
    const found = kept.get(keyOf(attributes));
    if (found) return [found];
    const isNew = changes.some(({ option, added }) => added.has(attributes[option.name] ?? ''));
    return isFirst || all || isNew ? [{ known: null, attributes }] : [];
  });
  return { combinations, dropped };
}

function valueChange(stored: readonly StoredOption[], option: OptionDraft, renames: boolean): ValueChange {
  const before = stored.find(({ name }) => name === option.was)?.values ?? [];
  const { values } = option;
  const renamed = new Map<string, string>();
  before.forEach((old, at) => {
    const now = values[at];
    // A value that was replaced in its place has a new name.
    const isReplaced =
      renames && before.length === values.length && now !== undefined && !before.includes(now);
    if (values.includes(old)) renamed.set(old, old);
    else if (isReplaced) renamed.set(old, now);
  });
  const known = new Set(before.length > 0 ? renamed.values() : values.slice(0, 1));
  return { option, renamed, added: new Set(values.filter((value) => !known.has(value))) };
}

/** Returns a variant's attributes in the new options; null if one of its values is gone. */
function carriedOver(attributes: Attributes, changes: readonly ValueChange[]): Attributes | null {
  const entries = changes.map(({ option, renamed }) => {
    const old = option.was === null ? undefined : ownEntry(attributes, option.was);
    return [option.name, old === undefined ? option.values[0] : renamed.get(old)] as const;
  });
  return entries.every((entry): entry is readonly [string, string] => entry[1] !== undefined)
    ? Object.fromEntries(entries)
    : null;
}

const keyOf = (attributes: Attributes): string => JSON.stringify(Object.entries(attributes).sort());

/** Returns all combinations of values; one without attributes for no options. */
const product = (options: readonly OptionDraft[]): Attributes[] =>
  options.reduce<Attributes[]>(
    (sofar, { name, values }) =>
      sofar.flatMap((attributes) => values.map((value) => ({ ...attributes, [name]: value }))),
    [{}],
  );

/** Returns how many combinations the options have. */
export const countCombinations = (options: readonly OptionDraft[]): number =>
  options.reduce((count, { values }) => count * values.length, 1);

/** Longest part of a SKU that the values of a variant take, in code points: the rest is the product's. */
const MAX_VALUES_LENGTH = 40;

/** Returns a SKU for each new combination, from the product's: TEE-RED-M, or TEE-RED-M-2 if that is taken. */
export function skusFor(
  base: string,
  combinations: readonly Attributes[],
  taken: ReadonlySet<string>,
): string[] {
  const used = new Set(taken);
  return combinations.map((attributes) => {
    const values = firstOf(slugify(Object.values(attributes).join(' ')).toUpperCase(), MAX_VALUES_LENGTH);
    // The end of the base is cut, not the values that tell the variants apart.
    const start = firstOf(base, MAX_SKU_LENGTH - 5 - [...values].length).replace(/-+$/, '');
    const stem = [start, values].filter(Boolean).join('-');
    let sku = stem;
    for (let n = 2; used.has(sku); n++) sku = `${stem}-${n}`;
    used.add(sku);
    return sku;
  });
}
