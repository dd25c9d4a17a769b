import type { Schemas } from '../../../client/src/index.ts';
import { ownEntry } from '../../kernel/core/records.ts';
import { isSent, type PageRequest } from '../../web/index.ts';

export type Product = Schemas['Product'];
export type Variant = NonNullable<Product['variants']>[number];
/** A product of a bundle or a group. */
export type Part = Schemas['ProductListItem'];

/** The fields of the product's form as they are filled in; an absent one is at its default. */
export type Filled = Readonly<Record<string, readonly string[] | undefined>>;

/** Returns what was sent, or else what the address of the page carries. */
export const filledOf = (request: PageRequest): Filled =>
  isSent(request) ? request.sent : request.c.req.queries();

/** The names of the form's fields. */
export const FIELDS = {
  /** Only in links to a page: the id of the variant that is chosen there. */
  variant: 'variant',
  option: (at: number) => `option-${at}`,
  bundle: (group: number) => `bundle-${group}`,
  part: (product: number) => `qty-${product}`,
  slot: 'slot',
  link: 'link',
  quantity: 'quantity',
} as const;

/** One value of an option. */
export interface OptionValue {
  /** Empty for variants that lack the option. */
  readonly value: string;
  readonly chosen: boolean;
  /** Whether it can be bought with the other options as they are; `missing`: there is no such variant. */
  readonly state: 'available' | 'sold_out' | 'missing';
}

/** What is chosen of a configurable product. */
interface VariantChoice {
  readonly options: readonly { readonly name: string; readonly values: readonly OptionValue[] }[];
  /** The variant with all chosen values; null if there is none. */
  readonly variant: Variant | null;
}

/** Returns a variant's value of an option, which may be called `constructor`; empty if it lacks the option. */
const ownValue = ({ attributes }: Variant, name: string): string => ownEntry(attributes, name) ?? '';

/** The values that are chosen, in the order of the options' names. */
interface Chosen {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/**
 * Returns the variant with all chosen values, and by an option's place and value the one that has another value there
 * alone. A product may have 500 variants and 25,000 values, so each variant is compared once.
 */
function variantsNear(variants: readonly Variant[], { names, values }: Chosen) {
  const other = names.map(() => new Map<string, Variant>());
  let chosen: Variant | null = null;
  for (const variant of variants) {
    const own = names.map((name) => ownValue(variant, name));
    const [at, more] = own.flatMap((value, place) => (value === values[place] ? [] : place));
    if (at === undefined) chosen ??= variant;
    else if (more === undefined && !other[at]?.has(own[at] ?? '')) other[at]?.set(own[at] ?? '', variant);
  }
  return { chosen, other };
}

/**
 * Returns the choice of a configurable product. Missing options are those of the variant that a link names, else of the
 * first one that can be bought.
 */
export function chooseVariant({ options, variants = [] }: Product, filled: Filled): VariantChoice {
  const names = options.map(({ name }) => name);
  const linked = variants.find(({ id }) => String(id) === filled[FIELDS.variant]?.[0]);
  const given = names.map((name, at) => filled[FIELDS.option(at)]?.[0] ?? (linked && ownValue(linked, name)));
  const fits = (one: Variant) =>
    names.every((name, at) => given[at] === undefined || given[at] === ownValue(one, name));
  const fallback = variants.find((one) => fits(one) && one.in_stock) ?? variants.find(fits) ?? variants[0];
  const chosen = names.map((name, at) => given[at] ?? (fallback ? ownValue(fallback, name) : ''));
  const near = variantsNear(variants, { names, values: chosen });
  const stateOf = (at: number, value: string): OptionValue['state'] => {
    const found = value === chosen[at] ? near.chosen : near.other[at]?.get(value);
    if (!found) return 'missing';
    return found.in_stock ? 'available' : 'sold_out';
  };
  return {
    options: options.map(({ name, values }, at) => ({
      name,
      values: [...(variants.some((one) => ownValue(one, name) === '') ? [''] : []), ...values].map(
        (value) => ({ value, chosen: value === chosen[at], state: stateOf(at, value) }),
      ),
    })),
    variant: near.chosen,
  };
}

/** Returns the ids of the chosen downloads: all of them unless the form says otherwise. */
export const chosenLinks = ({ links = [] }: Product, filled: Filled): number[] =>
  FIELDS.quantity in filled ? (filled[FIELDS.link] ?? []).map(Number) : links.map(({ id }) => id);

type Group = NonNullable<Product['bundle_groups']>[number];

/**
 * Returns the ids of the chosen items of a bundle's group: its defaults, or the first if it asks for one; none that is
 * sold out unless the form says so.
 */
export function chosenItems(
  { id, items, required, multiple }: Group,
  filled: Filled,
  parts: ReadonlyMap<number, Part> = new Map(),
): number[] {
  if (FIELDS.quantity in filled)
    return (filled[FIELDS.bundle(id)] ?? []).map(Number).filter((item) => item > 0);
  const offered = items.filter((item) => parts.get(item.product_id)?.in_stock !== false);
  const defaults = offered.filter((item) => item.default).slice(0, multiple ? offered.length : 1);
  const chosen = defaults.length > 0 || !required ? defaults : offered.slice(0, 1);
  return chosen.map((item) => item.id);
}

/** Returns how many of a group's product are chosen. */
export const chosenCount = (
  { product_id, default_quantity }: NonNullable<Product['grouped']>[number],
  filled: Filled,
): number => Number(filled[FIELDS.part(product_id)]?.[0] ?? default_quantity) || 0;

/** Returns the choice as `options` of POST /v1/cart/items; undefined for a product without options. */
export function optionsOf(product: Product, filled: Filled): Record<string, unknown> | undefined {
  const { variants, booking, links, grouped, bundle_groups: bundle } = product;
  if (variants?.length) return { variant_id: chooseVariant(product, filled).variant?.id ?? 0 };
  if (booking) {
    const [from, to] = filled[FIELDS.slot]?.[0]?.split(' ') ?? [];
    return { booking: { from, to } };
  }
  if (links?.length) return { links: chosenLinks(product, filled) };
  if (grouped?.length) {
    const counts = grouped.map((one) => [one.product_id, chosenCount(one, filled)] as const);
    return { qty: Object.fromEntries(counts.filter(([, count]) => count !== 0)) };
  }
  if (!bundle?.length) return undefined;
  const items = bundle.map((group) => [String(group.id), chosenItems(group, filled)] as const);
  return { bundle_options: Object.fromEntries(items.filter(([, chosen]) => chosen.length > 0)) };
}
