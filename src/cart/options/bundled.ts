import type { SellableProduct, SellableView } from '../../catalog/index.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import { ownEntry } from '../../kernel/core/records.ts';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { Selection } from '../../pricing/index.ts';
import {
  type Json,
  type Options,
  ordinaryPrices,
  parseQuantity,
  type ResolvedOptions,
  type StockNeed,
  stockNeed,
  sumOfPrices,
} from './offer.ts';

/** A group of a bundle, from whose items a shopper chooses. */
export type BundleGroup = NonNullable<SellableView['details']['bundle_groups']>[number];

/** The items chosen from one group, and the quantity of each. */
interface GroupChoice {
  readonly group: BundleGroup;
  readonly items: readonly {
    readonly id: number;
    readonly quantity: number;
    readonly product: SellableProduct;
  }[];
  readonly times: number;
}

const KEYED_BY_GROUP = 'must be an object keyed by group id';

/**
 * Resolves `{"bundle_options": {"1": [5]}, "bundle_option_qty": {"1": 1}}`, keyed by group id. The price is
 * the sum of the chosen items' prices; the bundle takes their stock.
 */
export function resolveBundle(view: SellableView, options: Options): Result<ResolvedOptions> {
  const groups = view.details.bundle_groups ?? [];
  const chosen = byGroup(groups, options, 'bundle_options');
  if (!chosen.ok) return chosen;
  const counts = byGroup(groups, options, 'bundle_option_qty');
  if (!counts.ok) return counts;
  const choices: GroupChoice[] = [];
  const members = membersOnSale(view);
  for (const group of groups) {
    const wanted = { items: chosen.value.get(group.id), quantity: counts.value.get(group.id) };
    const choice = choiceOf(members, group, wanted);
    if (!choice.ok) return choice;
    if (choice.value) choices.push(choice.value);
  }
  if (choices.length === 0) {
    const names = groups.map(({ id, title }) => `${id} (${title})`).join(', ');
    return invalid('options.bundle_options', `must choose at least one item of ${names}`);
  }
  return ok(resolvedOptions(choices));
}

/** Parses an option keyed by group id to a map; fails on a group that the product does not have. */
function byGroup(groups: readonly BundleGroup[], options: Options, name: string): Result<Map<number, Json>> {
  const given = ownEntry(options, name) ?? {};
  const field = `options.${name}`;
  if (typeof given !== 'object' || Array.isArray(given)) return invalid(field, KEYED_BY_GROUP);
  const entries = Object.entries(given).map(([key, value]) => ({
    key,
    value,
    group: groups.find(({ id }) => String(id) === key),
  }));
  const unknown = entries.find(({ group }) => !group);
  if (unknown) return invalid(`${field}.${unknown.key}`, 'must be a group of this bundle');
  return ok(new Map(entries.flatMap(({ group, value }) => (group ? [[group.id, value]] : []))));
}

/** Returns the members on sale by id: a bundle may have 5,000. */
export const membersOnSale = ({ members }: SellableView): ReadonlyMap<number, SellableProduct> =>
  new Map(members.flatMap((one) => (one.status === 'active' ? [[one.id, one]] : [])));

/** Returns the choice from one group of a bundle; null if nothing is chosen from an optional group. */
function choiceOf(
  members: ReadonlyMap<number, SellableProduct>,
  group: BundleGroup,
  {
    items: wanted,
    quantity: count,
  }: { readonly items: Json | undefined; readonly quantity: Json | undefined },
): Result<GroupChoice | null> {
  const field = `options.bundle_options.${group.id}`;
  const onSale = group.items.flatMap((item) => {
    const product = members.get(item.product_id);
    return product ? [{ id: item.id, quantity: item.quantity, product }] : [];
  });
  const names = () => onSale.map(({ id, product }) => `${id} (${product.name})`).join(', ');
  if (wanted !== undefined && !Array.isArray(wanted))
    return invalid(field, `must be an array of item ids: ${names()}`);
  const items = onSale.filter(({ id }) => wanted?.includes(id));
  const unknown = wanted?.find((id: Json) => !items.some((item) => item.id === id));
  if (unknown !== undefined) return invalid(field, `${JSON.stringify(unknown)} is not one of ${names()}`);
  if (group.required && items.length === 0) {
    return invalid(field, `is required (${group.title}): ${group.multiple ? 'some' : 'one'} of ${names()}`);
  }
  if (!group.multiple && items.length > 1) return invalid(field, `must choose only one of ${names()}`);
  const times = count === undefined ? 1 : parseQuantity(count);
  const countField = `options.bundle_option_qty.${group.id}`;
  if (!times) return invalid(countField, `must be an integer from 1 to ${MAX_LINE_QUANTITY}`);
  if (items.length > 0) return ok({ group, items, times });
  return count === undefined ? ok(null) : invalid(countField, 'requires a chosen item of this group');
}

function resolvedOptions(choices: readonly GroupChoice[]): ResolvedOptions {
  const parts = choices.flatMap(({ items, times }) =>
    items.map(({ product, quantity }) => ({ product, times: quantity * times })),
  );
  return {
    options: {
      bundle_options: Object.fromEntries(
        choices.map(({ group, items }) => [group.id, items.map(({ id }) => id).sort((a, b) => a - b)]),
      ),
      bundle_option_qty: Object.fromEntries(choices.map(({ group, times }) => [group.id, times])),
    },
    selected: choices.map(selectionOf),
    prices: sumOfPrices(parts.map(({ product, times }) => ({ prices: product.prices, times }))),
    ordinaryPrices: sumOfPrices(
      parts.map(({ product, times }) => ({ prices: ordinaryPrices(product), times })),
    ),
    ships: parts.some(({ product }) => product.type === 'simple'),
    weight: parts.reduce((sum, { product, times }) => sum + weightToShip(product) * times, 0),
    needs: mergeNeeds(parts.flatMap(({ product, times }) => stockNeed(product, times))),
  };
}

/** Returns the grams of an item; those that don't ship weigh nothing. */
const weightToShip = ({ type, weight }: SellableProduct): number => (type === 'simple' ? (weight ?? 0) : 0);

/** Returns the choice from one group as it is shown: "2 × Mug, Plate". */
const selectionOf = ({ group, items, times }: GroupChoice): Selection => ({
  name: group.title,
  value: items
    .map(({ product, quantity }) =>
      quantity * times > 1 ? `${quantity * times} × ${product.name}` : product.name,
    )
    .join(', '),
});

/** Sums the needs per stock item, since groups may share an item. */
function mergeNeeds(needs: readonly StockNeed[]): StockNeed[] {
  const byItem = Map.groupBy(needs, ({ id }) => id);
  return [...byItem.values()].flatMap((same) => {
    const [need] = same;
    return need ? [{ ...need, quantity: same.reduce((sum, { quantity }) => sum + quantity, 0) }] : [];
  });
}
